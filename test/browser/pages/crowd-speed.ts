import { AnimationMixer, DirectionalLight, type Group, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { SkinnedCrowd } from '../../../adapters/three/index.ts';
import { crowdCharacter, crowdPlace } from '../../../bench/engines/crowd-character.ts';

/** What many walking figures cost a page: as a crowd, or as so many skinned meshes with levels and mixers of their own. */

const renderer = new WebGLRenderer();
renderer.setSize(1920, 1080, false);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(50, 16 / 9, 0.1, 300);
camera.position.set(0, 1.7, 0);
camera.updateMatrixWorld(true);

/** A scene of so many figures, and what moves them by so many seconds. */
async function populate(
  way: 'crowd' | 'meshes',
  count: number,
): Promise<{ scene: Scene; move(seconds: number): void }> {
  const { scene: character, clips } = await crowdCharacter(2500, 5);
  const scene = new Scene();
  scene.add(new DirectionalLight('white', 3));
  const walk = clips.findIndex(({ name }) => name === 'walk');
  if (way === 'crowd') {
    const crowd = new SkinnedCrowd(character, { clips, capacity: count });
    scene.add(crowd);
    for (let n = 0; n < count; n++) crowd.play(crowd.addInstance(crowdPlace(n)), walk, { time: 0.1 * n });
    return { scene, move: (seconds) => crowd.advance(seconds) };
  }
  const mixers = Array.from({ length: count }, (_, n) => {
    const copy = clone(character) as Group;
    copy.applyMatrix4(crowdPlace(n));
    scene.add(copy);
    const mixer = new AnimationMixer(copy);
    mixer.clipAction(clips[walk]).play();
    mixer.update(0.1 * n);
    return mixer;
  });
  return {
    scene,
    move(seconds) {
      for (const mixer of mixers) mixer.update(seconds);
    },
  };
}

Object.assign(globalThis, {
  /** Milliseconds of script per picture, the median; calls and triangles of the last one. */
  async time(way: 'crowd' | 'meshes', count: number, pictures: number) {
    const { scene, move } = await populate(way, count);
    const moves: number[] = [];
    const draws: number[] = [];
    const gl = renderer.getContext();
    for (let k = 0; k < pictures; k++) {
      camera.rotation.y += 0.02;
      camera.updateMatrixWorld(true);
      const began = performance.now();
      move(1 / 60);
      const moved = performance.now();
      renderer.render(scene, camera);
      const drawn = performance.now();
      gl.finish(); // What the card does is not ours, and must not pile up.
      moves.push(moved - began);
      draws.push(drawn - moved);
      await new Promise(requestAnimationFrame);
    }
    const median = (list: number[]): number =>
      list.slice(list.length >> 2).sort((a, b) => a - b)[(3 * list.length) >> 3];
    const { calls, triangles } = renderer.info.render;
    return { move: median(moves), draw: median(draws), calls, triangles };
  },
});
