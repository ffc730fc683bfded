// Soft light on a walking figure in three.js, without a bake: shadows on itself and on the floor, under a sky of two colours.
import { sample, writeModelGlb } from 'pliant';
import { floorTransfer } from 'pliant/light';
import { LightEnvironment, useLight } from 'pliant/three';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const [figure] = (await sample('figure', { resolution: 2500, frames: 12 })).models;
const { bytes } = await writeModelGlb(figure);
const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');

// Any equirectangular map will do: await new HDRLoader().loadAsync('venice_sunset_1k.hdr').
const [width, height] = [64, 32];
const pixels = new Float32Array(3 * width * height);
for (let p = 0; p < width * height; p++)
  pixels.set(p < (width * height) / 2 ? [0.6, 0.8, 1.2] : [0.3, 0.25, 0.2], 3 * p);
const sky = new LightEnvironment({ width, height, pixels });

const light = useLight(gltf.scene, sky, { floor: true });
// scene.add(gltf.scene, light.floor, ...sky.suns);
sky.rotation.y = 0.5;

const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations.find(({ name }) => name === 'walk')!).play();
mixer.setTime(0.4);
gltf.scene.updateMatrixWorld(true);
light.spheres.pose(); // renderer.render(scene, camera) does this itself

// The same light on the CPU: what the figure leaves of an even sky, on 32 × 32 points of the floor.
const { x, z } = light.spheres.centre;
const transfer = floorTransfer({ centre: [x, light.floor!.height, z], size: 2, resolution: 32 }, light.spheres.posed);
const left = Array.from({ length: 32 * 32 }, (_, p) => transfer[25 * p] * Math.sqrt(4 * Math.PI));
console.log(
  `${light.spheres.posed.count} spheres: the floor keeps ${(100 * Math.min(...left)).toFixed()} % of the light at its darkest`,
);
light.dispose();
