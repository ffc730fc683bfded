import {
  BufferGeometry,
  FloatType,
  GLSL3,
  Matrix4,
  type Mesh,
  NearestFilter,
  OrthographicCamera,
  Points,
  Scene,
  ShaderMaterial,
  type Skeleton,
  type SkinnedMesh,
  type Texture,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { type Disposable, skinMaterial } from '../material.ts';
import { skinnings } from '../skinnings.ts';
import {
  LIT_TEXELS,
  type LightUniforms,
  type LightWay,
  lightCall,
  lightFunctions,
  litVectors,
} from './light-material.ts';
import { renderAside } from './render-aside.ts';

/**
 * The light of a mesh's vertices, once each, in textures: every vertex is a point of one pixel. Worth its textures where the
 * vertex shader would run more often, with many cameras or triangles in a poor order.
 */

/** Vertices in a row of the textures. */
const WIDTH = 256;

/** Points that three.js skins as it does a mesh. */
class SkinnedPoints extends Points {
  isSkinnedMesh = false;
  skeleton: Skeleton | undefined;
  bindMatrix = new Matrix4();
  bindMatrixInverse = new Matrix4();
}

export class LightPass {
  readonly #mesh: Mesh;
  readonly #points: SkinnedPoints;
  readonly #material: ShaderMaterial;
  readonly #scene = new Scene();
  #target: WebGLRenderTarget | undefined;
  #geometry: BufferGeometry | undefined;
  #skin: Disposable | undefined;
  #skinned: unknown;

  constructor(mesh: Mesh, way: LightWay, uniforms: LightUniforms) {
    this.#mesh = mesh;
    const { pliantLit, ...read } = uniforms;
    this.#material = new ShaderMaterial({
      glslVersion: GLSL3,
      uniforms: { ...read, pliantHeight: { value: 1 } },
      vertexShader: vertexShader(way),
      fragmentShader: FRAGMENT,
      depthTest: false,
      depthWrite: false,
    });
    this.#points = new SkinnedPoints(new BufferGeometry(), this.#material);
    this.#points.frustumCulled = false;
    this.#points.matrixWorldAutoUpdate = false;
    this.#scene.add(this.#points);
  }

  /** Where the results are. */
  get textures(): readonly Texture[] {
    return this.#target?.textures ?? [];
  }

  /** Computes the light of the vertices as they are posed. The skeleton must be up to date. */
  run(renderer: WebGLRenderer): void {
    const mesh = this.#mesh;
    this.#followGeometry();
    this.#followSkinning();
    const points = this.#points;
    points.matrixWorld.copy(mesh.matrixWorld);
    points.morphTargetInfluences = mesh.morphTargetInfluences;
    points.morphTargetDictionary = mesh.morphTargetDictionary;
    const skinned = mesh as SkinnedMesh;
    points.isSkinnedMesh = skinned.isSkinnedMesh === true;
    if (points.isSkinnedMesh) {
      points.skeleton = skinned.skeleton;
      points.bindMatrix.copy(skinned.bindMatrix);
      points.bindMatrixInverse.copy(skinned.bindMatrixInverse);
    }
    renderAside(renderer, this.#scene, camera, this.#target!);
  }

  /** The attributes of the mesh without its index: each vertex once. */
  #followGeometry(): void {
    const { geometry } = this.#mesh;
    if (geometry === this.#geometry) return;
    this.#geometry = geometry;
    this.#target?.dispose();
    const { count } = geometry.getAttribute('position');
    const height = Math.ceil(count / WIDTH);
    this.#target = new WebGLRenderTarget(WIDTH, height, {
      count: LIT_TEXELS,
      type: FloatType,
      minFilter: NearestFilter,
      magFilter: NearestFilter,
      depthBuffer: false,
    });
    this.#material.uniforms.pliantHeight.value = height;
    const own = new BufferGeometry();
    for (const [name, attribute] of Object.entries(geometry.attributes)) own.setAttribute(name, attribute);
    own.morphAttributes = geometry.morphAttributes;
    own.morphTargetsRelative = geometry.morphTargetsRelative;
    this.#points.geometry.dispose();
    this.#points.geometry = own;
  }

  /** Blends bones as `useSkinning` does for the mesh. */
  #followSkinning(): void {
    const skinning = skinnings.get(this.#mesh as SkinnedMesh);
    if (skinning === this.#skinned) return;
    this.#skin?.dispose();
    this.#skinned = skinning;
    this.#skin = skinning && skinMaterial(this.#material, skinning.operator, skinning);
  }

  dispose(): void {
    this.#skin?.dispose();
    this.#target?.dispose();
    this.#points.geometry.dispose();
    this.#material.dispose();
  }
}

const camera = new OrthographicCamera();

const vertexShader = (way: LightWay): string => `
#include <common>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
uniform float pliantHeight;
${lightFunctions(way)}
${Array.from({ length: LIT_TEXELS }, (_, q) => `flat out vec4 vLit${q};`).join('\n')}

void main() {
	#include <morphinstance_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	${lightCall(way)}
	${litVectors((q, value) => `vLit${q} = ${value};`)}
	vec2 pixel = vec2( gl_VertexID % ${WIDTH}, gl_VertexID / ${WIDTH} ) + 0.5;
	gl_Position = vec4( 2.0 * pixel / vec2( ${WIDTH}.0, pliantHeight ) - 1.0, 0.0, 1.0 );
	gl_PointSize = 1.0;
}
`;

const FRAGMENT = `
${Array.from({ length: LIT_TEXELS }, (_, q) => `flat in vec4 vLit${q};\nlayout( location = ${q} ) out vec4 lit${q};`).join('\n')}
void main() {
	${Array.from({ length: LIT_TEXELS }, (_, q) => `lit${q} = vLit${q};`).join('\n\t')}
}
`;
