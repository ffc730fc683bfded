import { PliantError } from '../error.ts';
import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';

/**
 * Kernel ridge regression with a free constant, for a centred kernel matrix K (E × E): for any quantity Y of the examples,
 * y(c) = ȳ + ξᵀ·(K + κI)⁻¹·(Y − ȳ), a blend of the examples whose coefficients do not depend on Y.
 */

/**
 * (K + κI + 11ᵀ/E)⁻¹. On what is centred, as everything here is, that is (K + κI)⁻¹, but without the eigenvalue 1/κ of
 * constants, beside which small κ would drown the rest in rounding.
 */
export function ridgeInverse(matrix: Float64Array, e: number, kappa: number, operation = 'regress'): Float64Array {
  const factor = matrix.slice();
  for (let at = 0; at < factor.length; at++) factor[at] += 1 / e;
  for (let k = 0; k < e; k++) factor[k * e + k] += kappa;
  if (!choleskyFactor(factor, e)) {
    const cause = `the kernel matrix is singular (got κ = ${kappa}, expected more regularisation or other examples)`;
    throw new PliantError('bad-input', operation, cause);
  }
  const inverse = new Float64Array(e * e);
  for (let k = 0; k < e; k++) inverse[k * e + k] = 1;
  choleskySolve(factor, e, inverse, e);
  return inverse;
}

/**
 * E × E: row i holds the coefficients by which the other examples predict example i, sum 1, 0 on the diagonal. With the
 * constant, the system is [[K + κI, 1], [1ᵀ, 0]]; its inverse N gives e_i = (N·Y)_i / N_ii, so the prediction
 * Y_i − e_i is −Σ_{j≠i} N_ij·Y_j / N_ii. As K·1 = 0, N is `ridgeInverse` less what that makes of constants, 1/(E·(κ + 1)).
 */
export function leaveOneOut(inverse: Float64Array, e: number, kappa: number): Float64Array {
  const constant = 1 / (e * (kappa + 1));
  const out = new Float64Array(e * e);
  for (let i = 0; i < e; i++) {
    const own = inverse[i * e + i] - constant;
    for (let j = 0; j < e; j++) out[i * e + j] = i === j ? 0 : -(inverse[i * e + j] - constant) / own;
  }
  return out;
}
