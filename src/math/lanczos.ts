import { addScaled, dot, multiply, orthogonalize } from './dense.ts';
import { randomNormal, seededRandom } from './rng.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/**
 * The largest eigenvalues of a symmetric operator: Lanczos with thick restarts (Wu & Simon 2000). The Krylov basis is kept
 * orthogonal by Gram–Schmidt against all of it, twice; the coefficients form the projected matrix, so that a restart is
 * nothing but keeping the best Ritz vectors and going on from the residual. Memory is a few times `count` vectors.
 *
 * One starting vector sees only one direction of a multiple eigenvalue until rounding or an exhausted Krylov space brings
 * in the others: split graphs into their connected components first.
 */
export interface LanczosOptions {
  seed: number;
  /** Residual ‖A·v − λ·v‖ allowed, as a fraction of the largest |λ|. */
  tolerance: number;
  maxRestarts: number;
}

export interface LanczosResult {
  /** min(count, n) eigenvalues, falling. */
  values: Float64Array;
  /** One unit eigenvector of n numbers per row. */
  vectors: Float64Array;
  /** Products with the operator. */
  products: number;
  converged: boolean;
}

/** @param apply out = A·x, overwriting `out`; both have n numbers. */
export function largestEigenvalues(
  n: number,
  apply: (out: Float64Array, x: Float64Array) => void,
  count: number,
  options: Partial<LanczosOptions> = {},
): LanczosResult {
  const { seed = 1, tolerance = 1e-8, maxRestarts = 100 } = options;
  const random = seededRandom(seed);
  const wanted = Math.min(count, n);
  const size = Math.min(n, 2 * wanted + 24); // basis vectors between restarts
  const kept = Math.min(size - 1, wanted + 8); // Ritz vectors that survive one
  const basis = new Float64Array(size * n);
  const projected = new Float64Array(size * size);
  const next = new Float64Array(n);
  const row = (j: number): Float64Array => basis.subarray(j * n, (j + 1) * n);

  let products = 0;
  let have = 0; // vectors of the basis whose image is known
  fresh(row(0), basis, 0, random);
  for (let restart = 0; ; restart++) {
    let beta = 0;
    for (let j = have; j < size; j++) {
      apply(next, row(j));
      products++;
      for (let pass = 0; pass < 2; pass++) {
        for (let q = 0; q <= j; q++) {
          const h = dot(next, row(q));
          addScaled(next, row(q), -h);
          if (pass === 1) continue;
          projected[q * size + j] = projected[j * size + q] = h;
        }
      }
      beta = Math.sqrt(dot(next, next));
      // An invariant subspace: go on with a new direction, whose coupling to the others is 0.
      const exhausted = beta <= 1e-14 * Math.max(Math.abs(projected[0]), 1e-300);
      if (exhausted) beta = 0;
      if (j + 1 === size) break;
      if (exhausted) fresh(row(j + 1), basis, j + 1, random);
      else for (let c = 0; c < n; c++) basis[(j + 1) * n + c] = next[c] / beta;
    }

    const { values, vectors } = symmetricEigen(projected, size);
    const scale = Math.max(Math.abs(values[0]), Math.abs(values[size - 1]));
    // The residual of a Ritz pair is β times the last coefficient of its vector.
    let converged = true;
    for (let e = 0; e < wanted; e++) {
      if (Math.abs(beta * vectors[e * size + size - 1]) > tolerance * scale) converged = false;
    }
    if (converged || size === n || restart === maxRestarts) {
      const out = multiply(new Float64Array(wanted * n), vectors.subarray(0, wanted * size), basis, wanted, size, n);
      return { values: values.slice(0, wanted), vectors: out, products, converged: converged || size === n };
    }
    basis.set(multiply(new Float64Array(kept * n), vectors.subarray(0, kept * size), basis, kept, size, n));
    if (beta > 0) for (let c = 0; c < n; c++) basis[kept * n + c] = next[c] / beta;
    else fresh(row(kept), basis, kept, random);
    projected.fill(0);
    for (let e = 0; e < kept; e++) projected[e * size + e] = values[e];
    have = kept;
  }
}

/** A random unit vector perpendicular to the first `count` rows of the basis. */
function fresh(out: Float64Array, basis: Float64Array, count: number, random: () => number): void {
  for (let c = 0; c < out.length; c++) out[c] = randomNormal(random);
  orthogonalize(out, basis, count);
  const length = Math.sqrt(dot(out, out));
  for (let c = 0; c < out.length; c++) out[c] /= length;
}
