/**
 * The two passes of an upsampler, over arrays of upsampler-arrays.ts: as kernels where the host has SIMD, and the same in
 * TypeScript. They differ by the rounding of floats.
 */
import { loadKernels } from '../../kernels/load.ts';
import { VECTOR } from '../detail-arrays.ts';
import { gaussian } from './regress.ts';
import { FRAME, type UpsamplerArrays } from './upsampler-arrays.ts';

export interface UpsamplerPasses {
  /** What all patches see → their coefficients c: inputs z, held within limits; then the linear part and the Gaussians. */
  findCoefficients(): void;
  /** detail = Σ_v R_v B_jv c_v of each fine vertex j. */
  decode(): void;
}

export function upsamplerPasses(arrays: UpsamplerArrays): UpsamplerPasses {
  const { memory, table } = arrays;
  if (!('buffer' in memory)) {
    return { findCoefficients: () => findCoefficients(arrays), decode: () => decode(arrays) };
  }
  const kernels = loadKernels(memory);
  return {
    findCoefficients: () => kernels.upsampleCoefficients(table),
    decode: () => kernels.upsampleDetail(table),
  };
}

function findCoefficients(arrays: UpsamplerArrays): void {
  const { starts, seen, directions, lows, highs, matrices, points, blends, z, coefficients: c } = arrays;
  const { patches, inputs: d, centres: e, width: m } = arrays.sizes;
  for (let v = 0; v < patches; v++) {
    z.fill(0);
    for (let f = starts[v]; f < starts[v + 1]; f++) {
      for (let q = 0; q < d; q++) z[q] += seen[f] * directions[f * d + q];
    }
    for (let q = 0; q < d; q++) z[q] = Math.min(highs[v * d + q], Math.max(lows[v * d + q], z[q]));
    const at = v * m;
    const matrix = v * (1 + d) * m;
    for (let q = 0; q < m; q++) c[at + q] = matrices[matrix + q];
    for (let f = 0; f < d; f++) {
      const row = matrix + (1 + f) * m;
      for (let q = 0; q < m; q++) c[at + q] += z[f] * matrices[row + q];
    }
    for (let i = 0; i < e; i++) {
      let square = 0;
      for (let f = 0; f < d; f++) {
        const difference = z[f] - points[(v * d + f) * e + i];
        square += difference * difference;
      }
      const g = gaussian(square);
      const row = (v * e + i) * m;
      for (let q = 0; q < m; q++) c[at + q] += g * blends[row + q];
    }
  }
}

function decode({ sizes, hats, basis, coefficients: c, frames: r, detail }: UpsamplerArrays): void {
  const { vertices, width } = sizes;
  let b = 0;
  for (let j = 0; j < vertices; j++) {
    let dx = 0;
    let dy = 0;
    let dz = 0;
    for (let h = 3 * j; h < 3 * j + 3; h++) {
      const at = width * hats[h];
      let x = 0;
      let y = 0;
      let z = 0;
      for (let q = 0; q < width; q++) {
        const k = c[at + q];
        x += basis[b + q] * k;
        y += basis[b + width + q] * k;
        z += basis[b + 2 * width + q] * k;
      }
      b += 3 * width;
      const f = FRAME * hats[h];
      dx += r[f] * x + r[f + VECTOR] * y + r[f + 2 * VECTOR] * z;
      dy += r[f + 1] * x + r[f + VECTOR + 1] * y + r[f + 2 * VECTOR + 1] * z;
      dz += r[f + 2] * x + r[f + VECTOR + 2] * y + r[f + 2 * VECTOR + 2] * z;
    }
    detail[VECTOR * j] = dx;
    detail[VECTOR * j + 1] = dy;
    detail[VECTOR * j + 2] = dz;
  }
}
