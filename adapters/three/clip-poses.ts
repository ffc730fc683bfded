import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D, PropertyBinding } from 'three';
import { PliantError } from '../../src/error.ts';
import { updateWorld } from './world.ts';

/**
 * When to look at a clip: at every key of its tracks, where paths have corners, and between two keys at equal steps, often
 * enough for `rate` looks a second, but at least once.
 */
export function sampleTimes(clip: AnimationClip, rate: number): { times: number[]; keys: Set<number> } {
  const { tracks, duration } = clip;
  const keys = new Set([0, duration]);
  for (const track of tracks) for (const t of track.times) if (t > 0 && t < duration) keys.add(t);
  const times = [0];
  for (const end of [...keys].sort((a, b) => a - b).slice(1)) {
    const begin = times[times.length - 1];
    const steps = Math.max(2, Math.ceil((end - begin) * rate));
    for (let s = 1; s < steps; s++) times.push(begin + ((end - begin) * s) / steps);
    times.push(end);
  }
  return { times, keys };
}

/** Poses everything under `root` as a clip has it, visits each time, and puts it back. */
export function visitPoses(
  clip: AnimationClip,
  root: Object3D,
  times: Iterable<number>,
  visit: (t: number) => void,
  operation = 'computeClipBounds',
): void {
  const known = clip.tracks.some(({ name }) =>
    PropertyBinding.findNode(root, PropertyBinding.parseTrackName(name).nodeName),
  );
  if (!known) {
    const cause = `clip "${clip.name}" moves nothing here (got a root "${root.name}" without the nodes of its tracks)`;
    throw new PliantError('not-found', operation, cause);
  }
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.clampWhenFinished = true;
  action.setLoop(LoopOnce, 1).play(); // Looping would wrap to 0 exactly at the end.
  try {
    for (const t of times) {
      mixer.setTime(t);
      updateWorld([root]);
      visit(t);
    }
  } finally {
    mixer.stopAllAction();
    mixer.uncacheRoot(root);
    updateWorld([root]);
  }
}
