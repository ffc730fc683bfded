// The box of example 01 in three.js: how wide is its waist when twisted? A renderer would draw the same.
import { sample, writeModelGlb } from 'pliant';
import { acceleratedRaycast, computeClipBounds, useSkinning } from 'pliant/three';
import { AnimationMixer, DoubleSide, type MeshStandardMaterial, Raycaster, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const { models } = await sample('box');
const { bytes } = await writeModelGlb(models);
const { scene, animations } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
const mesh = scene.getObjectByProperty('type', 'SkinnedMesh') as SkinnedMesh<never, MeshStandardMaterial>;
mesh.material.side = DoubleSide; // so that rays hit the far side too
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

// Bounds over the whole clip, so that a renderer does not cull the mesh when it leaves its rest pose.
const { box, sphere } = computeClipBounds(mesh, animations[1]);
mesh.boundingBox = box;
mesh.boundingSphere = sphere;
console.log(`${animations[1].name}: within ${sphere.radius.toFixed(2)} m of its middle`);
