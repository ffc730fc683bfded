import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  type Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three';
import { ClothMesh, type ClothMeshOptions } from '../../../adapters/three/index.ts';
import { capeGarment, skirtGarment } from '../../../src/cloth/garments.ts';
import { quantile } from '../../../src/math/statistics.ts';
import { flippedUvs } from '../../../src/mesh/texture-uvs.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { sampleFigure } from '../../../src/rig/samples/figure.ts';
import { steadyClip } from '../../../src/skin/poses.ts';
import { threeModel } from '../../three-mesh.ts';
import { captureVertices } from './capture.ts';

/** A garment on the figure, stepped and drawn when told. */

/** Frames per second of the clips. */
const RATE = 60;
const figure = sampleFigure(3000, 75, 30);
const { mesh: body, pose } = threeModel(figure, new MeshStandardMaterial({ color: 0xb8a89a }));
const scene = new Scene();
scene.background = new Color(0xe8eaee);
const camera = new PerspectiveCamera(32, 1, 0.1, 20);
const sun = new DirectionalLight(0xffffff, 2.5);
sun.position.set(2, 3, -2);
scene.add(body, sun, new HemisphereLight(0xffffff, 0x8090a0, 1.2));
const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(512, 512);
document.body.append(renderer.domElement);
body.frustumCulled = false;

let cloth: ClothMesh | undefined;
let transforms: Float32Array[] = [];

function geometryOf(name: 'cape' | 'skirt', vertices: number): { geometry: BufferGeometry; pinned: Uint32Array } {
  const { mesh, pinned } = (name === 'cape' ? capeGarment : skirtGarment)(vertices);
  const geometry = new BufferGeometry();
  const split = mesh.seams?.vertexOf ?? Uint32Array.from({ length: mesh.positions.length / 3 }, (_, i) => i);
  const positions = Float32Array.from(
    { length: 3 * split.length },
    (_, c) => mesh.positions[3 * split[Math.floor(c / 3)] + (c % 3)],
  );
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  if (mesh.normals) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  if (mesh.uvs) geometry.setAttribute('uv', new BufferAttribute(flippedUvs(mesh.uvs), 2));
  geometry.setIndex(new BufferAttribute(mesh.seams?.triangles ?? mesh.triangles, 1));
  const held = new Set(pinned);
  return { geometry, pinned: Uint32Array.from(split.keys()).filter((w) => held.has(split[w])) };
}

export interface ClothPage {
  /** Puts a garment on the figure. Returns whether a worker computes it, and how many vertices it has. */
  wear(
    name: 'cape' | 'skirt',
    clip: string,
    vertices: number,
    options: ClothMeshOptions,
  ): Promise<{ inWorker: boolean; vertices: number }>;
  /** Frame k of the clip at 60 frames per second. */
  step(k: number): void;
  /** Steps, and waits until a worker has answered. */
  stepped(k: number): Promise<void>;
  /** From an angle around the figure, in radians; `from` metres away, at the height of what is looked at. */
  draw(angle: number, from?: number, height?: number): void;
  /** Moves the figure while nobody sees the cloth, then looks: how far it is from the figure then, until it wakes. */
  wander(): Promise<{ slept: boolean; farthest: number; woke: boolean }>;
  /** What the GPU has, and what the CPU has. */
  read(): { gpu: number[]; cpu: number[] };
  /** Pictures per second while the browser sets the pace. */
  rate(frames: number): Promise<number>;
  /** Milliseconds per picture of each stage, one picture after the other. */
  time(frames: number): Promise<Record<'coarse' | 'detail' | 'normals' | 'copy' | 'upload' | 'draw', number>>;
}

const median = (values: number[]): number => quantile(values, 0.5);
const total = ({ spent }: ClothMesh): number => spent.coarse + spent.detail + spent.normals;
const pixel = new Uint8Array(4);

/** Reading a pixel waits for the picture. */
function drawAndWait(): void {
  const gl = renderer.getContext();
  page.draw(2.6);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
}

const page: ClothPage = {
  async wear(name, clip, vertices, options) {
    if (cloth) {
      scene.remove(cloth);
      cloth.dispose();
    }
    const steady = steadyClip(figure.skeleton, figure.clips.find((each) => each.name === clip)!, RATE);
    transforms = Array.from(steady.times, (_, k) => clipFrame(steady, k));
    pose(transforms[0]);
    const { geometry, pinned } = geometryOf(name, vertices);
    cloth = await ClothMesh.create(geometry, body, { pins: { vertices: pinned }, ...options });
    cloth.material = new MeshStandardMaterial({ color: 0x9c2f3c, side: DoubleSide, roughness: 0.8 });
    scene.add(cloth);
    return { inWorker: cloth.inWorker, vertices: cloth.geometry.getAttribute('position').count };
  },
  step(k) {
    pose(transforms[k % transforms.length]);
    cloth!.update(1 / RATE);
  },
  async stepped(k) {
    page.step(k);
    const { version } = cloth!.geometry.getAttribute('position') as BufferAttribute;
    while (cloth!.inWorker && (cloth!.geometry.getAttribute('position') as BufferAttribute).version === version) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      cloth!.update(0);
    }
  },
  draw(angle, from = 3.6, height = 0.85) {
    camera.position.set(from * Math.sin(angle), height + 0.4, from * Math.cos(angle));
    camera.lookAt(0, height, 0);
    renderer.render(scene, camera);
  },
  async wander() {
    page.draw(2.6);
    for (let k = 0; k < 30; k++) page.step(k);
    const slept = cloth!.paused;
    body.position.x = 10;
    let farthest = 0;
    for (let k = 0; k < 200 && (k < 3 || cloth!.paused); k++) {
      page.step(0);
      const { center } = cloth!.geometry.boundingSphere!;
      const seen = center.clone().applyMatrix4(cloth!.matrixWorld).sub(body.position);
      farthest = Math.max(farthest, Math.hypot(seen.x, seen.z));
      cloth!.onBeforeRender(); // as if the camera had gone along
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    body.position.x = 0;
    return { slept, farthest, woke: !cloth!.paused };
  },
  read() {
    const { array } = cloth!.geometry.getAttribute('position') as BufferAttribute;
    return { gpu: Array.from(captureVertices(renderer, scene, cloth as Mesh, 'transformed')), cpu: Array.from(array) };
  },
  async rate(frames) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    for (let k = 0; k < frames; k++) {
      page.step(k);
      page.draw(2.6);
      await new Promise(requestAnimationFrame);
    }
    return (1000 * frames) / (performance.now() - start);
  },
  async time(frames) {
    const before = { ...cloth!.spent };
    const [copies, uploads, draws]: number[][] = [[], [], []];
    for (let k = 0; k < frames; k++) {
      const start = performance.now();
      const own = total(cloth!);
      page.step(k);
      const updated = performance.now();
      drawAndWait();
      const drawn = performance.now();
      drawAndWait();
      const again = performance.now() - drawn;
      copies.push(updated - start - (cloth!.inWorker ? 0 : total(cloth!) - own));
      uploads.push(drawn - updated - again); // a second picture of the same cloth uploads nothing
      draws.push(again);
      await new Promise((resolve) => setTimeout(resolve, 0)); // a worker's answer may arrive
    }
    const { spent } = cloth!;
    const of = (stage: keyof typeof spent) => (spent[stage] - before[stage]) / frames;
    return {
      coarse: of('coarse'),
      detail: of('detail'),
      normals: of('normals'),
      copy: median(copies),
      upload: Math.max(0, median(uploads)),
      draw: median(draws),
    };
  },
};
Object.assign(globalThis, page);
