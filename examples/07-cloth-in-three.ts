// A cape on the walking figure in three.js, live. Nothing is trained; a renderer would draw a picture per update.
import { sample } from 'pliant';
import { ClothMesh } from 'pliant/three';
import { AnimationClip, AnimationMixer, type Mesh, type SkinnedMesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const load = async (name: string) => {
  const { file } = await sample(name, { resolution: 2500, glb: {} });
  return new GLTFLoader().parseAsync(file!.slice().buffer, '');
};
const figure = await load('figure');
const garment = await load('cape');
const body = figure.scene.getObjectByProperty('type', 'SkinnedMesh') as SkinnedMesh;
const mesh = garment.scene.getObjectByProperty('type', 'Mesh') as Mesh;

// The cape stands on the rest pose of the figure, and is painted red where the body holds it.
const cape = await ClothMesh.create(mesh, body, { pins: { color: 'red' }, coarseVertices: 200 });
// scene.add(figure.scene, cape);

const mixer = new AnimationMixer(figure.scene);
mixer.clipAction(AnimationClip.findByName(figure.animations, 'walk')!).play();
for (const wind of [0, 4]) {
  cape.wind.set(0, 0, -wind);
  for (let picture = 0; picture < 60; picture++) {
    mixer.update(1 / 60);
    cape.update(1 / 60);
    // renderer.render(scene, camera);
  }
  const { min } = cape.geometry.boundingBox!;
  console.log(`wind ${wind} m/s: the cape reaches ${(-min.z).toFixed(2)} m behind the figure`);
}
cape.dispose();
