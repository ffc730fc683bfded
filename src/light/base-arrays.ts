/** The numbers of `LightBase` as its passes read them, in a memory that the kernel and its twin share. */
import { bufferOf, type KernelMemory, kernelMemoryOrBuffer } from '../kernels/load.ts';
import { type ArraysOf, Places, placeArrays, type Slot, viewArrays } from '../kernels/places.ts';
import { evaluateSh, shCount } from '../math/spherical-harmonics.ts';
import { fibonacciDirections } from './directions.ts';

/** Numbers of a sphere as seen from a vertex: t = x y z · ω + b, and how much it blocks, w. */
export const SEEN = 8;

/** How much there is. */
export interface BaseSizes {
  /** N. */
  vertices: number;
  /** G frames, of which each vertex has one. */
  groups: number;
  /** K, a multiple of four. */
  directions: number;
  /** The most spheres, a multiple of four. */
  spheres: number;
  /** C, with zeros up to a multiple of four. */
  width: number;
}

function slotsOf({ vertices: n, groups, directions: k, spheres: s, width }: BaseSizes) {
  return {
    // The order of kernels/assembly/light-table.ts, which has the meaning of each.
    positions: [Float32Array, 3 * n],
    normals: [Float32Array, 3 * n],
    groupOf: [Uint32Array, n],
    turned: [Float32Array, 3 * k * groups],
    harmonics: [Float32Array, k * width],
    balls: [Float32Array, 4 * s],
    opacities: [Float32Array, s],
    lanes: [Float32Array, 4 * SEEN],
    seen: [Float32Array, SEEN * s],
    // x y z, cosine, horizon and number of the directions that a vertex can see.
    active: [Float32Array, 6 * (k + 4)],
    blocked: [Float32Array, n * width],
    hidden: [Float32Array, n * width],
  } as const satisfies Record<string, Slot>;
}

export interface BaseArrays extends ArraysOf<ReturnType<typeof slotsOf>> {
  sizes: BaseSizes;
  memory: KernelMemory;
  /** Byte offset of the table that the kernel reads. */
  table: number;
  /** 3K: the directions in a vertex's own frame. */
  directions: Float64Array;
  /** ρ: the radius of a direction's cell. */
  cell: number;
}

export function baseArrays(sizes: BaseSizes, order: number, groupOf: ArrayLike<number>, simd: boolean): BaseArrays {
  const { directions: k, width } = sizes;
  const slots = slotsOf(sizes);
  const places = new Places();
  const offsets = placeArrays(slots, places);
  const cell = 2 / Math.sqrt(k);
  const counts = Object.values(sizes);
  const fields = Object.values(offsets);
  const table = places.take(4 * (counts.length + fields.length));
  const memory = kernelMemoryOrBuffer(places.bytes, simd);
  new Int32Array(bufferOf(memory), table, counts.length + fields.length).set([...counts, ...fields]);
  const arrays = { ...viewArrays(slots, offsets, bufferOf(memory)), sizes, memory, table, cell };
  arrays.groupOf.set(groupOf);
  const directions = fibonacciDirections(k);
  const values = new Float64Array(shCount(order));
  for (let q = 0; q < k; q++) {
    evaluateSh(order, directions[3 * q], directions[3 * q + 1], directions[3 * q + 2], values);
    arrays.harmonics.set(values, q * width);
  }
  return { ...arrays, directions };
}
