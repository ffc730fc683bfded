import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D } from 'three';

/** Poses everything below an object as a clip has it at time t, until all actions of the mixer are stopped. */
export function poseAt(root: Object3D, clip: AnimationClip, t: number): AnimationMixer {
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(LoopOnce, 1); // Looping would wrap to 0 exactly at the end.
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(t);
  root.updateMatrixWorld(true);
  return mixer;
}
