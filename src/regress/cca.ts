import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';
import { multiply, transpose } from '../math/dense.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';

/**
 * Kernel CCA and the regression on top of it, for one bone (Feng 2010, (2.1)–(2.9)). With S = DᵀD + εI and the kernel
 * matrix K of the inputs, the canonical pairs come from the singular value decomposition
 *
 *   (K + κI)⁻¹·K·D·S^(−1/2) = U·Σ·Vᵀ,   F_c = (K + κI)⁻¹·U,   F_d = S^(−1/2)·V.
 *
 * In reduced coordinates C_r = K·F_c and D_r = D·F_d, least squares give B_c (2.8) and the dual basis H_d (2.9); their
 * product M = F_c·B_c·H_d predicts d = d̄ + Mᵀξ. With all pairs kept and a small κ this is kernel ridge regression on the same
 * targets: fewer only lose. A large κ shrinks less than it does there, as least squares scale C_r back up.
 */

/** Keeps the covariance of targets that hardly vary invertible, as a fraction of its mean diagonal. */
const TARGET_RIDGE = 1e-6;

/**
 * @param matrix K, E × E, centred; `inverse` is (K + κI)⁻¹ on what is centred (`ridgeInverse`).
 * @param targets E × m, centred.
 * @param bases n_f ≤ m: how many pairs are kept.
 * @returns M, E × m.
 */
export function kernelCca(
  matrix: Float64Array,
  inverse: Float64Array,
  targets: Float64Array,
  m: number,
  bases: number,
): Float64Array {
  const e = targets.length / m;
  const transposed = transpose(new Float64Array(m * e), targets, e, m);
  const s = multiply(new Float64Array(m * m), transposed, targets, m, e, m);
  let trace = 0;
  for (let c = 0; c < m; c++) trace += s[c * m + c];
  if (!(trace > 0)) return new Float64Array(e * m); // this bone never moves
  for (let c = 0; c < m; c++) s[c * m + c] += (TARGET_RIDGE * trace) / m;

  // A = (K + κI)⁻¹·K·D·S^(−1/2), E × m.
  const root = inverseRoot(s, m);
  const whitened = multiply(new Float64Array(e * m), targets, root, e, m, m);
  const smoothed = multiply(new Float64Array(e * m), matrix, whitened, e, e, m);
  const a = multiply(new Float64Array(e * m), inverse, smoothed, e, e, m);

  // Its right singular vectors from AᵀA; U = A·V/σ.
  const at = transpose(new Float64Array(m * e), a, e, m);
  const { values, vectors } = symmetricEigen(multiply(new Float64Array(m * m), at, a, m, e, m), m);
  const kept = values.slice(0, bases).filter((value) => value > 1e-14 * values[0]).length;
  const v = new Float64Array(m * kept); // columns
  const u = new Float64Array(e * kept);
  for (let p = 0; p < kept; p++) {
    const sigma = Math.sqrt(values[p]);
    for (let c = 0; c < m; c++) v[c * kept + p] = vectors[p * m + c];
    for (let k = 0; k < e; k++) {
      for (let c = 0; c < m; c++) u[k * kept + p] += (a[k * m + c] * vectors[p * m + c]) / sigma;
    }
  }
  const fc = multiply(new Float64Array(e * kept), inverse, u, e, e, kept);
  const cr = multiply(new Float64Array(e * kept), matrix, fc, e, e, kept);
  const dr = multiply(new Float64Array(e * kept), whitened, v, e, m, kept);
  const bc = leastSquares(cr, dr, e, kept, kept); // C_r·B ≈ D_r
  const hd = leastSquares(dr, targets, e, kept, m); // D_r·H ≈ D
  const reduced = multiply(new Float64Array(kept * m), bc, hd, kept, kept, m);
  return multiply(new Float64Array(e * m), fc, reduced, e, kept, m);
}

/** S^(−1/2) of a symmetric positive definite matrix. */
function inverseRoot(s: Float64Array, m: number): Float64Array {
  const { values, vectors } = symmetricEigen(s, m);
  const scaled = vectors.map((x, at) => x / Math.sqrt(Math.sqrt(values[Math.floor(at / m)])));
  const columns = transpose(new Float64Array(m * m), scaled, m, m);
  return multiply(new Float64Array(m * m), columns, scaled, m, m, m);
}

/** X (p × q) with |A·X − B|² least, A n × p, B n × q. */
function leastSquares(a: Float64Array, b: Float64Array, n: number, p: number, q: number): Float64Array {
  const at = transpose(new Float64Array(p * n), a, n, p);
  const normal = multiply(new Float64Array(p * p), at, a, p, n, p);
  let trace = 0;
  for (let c = 0; c < p; c++) trace += normal[c * p + c];
  for (let c = 0; c < p; c++) normal[c * p + c] += 1e-13 * trace; // directions that rounding has emptied
  const x = multiply(new Float64Array(p * q), at, b, p, n, q);
  choleskyFactor(normal, p);
  choleskySolve(normal, p, x, q);
  return x;
}
