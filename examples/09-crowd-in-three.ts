// A thousand walking figures in three.js, in one draw call per level of detail. A renderer would draw a picture per step.
import { sample } from 'pliant';
import { lod } from 'pliant/lod';
import { LodLoaderPlugin, SkinnedCrowd } from 'pliant/three';
import { Matrix4, PerspectiveCamera } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const [figure] = (await sample('figure', { resolution: 2500, frames: 12 })).models;
const { file } = await lod(figure, { levels: 3, poses: 4, glb: {} });

const loader = new GLTFLoader();
loader.register((parser) => new LodLoaderPlugin(parser));
const gltf = await loader.parseAsync(file!.slice().buffer, '');
const crowd = new SkinnedCrowd(gltf.scene, { clips: gltf.animations });
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
const all = (seen * figure.mesh.triangles.length) / 3;
console.log(
  `1000 figures: ${seen} in view, at levels ${instances.join(' ')}: ${triangles} triangles instead of ${all}`,
);
crowd.dispose();
