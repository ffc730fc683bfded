import { DataUtils, DirectionalLight, Euler, HalfFloatType, Matrix4, type Texture, Vector3 } from 'three';
import { PliantError } from '../../../src/error.ts';
import { environmentSh } from '../../../src/light/environment.ts';
import { extractSuns, type Sun } from '../../../src/light/suns.ts';
import { shRotation } from '../../../src/math/spherical-harmonics.ts';
import { type EnvironmentMap, validateEnvironment } from '../../../src/model/environment.ts';
import type { CharacterSpheres } from './character-spheres.ts';
import { LIGHT_COEFFICIENTS } from './light-shader.ts';

/** Where light comes from: a map, a texture that HDRLoader or EXRLoader loaded, or 75 coefficients (order 5; red, green, blue). */
export type LightSource = EnvironmentMap | Texture | Float32Array;

/** How light is read from a map. */
export interface LightEnvironmentOptions {
  /** Makes small bright lights `suns` instead of soft light, which they would make ring. On unless told. */
  suns?: boolean;
}

const ORDER = 5;

/**
 * Soft light from far away, and all characters that stand in it: they shade each other. `rotation` and `intensity` may change
 * at any time.
 */
export class LightEnvironment {
  /** How the surroundings are turned, as `scene.environmentRotation`. */
  readonly rotation = new Euler();
  intensity = 1;
  /** Lights for what was too small and bright: add them to the scene, with shadows if wanted. */
  readonly suns: readonly DirectionalLight[];
  /** 25 · 3: the light as spherical harmonics, before it is turned; a colour per coefficient. */
  readonly coefficients: Float32Array;
  /** What shaders read: turned, with its intensity. */
  readonly turned: readonly Vector3[];
  readonly characters = new Set<CharacterSpheres>();
  readonly #sunDirections: readonly Sun[];
  readonly #used = { rotation: new Euler(), intensity: Number.NaN };

  constructor(source: LightSource, { suns = true }: LightEnvironmentOptions = {}) {
    const map = source instanceof Float32Array ? undefined : mapOf(source);
    const split = map && suns ? extractSuns(map) : { suns: [], rest: map };
    // Still too sharp for 25 numbers: windowed until no surface gets negative light.
    const planes = split.rest ? environmentSh(split.rest, ORDER, 'auto') : requireCoefficients(source as Float32Array);
    this.coefficients = Float32Array.from(planes, (_, c) => planes[(c % 3) * LIGHT_COEFFICIENTS + Math.floor(c / 3)]);
    this.turned = Array.from({ length: LIGHT_COEFFICIENTS }, () => new Vector3());
    this.#sunDirections = split.suns;
    this.suns = split.suns.map(sunLight);
    this.update();
  }

  /** Takes over rotation and intensity. Called before every picture. */
  update(): void {
    const { rotation, intensity } = this;
    if (this.#used.intensity === intensity && this.#used.rotation.equals(rotation)) return;
    this.#used.rotation.copy(rotation);
    this.#used.intensity = intensity;
    const { elements: m } = turn.makeRotationFromEuler(rotation);
    const turned = shRotation(ORDER, [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]]);
    for (let c = 0; c < 3; c++) {
      for (let q = 0; q < LIGHT_COEFFICIENTS; q++) plane[q] = intensity * this.coefficients[3 * q + c];
      turned.apply(plane, plane);
      for (let q = 0; q < LIGHT_COEFFICIENTS; q++) this.turned[q].setComponent(c, plane[q]);
    }
    this.suns.forEach((light, s) => {
      light.position
        .fromArray(this.#sunDirections[s].direction)
        .applyMatrix4(turn)
        .multiplyScalar(light.userData.distance);
      light.intensity = intensity * light.userData.irradiance;
    });
  }
}

const turn = new Matrix4();
const plane = new Float64Array(LIGHT_COEFFICIENTS);

/** Metres to a directional light: where its shadow camera stands. */
const SUN_DISTANCE = 10;

function sunLight({ irradiance }: Sun): DirectionalLight {
  const light = new DirectionalLight();
  const most = Math.max(...irradiance);
  light.color.setRGB(irradiance[0] / most, irradiance[1] / most, irradiance[2] / most);
  light.name = 'sun';
  light.userData = { irradiance: most, distance: SUN_DISTANCE };
  return light;
}

function requireCoefficients(given: Float32Array): Float32Array {
  if (given.length === 3 * LIGHT_COEFFICIENTS && given.every(Number.isFinite)) return given;
  const cause = `light (got ${given.length} coefficients, expected ${3 * LIGHT_COEFFICIENTS} finite ones)`;
  throw new PliantError('bad-input', 'useLight', cause);
}

/** The pixels of an equirectangular texture, the top row first. */
function mapOf(source: EnvironmentMap | Texture): EnvironmentMap {
  if ('pixels' in source) {
    validateEnvironment(source, 'useLight');
    return source;
  }
  const image = source?.image as { data?: ArrayLike<number>; width: number; height: number } | undefined;
  if (!image?.data) {
    const cause =
      'the environment (got no pixels, expected an equirectangular DataTexture of floats, as HDRLoader loads, an EnvironmentMap or coefficients)';
    throw new PliantError('bad-input', 'useLight', cause);
  }
  const { data, width, height } = image;
  const channels = data.length / (width * height);
  const half = source.type === HalfFloatType;
  const pixels = new Float32Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = source.flipY ? row : height - 1 - row;
    for (let column = 0; column < width; column++) {
      for (let c = 0; c < 3; c++) {
        const value = data[channels * (from * width + column) + Math.min(c, channels - 1)];
        pixels[3 * (row * width + column) + c] = half ? DataUtils.fromHalfFloat(value) : value;
      }
    }
  }
  const map = { width, height, pixels };
  validateEnvironment(map, 'useLight');
  return map;
}
