/**
 * The shapes that the detail of a patch is made of. A patch is a coarse vertex v with the fine vertices j that hang on it,
 * β_jv > 0. Patches overlap and their hats sum to one, so that there are no seams:
 *
 *   x_j = b_j + Σ_v R_v B_jv c_v,   B_jv = √β_jv V_jv   (3 × m),
 *
 * where V_v are the m principal components (without mean: the prior is no detail) of √β_jv R_vᵀ (x_j − b_j) in the
 * examples. A shape is scaled to a largest number of 1 and stored in 1/127, so that c is in metres.
 */
import { gramOfRows } from '../../math/dense.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { Lists } from '../../mesh/adjacency.ts';
import type { Embedding } from '../embedding.ts';
import { byteScale, largestOf, toByte } from './quantize.ts';

/** The detail of one frame. */
export interface Detail {
  /** 3N: x − b. */
  world: Float32Array;
  /** 9V: of the embedding. */
  rotations: Float64Array;
}

/** B of all patches, and what takes coefficients from details. */
export interface Basis {
  /** 3N × 3 × m, in 1/127. */
  shapes: Int8Array;
  /** V × m: 1 / Σ B². */
  inverseSquares: Float64Array;
  modes: number;
}

/** Coarse vertex → the places 3j + s in `hats` where it holds a fine vertex. */
export function patchesOf({ hats, weights, coarseCount }: Embedding): Lists {
  const offsets = new Uint32Array(coarseCount + 1);
  hats.forEach((v, h) => {
    if (weights[h] > 0) offsets[v + 1]++;
  });
  for (let v = 0; v < coarseCount; v++) offsets[v + 1] += offsets[v];
  const items = new Uint32Array(offsets[coarseCount]);
  const next = offsets.slice();
  hats.forEach((v, h) => {
    if (weights[h] > 0) items[next[v]++] = h;
  });
  return { offsets, items };
}

export const emptyBasis = ({ count, coarseCount }: Embedding, modes: number): Basis => ({
  shapes: new Int8Array(9 * count * modes),
  inverseSquares: new Float64Array(coarseCount * modes),
  modes,
});

/** Sets B_v of one patch, whose places in the hats are `places`. Modes that the examples lack are zero. */
export function setPatchBasis(
  basis: Basis,
  places: Uint32Array,
  { weights }: Embedding,
  v: number,
  examples: readonly Detail[],
): void {
  const { shapes, inverseSquares, modes } = basis;
  const e = examples.length;
  const width = 3 * places.length;
  // (1) Rows √β Rᵀ (x − b), and their principal components by the smaller Gram matrix.
  const rows = new Float64Array(e * width);
  examples.forEach(({ world, rotations: r }, k) => {
    const m = 9 * v;
    places.forEach((h, p) => {
      const w = Math.sqrt(weights[h]);
      const o = 3 * Math.floor(h / 3);
      for (let c = 0; c < 3; c++) {
        rows[k * width + 3 * p + c] =
          w * (r[m + c] * world[o] + r[m + 3 + c] * world[o + 1] + r[m + 6 + c] * world[o + 2]);
      }
    });
  });
  const gram = gramOfRows(new Float64Array(e * e), rows, e, width);
  const { values, vectors } = symmetricEigen(gram, e);
  const component = new Float64Array(width);
  for (let q = 0; q < Math.min(modes, e); q++) {
    if (!(values[q] > 1e-12 * values[0])) break;
    component.fill(0);
    for (let k = 0; k < e; k++) {
      const s = vectors[q * e + k];
      for (let c = 0; c < width; c++) component[c] += s * rows[k * width + c];
    }
    // (2) B = √β V as bytes.
    for (let c = 0; c < width; c++) component[c] *= Math.sqrt(weights[places[Math.floor(c / 3)]]);
    const scale = byteScale(largestOf(component, 0, 1, width));
    let square = 0;
    for (let c = 0; c < width; c++) {
      const h = places[Math.floor(c / 3)];
      const byte = toByte(component[c], scale);
      shapes[(3 * h + (c % 3)) * modes + q] = byte;
      square += (byte * byteScale(1)) ** 2 / weights[h];
    }
    if (square > 0) inverseSquares[v * modes + q] = 1 / square;
  }
}

/** c (V × m) of a detail: shapes are orthogonal under the weights 1/β, so that c = Σ_j Bᵀ y / Σ B² / β. */
export function coefficientsOf(
  { hats, weights }: Embedding,
  { shapes, inverseSquares, modes }: Basis,
  { world, rotations: r }: Detail,
  out: Float32Array,
): void {
  out.fill(0);
  for (let h = 0; h < hats.length; h++) {
    if (weights[h] === 0) continue;
    const o = h - (h % 3);
    const m = 9 * hats[h];
    const at = modes * hats[h];
    for (let c = 0; c < 3; c++) {
      const y = byteScale(1) * (r[m + c] * world[o] + r[m + 3 + c] * world[o + 1] + r[m + 6 + c] * world[o + 2]);
      const b = (3 * h + c) * modes;
      for (let q = 0; q < modes; q++) out[at + q] += shapes[b + q] * y;
    }
  }
  for (let q = 0; q < out.length; q++) out[q] *= inverseSquares[q];
}
