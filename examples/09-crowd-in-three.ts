// A thousand walking figures in three.js, in one draw call per level of detail. A renderer would draw a picture per step.
import { MeshoptSimplifier } from 'meshoptimizer';
import { sample } from 'pliant';
import { LodMesh, SkinnedCrowd } from 'pliant/three';
import { BufferAttribute, Matrix4, PerspectiveCamera, type SkinnedMesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const { file } = await sample('figure', { resolution: 2500, glb: {} });
const { scene: figure, animations } = await new GLTFLoader().parseAsync(file!.slice().buffer, '');
const mesh = figure.getObjectByProperty('type', 'SkinnedMesh') as SkinnedMesh;

// Levels: any geometries with the same bones, each with its distance from the finest. Files with MSFT_lod bring their own.
await MeshoptSimplifier.ready;
const positions = mesh.geometry.getAttribute('position').array as Float32Array;
const finest = Uint32Array.from(mesh.geometry.index!.array);
const levels = [1, 4, 16, 64].map((divisor) => {
  const target = 3 * Math.floor(finest.length / (3 * divisor));
  const [triangles, error] = MeshoptSimplifier.simplify(finest, positions, 3, target, 1);
  const geometry = mesh.geometry.clone().setIndex(new BufferAttribute(triangles, 1));
  return { geometry, error: divisor === 1 ? 0 : error * MeshoptSimplifier.getScale(positions, 3) };
});
new LodMesh(mesh, levels);

const crowd = new SkinnedCrowd(figure, { clips: animations });
// scene.add(crowd);
for (let n = 0; n < 1000; n++) {
  const i = crowd.addInstance(new Matrix4().setPosition(2 * (n % 40) - 40, 0, -2 * Math.floor(n / 40)));
  crowd.play(i, 'walk', { time: (0.37 * n) % 1 });
}

const camera = new PerspectiveCamera(50, 16 / 9, 0.1, 200);
camera.position.set(0, 1.7, 6);
camera.updateMatrixWorld(true);
for (let picture = 0; picture < 60; picture++) {
  crowd.advance(1 / 60);
  crowd.update(camera); // renderer.render(scene, camera) does this itself
}
const { instances, triangles } = crowd.drawn;
const seen = instances.reduce((sum, count) => sum + count);
console.log(
  `1000 figures: ${seen} in view, at levels ${instances.join(' ')}: ${triangles} triangles instead of ${(seen * finest.length) / 3}`,
);
crowd.dispose();
