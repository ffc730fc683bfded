import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { multiply, transpose } from '../../src/math/dense.ts';
import { seededRandom } from '../../src/math/rng.ts';

/** A = B·Bᵀ + 1, B random where `coupled` and 0 elsewhere. */
function positiveDefinite(n: number, coupled: (row: number, col: number) => boolean): Float64Array {
  const random = seededRandom(7);
  const b = Float64Array.from({ length: n * n }, (_, c) => (coupled(Math.floor(c / n), c % n) ? random() - 0.5 : 0));
  const a = multiply(new Float64Array(n * n), b, transpose(new Float64Array(n * n), b, n, n), n, n, n);
  for (let d = 0; d < n; d++) a[d * n + d] += 1;
  return a;
}

describe('Cholesky factorisation', () => {
  it.each([
    ['a full matrix', () => true],
    ['blocks on the diagonal', (row: number, col: number) => row >> 2 === col >> 2],
    ['a band', (row: number, col: number) => Math.abs(row - col) < 3],
    ['an arrow', (row: number, col: number) => row === col || row === 11 || col === 11],
  ] as const)('of %s gives it back, and solves with it', (_, coupled) => {
    const n = 12;
    const a = positiveDefinite(n, coupled);
    const l = a.slice();
    expect(choleskyFactor(l, n)).toBe(true);
    for (let row = 0; row < n; row++) {
      for (let col = 0; col <= row; col++) {
        let sum = 0;
        for (let k = 0; k <= col; k++) sum += l[row * n + k] * l[col * n + k];
        expect(sum).toBeCloseTo(a[row * n + col], 12);
      }
    }
    const x = Float64Array.from({ length: 2 * n }, (_, c) => Math.sin(c));
    const b = multiply(new Float64Array(2 * n), a, x, n, n, 2);
    choleskySolve(l, n, b, 2);
    for (let c = 0; c < 2 * n; c++) expect(b[c]).toBeCloseTo(x[c], 10);
  });

  it('says where a matrix is not positive definite', () => {
    expect(choleskyFactor(Float64Array.of(1, 2, 2, 1), 2)).toBe(false);
    expect(choleskyFactor(Float64Array.of(1, 0, 0, 0), 2)).toBe(false);
  });
});
