/**
 * From the inputs z of a patch to its coefficients c: ridge regression with the kernel
 *
 *   k(z, z') = 0.1 + z·z' + exp(−2 |z − z'|²),
 *
 * without centring, as the prior is no detail, not the mean fold. The linear part is a matrix; the Gaussian one has its
 * centres at the examples only, while all frames are fitted (Nyström's features, Williams and Seeger 2001): with
 * ψ = (√0.1, z, L⁻¹ g), g the Gaussians around the centres and L Lᵀ their own matrix, (Ψᵀ Ψ + λ I) w = Ψᵀ C. Where all
 * frames are centres this is the kernel's own solution, (K + λ I) α = C.
 */
import { PliantError } from '../../error.ts';
import { backwardSolve, choleskyFactor, choleskySolve, forwardSolve } from '../../math/cholesky.ts';
import { gramOfRows, multiply, transpose } from '../../math/dense.ts';

const CONSTANT = 0.1;
/** exp(−2 |z − z'|²): half as wide as inputs spread. Twice and four times as wide were a little worse. */
export const gaussian = (square: number): number => Math.exp(-2 * square);
/** Gaussians of examples that are much alike would cancel each other with large numbers. */
const JITTER = 1e-3;
/** λ grows with the frames, of which neighbours are much alike: the ridge is given for so many. */
const RIDGE_FRAMES = 120;

/** Inputs and coefficients of one patch in n frames. */
export interface PatchData {
  /** n × d. */
  z: Float64Array;
  /** n × m. */
  c: Float64Array;
  /** n. */
  frames: number;
}

export interface PatchMap {
  /** (d + 1) × m: what a constant of 1 and z are multiplied by. */
  matrix: Float64Array;
  /** E × m: what the Gaussians around the centres are multiplied by. */
  blend: Float64Array;
}

/** @param points E × d: around which Gaussians stand; none for the linear kernel. */
export function regressPatch({ z, c, frames: n }: PatchData, points: Float64Array, ridge: number): PatchMap {
  const d = z.length / n;
  const m = c.length / n;
  const e = points.length / d;
  const size = 1 + d + e;
  // (1) Ψᵀ: one row per number of ψ.
  const psi = new Float64Array(size * n);
  psi.fill(Math.sqrt(CONSTANT), 0, n);
  transpose(psi.subarray(n, n + d * n), z, n, d);
  const l = new Float64Array(e * e);
  if (e > 0) {
    gaussians(l, points, points, d);
    for (let i = 0; i < e; i++) l[i * e + i] += JITTER;
    factor(l, e);
    const g = psi.subarray((1 + d) * n);
    gaussians(g, points, z, d);
    forwardSolve(l, e, g, n);
  }
  // (2) The ridge is relative to the kernel's mean diagonal.
  let square = 0;
  for (let q = 0; q < d * n; q++) square += z[q] * z[q];
  const diagonal = CONSTANT + square / n + (e > 0 ? 1 : 0);
  const lambda = ridge * diagonal * Math.max(1, n / RIDGE_FRAMES);
  const gram = gramOfRows(new Float64Array(size * size), psi, size, n);
  for (let q = 0; q < size; q++) gram[q * size + q] += lambda;
  const w = multiply(new Float64Array(size * m), psi, c, size, n, m);
  factor(gram, size);
  choleskySolve(gram, size, w, m);
  // (3) Back from ψ to constant, z and Gaussians.
  const matrix = w.slice(0, (1 + d) * m);
  for (let q = 0; q < m; q++) matrix[q] *= Math.sqrt(CONSTANT);
  const blend = w.slice((1 + d) * m);
  backwardSolve(l, e, blend, m);
  return { matrix, blend };
}

/** out (rows of a × rows of b) = exp(−2 |a − b|²). */
function gaussians(out: Float64Array, a: Float64Array, b: Float64Array, d: number): void {
  const rows = a.length / d;
  const columns = b.length / d;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < columns; k++) {
      let square = 0;
      for (let c = 0; c < d; c++) square += (a[i * d + c] - b[k * d + c]) ** 2;
      out[i * columns + k] = gaussian(square);
    }
  }
}

/** Both matrices have a ridge: only numbers that are not finite can spoil them. */
function factor(a: Float64Array, n: number): void {
  if (!choleskyFactor(a, n)) throw new PliantError('internal', 'train', 'a regression is not positive definite');
}
