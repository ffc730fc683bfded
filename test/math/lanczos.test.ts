import { describe, expect, it } from 'vitest';
import { multiply } from '../../src/math/dense.ts';
import { largestEigenvalues } from '../../src/math/lanczos.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { symmetricEigen } from '../../src/math/symmetric-eigen.ts';

function randomSymmetric(n: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const a = new Float64Array(n * n);
  for (let r = 0; r < n; r++) for (let c = 0; c <= r; c++) a[r * n + c] = a[c * n + r] = random() * 2 - 1;
  return a;
}

describe('largestEigenvalues', () => {
  it.each([
    [1, 1],
    [2, 2],
    [5, 9],
    [40, 6],
    [200, 10],
  ])('of a random %i × %i matrix equals the full eigenproblem', (n, count) => {
    const a = randomSymmetric(n, n);
    const expected = symmetricEigen(a, n);
    const { values, vectors, converged } = largestEigenvalues(n, (out, x) => multiply(out, a, x, n, n, 1), count);
    expect(converged).toBe(true);
    expect(values.length).toBe(Math.min(count, n));
    for (let e = 0; e < values.length; e++) {
      expect(values[e]).toBeCloseTo(expected.values[e], 6);
      const v = vectors.slice(e * n, (e + 1) * n);
      const av = multiply(new Float64Array(n), a, v, n, n, 1);
      expect(Math.hypot(...av.map((x, c) => x - values[e] * v[c]))).toBeLessThan(1e-5);
      expect(Math.hypot(...v)).toBeCloseTo(1, 9);
    }
  });

  it('restarts until a long path graph has converged', () => {
    // Eigenvalues of the path's adjacency are 2·cos(π·e/(n + 1)): crowded at the end that is asked for.
    const n = 400;
    const { values, converged, products } = largestEigenvalues(
      n,
      (out, x) => {
        for (let i = 0; i < n; i++) out[i] = (x[i - 1] ?? 0) + (x[i + 1] ?? 0);
      },
      4,
      { tolerance: 1e-9 },
    );
    expect(converged).toBe(true);
    expect(products).toBeGreaterThan(32);
    for (let e = 0; e < 4; e++) expect(values[e]).toBeCloseTo(2 * Math.cos((Math.PI * (e + 1)) / (n + 1)), 8);
  });

  it('survives an exhausted Krylov space', () => {
    const { values, converged } = largestEigenvalues(50, (out, x) => out.set(x), 5);
    expect(converged).toBe(true);
    expect([...values].every((value) => Math.abs(value - 1) < 1e-12)).toBe(true);
    expect([...largestEigenvalues(20, (out) => out.fill(0), 3).values]).toEqual([0, 0, 0]);
  });
});
