import {
  CustomBlending,
  DstColorFactor,
  FloatType,
  HalfFloatType,
  LinearFilter,
  Mesh,
  OneFactor,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
  ZeroFactor,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { BOUNCE_FACTORS } from '../../../src/light/bounces.ts';
import { FLOOR_OPTIONS, type FloorOptions as SharedOptions } from '../../../src/light/floor.ts';
import { resolveOptions } from '../../../src/model/options.ts';
import type { CharacterSpheres } from './character-spheres.ts';
import type { LightEnvironment } from './light-environment.ts';
import { CHARACTER_SPHERES, DIRECTION_BLOCK, LIGHT_BANDS, LIGHT_UNIFORMS, lightFunction } from './light-shader.ts';
import { renderAside } from './render-aside.ts';
import { SphereTexture } from './sphere-texture.ts';

/** Settings of a shaded floor. */
export interface FloorOptions extends Partial<SharedOptions> {
  /** Where it lies (y); unless told, below the lowest sphere of the character when light is made. */
  height?: number;
  /** Whether it moves along with the character. On unless told. */
  follow?: boolean;
  /** Spheres that shade it, at most. */
  spheres?: number;
}

/** How high above the floor the sheet lies, in its own sizes: above what is drawn there. */
const LIFT = 5e-4;
/** Radii of the character that the floor is wide. */
const WIDE = 4;

/**
 * A sheet over a floor that darkens what was drawn below it by what all characters of an environment take from its light. The
 * shade is computed for a grid of points whenever the sheet is drawn. One for an environment is enough: two would darken twice.
 */
export class LightFloor extends Mesh<PlaneGeometry, ShaderMaterial> {
  readonly height: number;
  follow: boolean;
  readonly #character: CharacterSpheres;
  readonly #environment: LightEnvironment;
  readonly #spheres: SphereTexture;
  readonly #target: WebGLRenderTarget;
  readonly #pass: ShaderMaterial;
  readonly #scene = new Scene();

  constructor(character: CharacterSpheres, environment: LightEnvironment, options: FloorOptions) {
    const { height, follow = true, spheres = Math.max(128, character.posed.count), ...given } = options;
    const { directions, resolution, size } = resolveOptions(FLOOR_OPTIONS, given, 'useLight');
    if (directions % DIRECTION_BLOCK !== 0) {
      const cause = `(got ${directions}, expected a multiple of ${DIRECTION_BLOCK})`;
      throw new PliantError('bad-option', 'useLight', cause, { option: 'floor.directions' });
    }
    const side = size > 0 ? size : WIDE * character.radius;
    const target = new WebGLRenderTarget(resolution, resolution, {
      // Half floats can be filtered everywhere.
      type: HalfFloatType,
      minFilter: LinearFilter,
      magFilter: LinearFilter,
      depthBuffer: false,
    });
    super(new PlaneGeometry(side, side).rotateX(-Math.PI / 2), sheetMaterial(target));
    this.name = 'floor shade';
    this.height = height ?? lowestOf(character);
    this.follow = follow;
    this.renderOrder = -1; // Before other transparent things.
    this.#character = character;
    this.#environment = environment;
    this.#target = target;
    this.#spheres = new SphereTexture(spheres);
    this.#pass = new ShaderMaterial({
      vertexShader: 'varying vec2 vAt; void main() { vAt = position.xy; gl_Position = vec4( position.xy, 0.0, 1.0 ); }',
      fragmentShader: floorShader(directions),
      uniforms: {
        pliantSpheres: { value: this.#spheres.texture },
        pliantSphereCount: { value: 0 },
        pliantSh: { value: environment.turned },
        pliantBounces: { value: new Float32Array(BOUNCE_FACTORS.length) },
        pliantCentre: { value: new Vector3() },
        pliantHalf: { value: side / 2 },
      },
      depthTest: false,
      depthWrite: false,
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), this.#pass);
    quad.frustumCulled = false;
    this.#scene.add(quad);
    this.#place();
    this.onBeforeRender = (renderer) => this.#shade(renderer as WebGLRenderer);
    this.raycast = () => {};
  }

  /** What is left of the light, red, green and blue, of a grid of points: a texture, x along its rows, z up. */
  get shade(): WebGLRenderTarget['texture'] {
    return this.#target.texture;
  }

  /** The same as numbers, for tests and pictures: 4 per point. */
  readShade(renderer: WebGLRenderer): Float32Array {
    const { width, height } = this.#target;
    const exact = this.#target.clone();
    exact.texture.type = FloatType;
    this.#update();
    renderAside(renderer, this.#scene, camera, exact);
    const pixels = new Float32Array(4 * width * height);
    renderer.readRenderTargetPixels(exact, 0, 0, width, height, pixels);
    exact.dispose();
    return pixels;
  }

  #place(): void {
    const { x, z } = this.#character.centre;
    this.position.set(x, this.height + LIFT * this.geometry.parameters.width, z);
    this.updateMatrix();
  }

  #update(): void {
    const { uniforms } = this.#pass;
    this.#environment.update();
    for (const character of this.#environment.characters) character.pose();
    // In the place of the scene: what is drawn later than it is moved would lag behind.
    if (this.follow && (!this.parent || this.parent.type === 'Scene')) {
      this.#place();
      this.matrixWorld.copy(this.matrix);
    }
    this.#spheres.update(this.#character, this.#environment.characters);
    uniforms.pliantSphereCount.value = this.#spheres.count;
    uniforms.pliantCentre.value.setFromMatrixPosition(this.matrixWorld).setY(this.height);
  }

  #shade(renderer: WebGLRenderer): void {
    this.#update();
    renderAside(renderer, this.#scene, camera, this.#target);
  }

  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.removeFromParent();
    this.#target.dispose();
    this.#spheres.dispose();
    this.#pass.dispose();
    for (const child of this.#scene.children) (child as Mesh).geometry.dispose();
    this.geometry.dispose();
    this.material.dispose();
  }
}

const camera = new OrthographicCamera();

function lowestOf({ posed: { count, balls } }: CharacterSpheres): number {
  let low = Infinity;
  for (let s = 0; s < count; s++) low = Math.min(low, balls[4 * s + 1] - balls[4 * s + 3]);
  return low;
}

const sheetMaterial = (target: WebGLRenderTarget): ShaderMaterial =>
  new ShaderMaterial({
    uniforms: { shade: { value: target.texture } },
    vertexShader: `
varying vec2 vAt;
void main() {
	vAt = vec2( uv.x, 1.0 - uv.y );
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,
    fragmentShader: `
uniform sampler2D shade;
varying vec2 vAt;
void main() {
	gl_FragColor = vec4( texture2D( shade, vAt ).rgb, 1.0 );
	#include <colorspace_fragment>
}`,
    blending: CustomBlending,
    blendSrc: DstColorFactor,
    blendDst: ZeroFactor,
    blendSrcAlpha: ZeroFactor,
    blendDstAlpha: OneFactor,
    depthWrite: false,
    toneMapped: false,
    transparent: true,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });

const floorShader = (directions: number): string => `
${LIGHT_UNIFORMS}${CHARACTER_SPHERES}${LIGHT_BANDS}${lightFunction(directions, false)}
uniform vec3 pliantCentre;
uniform float pliantHalf;
varying vec2 vAt;
void main() {
	vec3 n = vec3( 0.0, 1.0, 0.0 );
	vec3 light = pliantLight( pliantCentre + pliantHalf * vec3( vAt.x, 0.0, vAt.y ), n, mat3( 1.0 ) ).light.rgb;
	vec3 left = clamp( light / max( pliantUnshadowed( n ), vec3( 1e-6 ) ), 0.0, 1.0 );
	// Nothing to be seen of the border.
	float rim = smoothstep( 0.7, 1.0, length( vAt ) );
	gl_FragColor = vec4( mix( left, vec3( 1.0 ), rim ), 1.0 );
}
`;
