import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { LightLoaderPlugin } from '../../../adapters/three/index.ts';
import { memorySource, NO_FILES } from '../../../src/io/files.ts';
import { readGltf } from '../../../src/io/read-gltf.ts';
import { identity34 } from '../../../src/math/matrix34.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { sampleFigure } from '../../../src/rig/samples/figure.ts';
import { lightBake } from '../../../src/verbs/light-bake.ts';
import { smallFigure } from '../../light/small-figure.ts';
import { type ThreeModel, threeModel } from '../../three-mesh.ts';

/** Who is lit in light.ts, and where. */

export const renderer = new WebGLRenderer();
export const scene = new Scene();
export const camera = new PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1.2, 4);
camera.lookAt(0, 0.9, 0);

/** Random light: bright above, coloured, never negative by much. */
export function randomLight(seed: number): Float32Array {
  const rng = seededRandom(seed);
  return Float32Array.from({ length: 75 }, (_, c) => (c % 25 === 0 ? 3 : (rng() - 0.5) / (1 + Math.sqrt(c % 25))));
}

export function figure(): { model: SkinnedModel; three: ThreeModel } {
  const model = sampleFigure(900, 8, 24);
  const three = threeModel(model);
  three.pose(identity34(model.skeleton.parents.length));
  return { model, three };
}

/** A figure whose light was baked, as GLTFLoader loads it, in a pose between those that were traced. */
let bakedFigure: Promise<Awaited<ReturnType<typeof bakeFigure>>> | undefined;

async function bakeFigure() {
  const settings = { poses: 6, rays: 64, modes: 3, glossModes: 4, fit: false, gloss: true };
  const { file } = await lightBake(smallFigure(), { ...settings, glb: {} });
  return file!;
}

export async function loadBaked() {
  const file = await (bakedFigure ??= bakeFigure());
  const loader = new GLTFLoader().register((parser) => new LightLoaderPlugin(parser));
  const gltf = await loader.parseAsync(file.slice().buffer as ArrayBuffer, '');
  const [model] = (await readGltf(memorySource('figure.glb', file), NO_FILES, 'figure.glb')).models;
  return { gltf, model };
}

/** Mean colours of a picture, black where nothing is drawn. */
export function picture(): number[] {
  const size = 96;
  renderer.setSize(size, size, false);
  renderer.render(scene, camera);
  const { canvas } = { canvas: renderer.domElement };
  const copy = document.createElement('canvas');
  copy.width = size;
  copy.height = size;
  const context = copy.getContext('2d')!;
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, size, size);
  const sums = [0, 0, 0];
  for (let p = 0; p < data.length; p += 4) for (let c = 0; c < 3; c++) sums[c] += data[p + c] / (size * size);
  return sums;
}
