/**
 * An upsampler's numbers as its passes read them, in a memory that kernels and their twins share. Bytes are multiplied by their
 * scales, except those of the shapes, of which there are most: their scale is in what makes the coefficients.
 */
import { type KernelMemory, kernelsAvailable } from '../../kernels/load.ts';
import { type ArraysOf, type Slot, tabledArrays } from '../../kernels/places.ts';
import { PATCH_BODY_NUMBERS, type UpsamplerModel } from '../../model/trained-cloth.ts';
import { VECTOR } from '../detail-arrays.ts';
import type { Embedding } from '../embedding.ts';
import { byteScale } from './quantize.ts';

/** Numbers of a frame: the columns of R as vectors. */
export const FRAME = 3 * VECTOR;

const roundUp = (count: number, to: number): number => to * Math.ceil(count / to);

interface UpsamplerSizes {
  vertices: number;
  patches: number;
  /** With zeros up to a multiple of four, of four, and of eight. */
  inputs: number;
  centres: number;
  width: number;
}

function slotsOf({ vertices: n, patches: v, inputs: d, centres: e, width: m }: UpsamplerSizes, seen: number) {
  return {
    // The order of kernels/assembly/upsample-table.ts, which has the meaning of each.
    starts: [Uint32Array, v + 1],
    seen: [Float32Array, seen],
    directions: [Float32Array, seen * d],
    lows: [Float32Array, v * d],
    highs: [Float32Array, v * d],
    matrices: [Float32Array, v * (1 + d) * m],
    points: [Float32Array, v * d * e],
    blends: [Float32Array, v * e * m],
    z: [Float32Array, d],
    gaussians: [Float32Array, e],
    coefficients: [Float32Array, v * m],
    frames: [Float32Array, v * FRAME],
    hats: [Uint32Array, 3 * n],
    basis: [Int8Array, 9 * n * m],
    detail: [Float32Array, n * VECTOR],
  } as const satisfies Record<string, Slot>;
}

export interface UpsamplerArrays extends ArraysOf<ReturnType<typeof slotsOf>> {
  sizes: UpsamplerSizes;
  memory: KernelMemory;
  /** Byte offset of the table that kernels read. */
  table: number;
}

/** @param starts V + 1: where the numbers that each patch sees begin. */
export function upsamplerArrays(
  model: UpsamplerModel,
  { count, coarseCount: v, hats }: Embedding,
  starts: Uint32Array,
  simd: boolean = kernelsAvailable(false),
): UpsamplerArrays {
  const { inputs: d, centres: e, modes: m } = model;
  const sizes = {
    vertices: count,
    patches: v,
    inputs: roundUp(d, 4),
    centres: roundUp(e, 4),
    width: roundUp(m, 8),
  };
  const { inputs, centres, width } = sizes;
  const { arrays: views, memory, table } = tabledArrays(Object.values(sizes), slotsOf(sizes, starts[v]), simd);
  const arrays = { ...views, sizes, memory, table };

  arrays.starts.set(starts);
  arrays.hats.set(hats);
  for (let row = 0; row < 9 * count; row++) {
    arrays.basis.set(model.basis.subarray(row * m, (row + 1) * m), row * width);
  }
  for (let p = 0; p < v; p++) {
    const size = starts[p + 1] - starts[p];
    for (let q = 0; q < d; q++) {
      const of = p * d + q;
      const begin = d * starts[p] + q * size;
      for (let f = 0; f < size; f++) {
        const scale = model.directionScales[of] * model.scales[f < size - PATCH_BODY_NUMBERS ? 0 : 1];
        arrays.directions[(starts[p] + f) * inputs + q] = scale * model.directions[begin + f];
      }
      arrays.lows[p * inputs + q] = model.limits[2 * of];
      arrays.highs[p * inputs + q] = model.limits[2 * of + 1];
      for (let i = 0; i < e; i++) {
        arrays.points[(p * inputs + q) * centres + i] = model.pointScales[of] * model.points[(p * e + i) * d + q];
      }
    }
    for (let q = 0; q < m; q++) {
      for (let f = 0; f <= d; f++) {
        arrays.matrices[(p * (1 + inputs) + f) * width + q] = byteScale(model.matrices[(p * (1 + d) + f) * m + q]);
      }
      for (let i = 0; i < e; i++) {
        const blend = model.blendScales[p * m + q] * model.blends[(p * e + i) * m + q];
        arrays.blends[(p * centres + i) * width + q] = byteScale(blend);
      }
    }
  }
  return arrays;
}
