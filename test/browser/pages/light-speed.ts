import {
  AnimationMixer,
  BufferAttribute,
  Color,
  FloatType,
  type Group,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  SkinnedMesh,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { EffectComposer } from 'three/examples/jsm/postprocessing/EffectComposer.js';
import { GTAOPass } from 'three/examples/jsm/postprocessing/GTAOPass.js';
import { RenderPass } from 'three/examples/jsm/postprocessing/RenderPass.js';
import { LightEnvironment, LightLoaderPlugin, useLight } from '../../../adapters/three/index.ts';
import type { LightPath } from '../../../adapters/three/light/light-material.ts';
import { memorySource, NO_FILES } from '../../../src/io/files.ts';
import { readEnvironment } from '../../../src/io/read-environment.ts';
import { readGltf } from '../../../src/io/read-gltf.ts';
import { unshadowedLight } from '../../../src/light/fit-base.ts';
import { LightScene } from '../../../src/light/scene.ts';
import { shownLight } from '../../../src/light/shown-light.ts';
import { TRACE_OPTIONS, tracePose } from '../../../src/light/traced-pose.ts';
import { defaultsOf } from '../../../src/model/options.ts';
import { clipPoses, type Pose } from '../../../src/skin/choose-poses.ts';

/** What light costs a page, and how near to traced light its pictures are; beside what three.js has for it. */

const SIZE = 192;
/** Albedo of the clay that is drawn. */
const CLAY = 0.8;
/** World units: GTAO looks so far. The first is three.js's own; the best counts. */
const GTAO_RADII = [0.25, 0.5, 1];

const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE, false);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(35, 1, 0.1, 50);

const bytesOf = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(`/assets/${name}`)).arrayBuffer());

interface Loaded {
  file: Uint8Array;
  root: Group;
  mesh: SkinnedMesh;
  mixer: AnimationMixer;
  animations: Awaited<ReturnType<GLTFLoader['parseAsync']>>['animations'];
}

async function load(name: string): Promise<Loaded> {
  const file = await bytesOf(name);
  const loader = new GLTFLoader().register((parser) => new LightLoaderPlugin(parser));
  const { scene: root, animations } = await loader.parseAsync(file.slice().buffer as ArrayBuffer, '');
  let mesh!: SkinnedMesh;
  root.traverse((object) => {
    if (object instanceof SkinnedMesh) mesh = object;
  });
  mesh.frustumCulled = false;
  return { file, root, mesh, mixer: new AnimationMixer(root), animations };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds of a picture of a moving figure: script alone, and until it is drawn. `way`: how it is lit. */
async function time(name: string, way: 'none' | LightPath, baked: boolean, floor: boolean, pictures: number) {
  const { root, mesh, mixer, animations } = await load(name);
  mesh.material = new MeshLambertMaterial();
  const scene = new Scene().add(root);
  camera.position.set(0, 1, 4);
  camera.lookAt(0, 0.9, 0);
  mixer.clipAction(animations[0]).play();
  const sky = new LightEnvironment(Float32Array.from({ length: 75 }, (_, c) => (c % 25 === 0 ? 3 : 0.2)));
  const light = way === 'none' ? undefined : useLight(root, sky, { path: way, baked, floor });
  if (light?.floor) scene.add(light.floor);
  const gl = renderer.getContext();
  const pixel = new Uint8Array(4);
  const [scripts, wholes]: [number[], number[]] = [[], []];
  for (let k = 0; k < pictures; k++) {
    mixer.update(1 / 60);
    sky.rotation.y += 0.01;
    scene.updateMatrixWorld(true);
    const began = performance.now();
    renderer.render(scene, camera);
    scripts.push(performance.now() - began);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    wholes.push(performance.now() - began);
    if (k % 20 === 19) await new Promise((done) => setTimeout(done));
  }
  const { count } = mesh.geometry.getAttribute('position');
  const shown = light?.baked.length ?? 0;
  light?.dispose();
  return { script: median(scripts), whole: median(wholes), count, shown };
}

/** RGBA of a scene, linear. */
function pixelsOf(draw: (target: WebGLRenderTarget) => void): Float32Array {
  const target = new WebGLRenderTarget(SIZE, SIZE, { type: FloatType });
  draw(target);
  const pixels = new Float32Array(4 * SIZE * SIZE);
  renderer.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels;
}

/** What `scene` looks like with three.js's ambient occlusion, at its settings but for the radius. */
function withGtao(scene: Scene, radius: number): Float32Array {
  const composer = new EffectComposer(renderer, new WebGLRenderTarget(SIZE, SIZE, { type: FloatType }));
  composer.renderToScreen = false;
  composer.addPass(new RenderPass(scene, camera));
  const gtao = new GTAOPass(scene, camera, SIZE, SIZE);
  gtao.updateGtaoMaterial({ radius });
  composer.addPass(gtao);
  composer.render();
  const pixels = new Float32Array(4 * SIZE * SIZE);
  renderer.readRenderTargetPixels(composer.readBuffer, 0, 0, SIZE, SIZE, pixels);
  renderer.setRenderTarget(null);
  gtao.dispose();
  composer.dispose();
  return pixels;
}

/**
 * Relative root mean square in % over the pixels of the figure that count: not its outline, where pictures mix it with what
 * lies behind, nor triangles that reach into other parts, where what is traced means nothing.
 */
function errorOf(found: Float32Array, truth: Float32Array, inside: Float32Array): number {
  let [wrong, all] = [0, 0];
  const isFigure = (p: number): boolean => truth[p + 3] > 0 && inside[p] === 0;
  for (let p = 0; p < truth.length; p += 4) {
    if (![0, -4, 4, -4 * SIZE, 4 * SIZE].every((to) => isFigure(p + to))) continue;
    for (let c = p; c < p + 3; c++) {
      wrong += (found[c] - truth[c]) ** 2;
      all += truth[c] ** 2;
    }
  }
  return 100 * Math.sqrt(wrong / all);
}

/** A picture in a row of them, as it would be shown. */
function paint(context: CanvasRenderingContext2D, at: number, pixels: Float32Array, exposure: number): void {
  const image = context.createImageData(SIZE, SIZE);
  const colour = new Color();
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const from = 4 * ((SIZE - 1 - row) * SIZE + column);
      colour.setRGB(...([0, 1, 2].map((c) => Math.min(1, exposure * pixels[from + c])) as [number, number, number]));
      colour.convertLinearToSRGB();
      image.data.set([255 * colour.r, 255 * colour.g, 255 * colour.b, 255], 4 * (row * SIZE + column));
      if (pixels[from + 3] === 0) image.data.set([90, 94, 100, 255], 4 * (row * SIZE + column));
    }
  }
  context.putImageData(image, SIZE * at, 0);
}

/** Errors of pictures in a pose under a map, and a row of pictures: unshadowed, GTAO, base, baked, traced. */
async function compare(name: string, clip: string, part: number, map: string, rays: number) {
  const { file, root, mesh, mixer, animations } = await load(name);
  const [model] = (await readGltf(memorySource(name, file), NO_FILES, name)).models;
  const pose: Pose = clipPoses([model], clip, 4)[part];
  mixer.clipAction(animations.find((each) => each.name === clip)!).play();
  mixer.setTime(pose.time);
  const scene = new Scene().add(root);
  scene.updateMatrixWorld(true);
  const sky = new LightEnvironment(await readEnvironment(memorySource(map, await bytesOf(map))));
  const planes = Float32Array.from({ length: 75 }, (_, c) => sky.turned[c % 25].getComponent(Math.floor(c / 25)));

  // Vertex colours by the library, in the frames of the bones.
  const library = new LightScene([model]);
  const { positions, frames } = library.pose(pose.parts);
  const vertexOf = model.mesh.seams?.vertexOf;
  const coloured = (transfer: Float32Array): MeshBasicMaterial =>
    paintedBy(shownLight(library, { frames }, transfer, { name: map, sh: planes }, CLAY));
  const paintedBy = (shown: Float32Array): MeshBasicMaterial => {
    const { count } = mesh.geometry.getAttribute('position');
    const colours = Float32Array.from({ length: 3 * count }, (_, c) => {
      const v = Math.floor(c / 3);
      return shown[3 * (vertexOf ? vertexOf[v] : v) + (c % 3)];
    });
    mesh.geometry.setAttribute('color', new BufferAttribute(colours, 3));
    return new MeshBasicMaterial({ vertexColors: true });
  };
  const [min, max] = [
    [0, 1, 2].map((c) => positions.reduce((least, x, at) => (at % 3 === c ? Math.min(least, x) : least), Infinity)),
    [0, 1, 2].map((c) => positions.reduce((most, x, at) => (at % 3 === c ? Math.max(most, x) : most), -Infinity)),
  ];
  const middle = min.map((x, c) => (x + max[c]) / 2);
  const size = Math.hypot(...min.map((x, c) => max[c] - x));
  camera.position.set(middle[0] + 0.9 * size, middle[1] + 0.35 * size, middle[2] + 1.1 * size);
  camera.lookAt(middle[0], middle[1], middle[2]);
  camera.updateMatrixWorld(true);
  const plainPicture = (): Float32Array =>
    pixelsOf((target) => {
      renderer.setRenderTarget(target);
      renderer.setClearColor(0, 0);
      renderer.clear();
      renderer.render(scene, camera);
    });

  const options = { ...defaultsOf(TRACE_OPTIONS), rays, bounces: 2 };
  const traced = tracePose(library, pose.parts, options, 1);
  mesh.material = paintedBy(
    Float32Array.from({ length: 3 * traced.inside.length }, (_, c) => traced.inside[Math.floor(c / 3)]),
  );
  const inside = plainPicture();
  mesh.material = coloured(traced.transfer);
  const truth = plainPicture();
  mesh.material = coloured(unshadowedLight(library, library.pose(pose.parts), 5));
  const pictures: Record<string, Float32Array> = { unshadowed: plainPicture() };
  const occluded = GTAO_RADII.map((radius) => withGtao(scene, radius));
  const errors = occluded.map((found) => errorOf(found, truth, inside));
  const best = errors.indexOf(Math.min(...errors));
  pictures.gtao = occluded[best];
  for (const baked of [false, true]) {
    mesh.material = new MeshLambertMaterial({ color: new Color().setRGB(CLAY, CLAY, CLAY) });
    const light = useLight(root, sky, { baked, path: 'pass' });
    pictures[baked ? 'baked' : 'base'] = plainPicture();
    light.dispose();
  }
  pictures.traced = truth;
  const canvas = document.createElement('canvas');
  canvas.width = SIZE * Object.keys(pictures).length;
  canvas.height = SIZE;
  const context = canvas.getContext('2d')!;
  const bright = truth.filter((_, at) => at % 4 !== 3 && truth[at - (at % 4) + 3] > 0).sort();
  const exposure = 0.85 / bright[Math.floor(0.97 * bright.length)];
  Object.values(pictures).forEach((pixels, at) => {
    paint(context, at, pixels, exposure);
  });
  return {
    errors: Object.fromEntries(
      Object.entries(pictures).map(([kind, pixels]) => [kind, errorOf(pixels, truth, inside)]),
    ),
    radius: GTAO_RADII[best],
    picture: canvas.toDataURL('image/png').split(',')[1],
  };
}

Object.assign(globalThis, { time, compare });
