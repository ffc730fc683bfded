import { type Mesh, Scene, Vector3, WebGLRenderer } from 'three';
import { loadInThree, type ThreeScene, threePosition } from '../../three-scene.ts';
import { captureVertices } from './capture.ts';

/**
 * Loads a GLB with three.js and says where its vertices are: as three.js computes it on the CPU, and as its shaders do
 * on the GPU.
 */

let loaded: ThreeScene;
const scene = new Scene();
const renderer = new WebGLRenderer();

function positionsOnCpu(mesh: Mesh): number[] {
  const point = new Vector3();
  const count = mesh.geometry.getAttribute('position').count;
  return Array.from({ length: count }, (_, i) => [...threePosition(mesh, i, point)]).flat();
}

const positionsOnGpu = (mesh: Mesh): number[] =>
  Array.from(captureVertices(renderer, scene, mesh, '(modelMatrix * vec4(transformed, 1.0)).xyz'));

Object.assign(globalThis, {
  async load(base64: string) {
    loaded = await loadInThree(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    scene.clear().add(loaded.scene);
    return { clips: loaded.animations.map(({ name }) => name), meshes: loaded.meshes.length };
  },
  /** World positions of every mesh while a clip is at time t. */
  pose(clip: string, t: number) {
    loaded.pose(loaded.animations.find(({ name }) => name === clip)!, t);
    return loaded.meshes.map((mesh) => ({ cpu: positionsOnCpu(mesh), gpu: positionsOnGpu(mesh) }));
  },
});
