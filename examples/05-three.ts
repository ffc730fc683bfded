// The box of example 01 in three.js: how wide is its waist when it is twisted? In a page, a renderer would draw the same.
import { makeSample, writeModelGlb } from 'pliant';
import { acceleratedRaycast, computeClipBounds, useSkinning } from 'pliant/three';
import { AnimationMixer, DoubleSide, type MeshStandardMaterial, Raycaster, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const { model } = await makeSample('box');
if (!model) throw new Error('the box is a rig');
const { bytes } = await writeModelGlb(model);
const { scene, animations } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
const mesh = scene.getObjectByProperty('type', 'SkinnedMesh') as SkinnedMesh<never, MeshStandardMaterial>;
mesh.material.side = DoubleSide; // Rays are to meet the far side too.
mesh.raycast = acceleratedRaycast;

const [twist] = animations;
const mixer = new AnimationMixer(scene);
mixer.clipAction(twist).play();
mixer.setTime(0.95 * twist.duration);
scene.updateMatrixWorld();

const ray = new Raycaster(new Vector3(0.01, 1, 5), new Vector3(0, 0, -1));
for (const operator of ['lbs', 'dqs'] as const) {
  useSkinning(mesh, operator);
  const hits = ray.intersectObject(mesh);
  console.log(`${operator}: ${(hits[hits.length - 1].distance - hits[0].distance).toFixed(2)} m`);
}

// What a renderer needs to know not to drop the mesh when it bends out of its rest pose.
const { box, sphere } = computeClipBounds(mesh, animations[1]);
mesh.boundingBox = box;
mesh.boundingSphere = sphere;
console.log(`${animations[1].name}: within ${sphere.radius.toFixed(2)} m of its middle`);
