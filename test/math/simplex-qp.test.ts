import fc from 'fast-check';
import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { gramOfRows } from '../../src/math/dense.ts';
import { minimizeOnSimplex } from '../../src/math/simplex-qp.ts';

/** The least value over all subsets of bones on which the unconstrained optimum is feasible. */
function bruteForce(g: Float64Array, n: number): number {
  let least = Infinity;
  for (let subset = 1; subset < 1 << n; subset++) {
    const free = Array.from({ length: n }, (_, c) => c).filter((c) => subset & (1 << c));
    const a = new Matrix(free.map((r) => free.map((c) => g[r * n + c] + (r === c ? 1e-12 : 0))));
    const x = solve(a, Matrix.columnVector(free.map(() => 1))).to1DArray();
    const sum = x.reduce((p, q) => p + q, 0);
    if (x.every((value) => value / sum >= 0)) least = Math.min(least, 1 / sum);
  }
  return least;
}

describe('minimizeOnSimplex', () => {
  const entry = fc.integer({ min: -20, max: 20 }).map((x) => x / 10);

  it('equals brute force over all supports, from any start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(entry, { minLength: 48, maxLength: 48 }),
        fc.nat(),
        (n, entries, corner) => {
          const g = gramOfRows(new Float64Array(n * n), Float64Array.from(entries), n, 8);
          const w = new Float64Array(n);
          w[corner % n] = 1;
          const start = g[(corner % n) * (n + 1)];
          const value = minimizeOnSimplex(g, n, w);
          expect(value).toBeLessThanOrEqual(start);
          expect(value).toBeLessThanOrEqual(bruteForce(g, n) * (1 + 1e-6) + 1e-9);
          expect(Math.min(...w)).toBeGreaterThanOrEqual(0);
          expect(w.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('columns that agree share the weight without trouble', () => {
    const w = Float64Array.from([0.5, 0.5]);
    expect(minimizeOnSimplex(Float64Array.from([1, 1, 1, 1]), 2, w)).toBe(1);
    expect(w[0] + w[1]).toBe(1);
    expect(minimizeOnSimplex(new Float64Array(4), 2, w)).toBe(0);
  });

  it('refuses a form that is not finite', () => {
    expect(() => minimizeOnSimplex(Float64Array.from([Number.NaN]), 1, Float64Array.from([1]))).toThrow(/not finite/);
  });
});
