/**
 * Light on a posed surface without anything traced: what spheres block of it, in spherical harmonics (docs/light.md). Each
 * vertex has a frame, that of its heaviest bone, in which directions are fixed and results are given: turning everything
 * changes nothing.
 */
import { PliantError } from '../error.ts';
import { kernelsAvailable, loadKernels } from '../kernels/load.ts';
import { cosineLobe, hemisphereLobe, ShRotation, shCount, shRotation } from '../math/spherical-harmonics.ts';
import { choiceOption, integerOption, type OptionsOf, resolveOptions } from '../model/options.ts';
import { type BaseArrays, baseArrays } from './base-arrays.ts';
import { blockTwin } from './base-twin.ts';
import { addBounces, BOUNCE_FACTORS } from './bounces.ts';
import type { PosedSpheres } from './pose-spheres.ts';

/** Which frame each of the N vertices has, how many frames and how many spheres there are at most. */
export interface BaseLayout {
  /** N: vertex → frame, 0 … groups − 1. */
  groupOf: ArrayLike<number>;
  groups: number;
  spheres: number;
}

/** Options of `LightBase`. */
export const BASE_OPTIONS = {
  order: integerOption(5, { min: 1, max: 6 }, 'bands of spherical harmonics: 5 are 25 coefficients'),
  directions: integerOption(
    64,
    { min: 16, max: 4096 },
    'directions along which light is looked at; a multiple of four',
  ),
  kernel: choiceOption('auto', ['auto', 'wasm', 'typescript'], 'code that runs: WebAssembly or its twin'),
} as const;

/** Settings of `LightBase`. */
export type BaseOptions = OptionsOf<typeof BASE_OPTIONS>;

/** Where results go: N × C each, C = order². */
export interface BaseResult {
  /** Diffuse transfer t, per vertex in its frame: radiance / albedo = t · L. */
  transfer: Float32Array;
  /** h = ∫ V [n·ω > 0] y dω, for gloss. */
  visibility?: Float32Array;
}

/** Computes the light on one surface again and again; nothing is allocated per pose. */
export class LightBase {
  readonly order: number;
  readonly kernel: 'wasm' | 'typescript';
  /** 25: how bounces follow from direct light (`BOUNCE_FACTORS`); none when undefined. */
  bounceFactors: ArrayLike<number> | undefined = BOUNCE_FACTORS;
  readonly #arrays: BaseArrays;
  readonly #block: (spheres: number, hidden: boolean) => void;
  readonly #spheres: number;
  readonly #lobe: Float64Array;

  constructor(layout: BaseLayout, options: Partial<BaseOptions> = {}) {
    const { order, directions, kernel } = resolveOptions(BASE_OPTIONS, options, 'LightBase');
    if (directions % 4 !== 0) {
      const cause = `(got ${directions}, expected a multiple of four)`;
      throw new PliantError('bad-option', 'LightBase', cause, { option: 'directions' });
    }
    const { groupOf, groups, spheres } = layout;
    for (let i = 0; i < groupOf.length; i++) {
      if (groupOf[i] >= 0 && groupOf[i] < groups) continue;
      throw badInput(`vertex ${i} has frame ${groupOf[i]} (expected < ${groups})`);
    }
    if (kernel === 'wasm' && !kernelsAvailable(false)) {
      throw new PliantError('unsupported', 'LightBase', 'kernel wasm is not available (got a host without SIMD)');
    }
    const sizes = {
      vertices: groupOf.length,
      groups,
      directions,
      spheres: 4 * Math.ceil(spheres / 4),
      width: 4 * Math.ceil(shCount(order) / 4),
    };
    this.order = order;
    this.#spheres = spheres;
    this.#lobe = new Float64Array(shCount(order));
    const arrays = baseArrays(sizes, order, groupOf, kernel !== 'typescript' && kernelsAvailable(false));
    this.#arrays = arrays;
    if ('buffer' in arrays.memory) {
      const { lightBlock } = loadKernels(arrays.memory);
      this.kernel = 'wasm';
      this.#block = (count, hidden) => lightBlock(arrays.table, count, arrays.cell, hidden);
    } else {
      this.kernel = 'typescript';
      this.#block = (count, hidden) => blockTwin(arrays, count, hidden);
    }
  }

  /**
   * Transfer and visibility at every vertex of a pose.
   *
   * @param positions 3N, posed. @param normals 3N, of length 1. @param frames 9 per frame: rotations, frame → pose, row-major.
   */
  run(
    positions: ArrayLike<number>,
    normals: ArrayLike<number>,
    { count, balls, opacities }: PosedSpheres,
    frames: ArrayLike<number>,
    out: BaseResult,
  ): void {
    const arrays = this.#arrays;
    const { sizes } = arrays;
    const { vertices: n, groups } = sizes;
    const size = shCount(this.order);
    requireLength('positions', positions, 3 * n);
    requireLength('normals', normals, 3 * n);
    requireLength('frames', frames, 9 * groups);
    requireLength('transfer', out.transfer, n * size);
    if (out.visibility) requireLength('visibility', out.visibility, n * size);
    if (count > this.#spheres) throw badInput(`${count} spheres (expected at most ${this.#spheres})`);
    this.#place(positions, balls, count);
    arrays.normals.set(normals);
    arrays.opacities.fill(0);
    arrays.opacities.set(opacities.subarray(0, count));
    turnDirections(arrays, frames);
    this.#block(count, out.visibility !== undefined);
    this.#finish(normals, frames, out);
  }

  /** Relative to the middle of the spheres: what is far from the origin keeps its digits. */
  #place(positions: ArrayLike<number>, balls: ArrayLike<number>, count: number): void {
    const arrays = this.#arrays;
    const middle = [0, 0, 0];
    for (let s = 0; s < count; s++) for (let c = 0; c < 3; c++) middle[c] += balls[4 * s + c] / count;
    const [x, y, z] = middle;
    for (let p = 0; p < positions.length; p += 3) {
      arrays.positions[p] = positions[p] - x;
      arrays.positions[p + 1] = positions[p + 1] - y;
      arrays.positions[p + 2] = positions[p + 2] - z;
    }
    const most = arrays.sizes.spheres;
    for (let s = 0; s < count; s++) {
      for (let c = 0; c < 3; c++) arrays.balls[c * most + s] = balls[4 * s + c] - middle[c];
      arrays.balls[3 * most + s] = balls[4 * s + 3];
    }
  }

  /** t = u − T with its bounces, h = the upper half − what is hidden. */
  #finish(normals: ArrayLike<number>, frames: ArrayLike<number>, { transfer, visibility }: BaseResult): void {
    const { sizes, groupOf, blocked, hidden } = this.#arrays;
    const { order, bounceFactors } = this;
    const size = shCount(order);
    const lobe = this.#lobe;
    for (let i = 0; i < sizes.vertices; i++) {
      const r = 9 * groupOf[i];
      const x = normals[3 * i];
      const y = normals[3 * i + 1];
      const z = normals[3 * i + 2];
      for (let c = 0; c < 3; c++) own[c] = frames[r + c] * x + frames[r + 3 + c] * y + frames[r + 6 + c] * z;
      cosineLobe(order, own, lobe);
      const from = i * sizes.width;
      const to = i * size;
      for (let c = 0; c < size; c++) transfer[to + c] = lobe[c] - blocked[from + c];
      if (bounceFactors) addBounces(order, transfer, to, blocked, from, bounceFactors);
      if (!visibility) continue;
      hemisphereLobe(order, own, lobe);
      for (let c = 0; c < size; c++) visibility[to + c] = lobe[c] - hidden[from + c];
    }
  }
}

const own = new Float64Array(3);

/** The directions of every frame, as they stand in the pose. */
function turnDirections({ sizes, directions, turned }: BaseArrays, frames: ArrayLike<number>): void {
  const { directions: k, groups } = sizes;
  for (let g = 0; g < groups; g++) {
    for (let row = 0; row < 3; row++) {
      const o = 9 * g + 3 * row;
      const to = (3 * g + row) * k;
      for (let q = 0; q < k; q++) {
        turned[to + q] =
          frames[o] * directions[3 * q] + frames[o + 1] * directions[3 * q + 1] + frames[o + 2] * directions[3 * q + 2];
      }
    }
  }
}

/** Vectors (N × order²) from the frames of their vertices to the space of the pose: D(R) each. May be done in place. */
export function turnVectors(
  order: number,
  vectors: Float32Array,
  groupOf: ArrayLike<number>,
  frames: ArrayLike<number>,
  out = new Float32Array(vectors.length),
): Float32Array {
  const size = shCount(order);
  const groups = frames.length / 9;
  const rotations = Array.from({ length: groups }, (_, g) =>
    shRotation(order, Array.prototype.slice.call(frames, 9 * g, 9 * g + 9), new ShRotation(order)),
  );
  for (let i = 0; i < groupOf.length; i++) rotations[groupOf[i]].apply(vectors, out, i * size, i * size);
  return out;
}

function requireLength(what: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length) throw badInput(`${what} (got ${values.length} numbers, expected ${length})`);
}

const badInput = (cause: string): PliantError => new PliantError('bad-input', 'LightBase', cause);
