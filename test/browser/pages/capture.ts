import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  FloatType,
  type InterleavedBufferAttribute,
  type Material,
  type Mesh,
  MeshBasicMaterial,
  type Object3D,
  OrthographicCamera,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

/**
 * What a vertex shader of three.js computes, read back as numbers: every vertex becomes a triangle over one pixel of a
 * float target, whose colour is the value.
 */

const WIDTH = 64;
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
  for (const [name, attribute] of Object.entries(geometry.attributes)) out.setAttribute(name, triple(attribute));
  const targets = geometry.morphAttributes.position;
  if (targets) out.morphAttributes.position = targets.map(triple);
  out.morphTargetsRelative = geometry.morphTargetsRelative;
  return out;
}

/**
 * Nothing is seen of a material's own fragment shader, which takes long to compile: here are only the places where useLight
 * adds to it.
 */
const CAPTURED = `
#include <common>
#include <normal_pars_fragment>
varying vec3 vCaptured;
void main() {
  gl_FragColor = vec4(vCaptured, 1.0);
  #if 0
    #include <lights_fragment_maps>
  #endif
}`;

/** A material that draws each vertex of a tripled geometry as a pixel of colour `value`. */
export function captureMaterial(vertices: number, value: string): MeshBasicMaterial;
export function captureMaterial<M extends Material>(vertices: number, value: string, material: M): M;
export function captureMaterial(
  vertices: number,
  value: string,
  material: Material = new MeshBasicMaterial(),
): Material {
  const height = Math.ceil(vertices / WIDTH);
  Object.assign(material, { side: DoubleSide, depthTest: false, toneMapped: false });
  material.customProgramCacheKey = () => `${height} ${value}`;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'varying vec3 vCaptured;\nvoid main() {')
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
        vCaptured = ${value};
        int id = gl_VertexID / 3;
        int corner = gl_VertexID % 3;
        vec2 pixel = vec2(id % ${WIDTH}, id / ${WIDTH}) + vec2(corner == 1 ? 1.5 : 0.0, corner == 2 ? 1.5 : 0.0);
        gl_Position = vec4(2.0 * pixel / vec2(${WIDTH}.0, ${height}.0) - 1.0, 0.0, 1.0);`,
      );
    shader.fragmentShader = CAPTURED;
  };
  return material;
}

/**
 * `value`, an expression of the vertex shader (a vec3), at each of the N vertices of a mesh in `scene`: 3N numbers. The
 * material `capturing` may be one that others use too, or that is used again: shaders take long to compile.
 */
export function captureVertices(
  renderer: WebGLRenderer,
  scene: Object3D,
  mesh: Mesh,
  value: string,
  capturing?: Material,
): Float32Array {
  const { geometry, material, frustumCulled } = mesh;
  const count = geometry.getAttribute('position').count;
  const height = Math.ceil(count / WIDTH);
  const target = new WebGLRenderTarget(WIDTH, height, { type: FloatType, depthBuffer: false });
  const others: Object3D[] = [];
  scene.traverse((other) => {
    if ((other as Mesh).isMesh && other !== mesh && other.visible) others.push(other);
  });
  for (const other of others) other.visible = false;
  mesh.geometry = tripled(geometry);
  const own = capturing ? undefined : captureMaterial(count, value);
  mesh.material = capturing ?? own!;
  mesh.frustumCulled = false;
  renderer.setRenderTarget(target);
  renderer.setClearColor(0, 0);
  renderer.clear();
  renderer.render(scene, camera);
  const pixels = new Float32Array(4 * WIDTH * height);
  renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, pixels);
  renderer.setRenderTarget(null);
  for (const other of others) other.visible = true;
  mesh.geometry.dispose();
  own?.dispose();
  Object.assign(mesh, { geometry, material, frustumCulled });
  target.dispose();
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    if (pixels[4 * i + 3] !== 1) throw new Error(`vertex ${i} was not drawn`);
    out.set(pixels.subarray(4 * i, 4 * i + 3), 3 * i);
  }
  return out;
}
