import { type Mesh, type MeshBasicMaterial, Scene, Texture, Vector3, WebGLRenderer } from 'three';
import { loadInThree, type ThreeScene, threePosition } from '../../three-scene.ts';
import { captureMaterial, captureVertices } from './capture.ts';

/**
 * Loads a GLB with three.js and says where its vertices are: as three.js computes it on the CPU, and as its shaders do
 * on the GPU.
 */

let loaded: ThreeScene;
const scene = new Scene();
const renderer = new WebGLRenderer();

function positionsOnCpu(mesh: Mesh): Float32Array {
  const point = new Vector3();
  const positions = new Float32Array(3 * mesh.geometry.getAttribute('position').count);
  for (let c = 0; c < positions.length; c += 3) threePosition(mesh, c / 3, point).toArray(positions, c);
  return positions;
}

const WORLD = '(modelMatrix * vec4(transformed, 1.0)).xyz';
/** Number of vertices → the material that captures them. */
const materials = new Map<number, MeshBasicMaterial>();

function positionsOnGpu(mesh: Mesh): Float32Array {
  const { count } = mesh.geometry.getAttribute('position');
  if (!materials.has(count)) materials.set(count, captureMaterial(count, WORLD));
  return captureVertices(renderer, scene, mesh, WORLD, materials.get(count));
}

const base64 = ({ buffer }: Float32Array): string =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''));

Object.assign(globalThis, {
  async load(glb: string) {
    loaded = await loadInThree(Uint8Array.from(atob(glb), (letter) => letter.charCodeAt(0)));
    scene.clear().add(loaded.scene);
    return { clips: loaded.animations.map(({ name }) => name), meshes: loaded.meshes.length };
  },
  /** Of every mesh: which pictures its material has, and by which uvs; which attributes its geometry has. */
  looks: () =>
    loaded.meshes.map(({ material, geometry }) => ({
      maps: Object.fromEntries(
        Object.entries(material).flatMap(([name, value]) =>
          value instanceof Texture && value.image ? [[name, value.channel]] : [],
        ),
      ),
      attributes: Object.keys(geometry.attributes).sort(),
    })),
  /** World positions of every mesh while a clip is at time t, 3N each: floats as base64. */
  pose(clip: string, t: number) {
    loaded.pose(loaded.animations.find(({ name }) => name === clip)!, t);
    return loaded.meshes.map((mesh) => ({ cpu: base64(positionsOnCpu(mesh)), gpu: base64(positionsOnGpu(mesh)) }));
  },
});
