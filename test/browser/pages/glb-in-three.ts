import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  FloatType,
  type InterleavedBufferAttribute,
  type Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { loadInThree, type ThreeScene, threePosition } from '../../three-scene.ts';

/**
 * Loads a GLB with three.js and says where its vertices are: as three.js computes it on the CPU, and as its shaders do
 * on the GPU. For the latter every vertex becomes a triangle over one pixel of a float target, whose colour is the
 * position that three.js's own skinning and morphing chunks arrived at.
 */

const WIDTH = 64;

let loaded: ThreeScene;
const renderer = new WebGLRenderer();
const camera = new OrthographicCamera();

/** Each vertex three times, for the corners of its triangle. */
function tripled(geometry: BufferGeometry): BufferGeometry {
  const triple = (given: BufferAttribute | InterleavedBufferAttribute): BufferAttribute => {
    const from = ('isInterleavedBufferAttribute' in given ? given.clone() : given) as BufferAttribute;
    const { array, itemSize, normalized, count } = from;
    const out = new (array.constructor as Float32ArrayConstructor)(3 * array.length);
    for (let i = 0; i < count; i++) {
      const element = array.subarray(itemSize * i, itemSize * (i + 1)) as Float32Array;
      for (let corner = 0; corner < 3; corner++) out.set(element, itemSize * (3 * i + corner));
    }
    return new BufferAttribute(out, itemSize, normalized);
  };
  const out = new BufferGeometry();
  for (const name of ['position', 'skinIndex', 'skinWeight']) {
    const attribute = geometry.getAttribute(name);
    if (attribute) out.setAttribute(name, triple(attribute));
  }
  const targets = geometry.morphAttributes.position;
  if (targets) out.morphAttributes.position = targets.map(triple);
  out.morphTargetsRelative = geometry.morphTargetsRelative;
  return out;
}

function captureMaterial(height: number): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: DoubleSide, depthTest: false, toneMapped: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'varying vec3 vCaptured;\nvoid main() {')
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
        vCaptured = (modelMatrix * vec4(transformed, 1.0)).xyz;
        int id = gl_VertexID / 3;
        int corner = gl_VertexID % 3;
        vec2 pixel = vec2(id % ${WIDTH}, id / ${WIDTH}) + vec2(corner == 1 ? 1.5 : 0.0, corner == 2 ? 1.5 : 0.0);
        gl_Position = vec4(2.0 * pixel / vec2(${WIDTH}.0, ${height}.0) - 1.0, 0.0, 1.0);`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', 'varying vec3 vCaptured;\nvoid main() {')
      .replace('#include <dithering_fragment>', 'gl_FragColor = vec4(vCaptured, 1.0);');
  };
  return material;
}

function positionsOnGpu(mesh: Mesh): number[] {
  const { geometry, material } = mesh;
  const count = geometry.getAttribute('position').count;
  const height = Math.ceil(count / WIDTH);
  const target = new WebGLRenderTarget(WIDTH, height, { type: FloatType, depthBuffer: false });
  mesh.geometry = tripled(geometry);
  mesh.material = captureMaterial(height);
  mesh.frustumCulled = false;
  const others = loaded.meshes.filter((other) => other !== mesh);
  for (const other of others) other.visible = false;
  const scene = new Scene();
  scene.add(loaded.scene);
  renderer.setRenderTarget(target);
  renderer.setClearColor(0, 0);
  renderer.clear();
  renderer.render(scene, camera);
  const pixels = new Float32Array(4 * WIDTH * height);
  renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, pixels);
  for (const other of others) other.visible = true;
  mesh.geometry.dispose();
  mesh.geometry = geometry;
  mesh.material = material;
  target.dispose();
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    if (pixels[4 * i + 3] !== 1) throw new Error(`vertex ${i} was not drawn`);
    out.push(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
  }
  return out;
}

function positionsOnCpu(mesh: Mesh): number[] {
  const point = new Vector3();
  const count = mesh.geometry.getAttribute('position').count;
  return Array.from({ length: count }, (_, i) => [...threePosition(mesh, i, point)]).flat();
}

Object.assign(globalThis, {
  async load(base64: string) {
    loaded = await loadInThree(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    return { clips: loaded.animations.map(({ name }) => name), meshes: loaded.meshes.length };
  },
  /** World positions of every mesh while a clip is at time t. */
  pose(clip: string, t: number) {
    loaded.pose(loaded.animations.find(({ name }) => name === clip)!, t);
    return loaded.meshes.map((mesh) => ({ cpu: positionsOnCpu(mesh), gpu: positionsOnGpu(mesh) }));
  },
});
