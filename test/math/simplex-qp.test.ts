import fc from 'fast-check';
import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { gramOfRows } from '../../src/math/dense.ts';
import { DenseSimplexQp } from '../../src/math/simplex-qp.ts';
import { randomGram } from './random-gram.ts';

const value = (g: Float64Array, w: ArrayLike<number>, n: number): number => {
  let sum = 0;
  for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) sum += w[a] * g[a * n + b] * w[b];
  return sum;
};

/** The least value over all supports of at most k entries on which the unconstrained optimum is feasible. */
function bruteForce(g: Float64Array, n: number, k: number): number {
  let least = Infinity;
  for (let subset = 1; subset < 1 << n; subset++) {
    const free = Array.from({ length: n }, (_, c) => c).filter((c) => subset & (1 << c));
    if (free.length > k) continue;
    const a = new Matrix(free.map((r) => free.map((c) => g[r * n + c] + (r === c ? 1e-12 : 0))));
    const x = solve(a, Matrix.columnVector(free.map(() => 1))).to1DArray();
    const sum = x.reduce((p, q) => p + q, 0);
    if (x.every((weight) => weight / sum >= 0)) least = Math.min(least, 1 / sum);
  }
  return least;
}

function minimize(g: Float64Array, n: number, k: number, corner = 0): { w: number[]; least: number } {
  const qp = new DenseSimplexQp(n, k);
  qp.w[corner] = 1;
  const least = qp.minimize(g, n);
  return { w: Array.from(qp.w), least };
}

describe('DenseSimplexQp', () => {
  const entry = fc.integer({ min: -20, max: 20 }).map((x) => x / 10);

  it('equals brute force over all supports, from any start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(entry, { minLength: 48, maxLength: 48 }),
        fc.nat(),
        (n, entries, corner) => {
          const g = gramOfRows(new Float64Array(n * n), Float64Array.from(entries), n, 8);
          const { w, least } = minimize(g, n, n, corner % n);
          expect(least).toBeLessThanOrEqual(g[(corner % n) * (n + 1)]);
          expect(least).toBeLessThanOrEqual(bruteForce(g, n, n) * (1 + 1e-6) + 1e-9);
          expect(least).toBeCloseTo(value(g, w, n), 9);
          expect(Math.min(...w)).toBeGreaterThanOrEqual(0);
          expect(w.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps to k entries, and is nearly always as good as the best of all supports', () => {
    let equal = 0;
    const runs = 200;
    for (let seed = 1; seed <= runs; seed++) {
      const g = randomGram(seed, 7, 9);
      const { w, least } = minimize(g, 7, 3);
      expect(w.filter((x) => x > 0).length).toBeLessThanOrEqual(3);
      const best = bruteForce(g, 7, 3);
      expect(least).toBeGreaterThanOrEqual(best - 1e-9);
      expect(least).toBeLessThanOrEqual(3 * best + 1e-9);
      if (least <= best * (1 + 1e-6)) equal++;
    }
    expect(equal).toBeGreaterThan(0.8 * runs);
  });

  it('columns that agree share the weight without trouble', () => {
    const qp = new DenseSimplexQp(2, 2);
    qp.w.fill(0.5);
    expect(qp.minimize(Float64Array.from([1, 1, 1, 1]), 2)).toBeCloseTo(1, 12);
    expect(qp.w[0] + qp.w[1]).toBe(1);
    expect(qp.minimize(new Float64Array(4), 2)).toBe(0);
  });

  it('never ends above its start', () => {
    const g = randomGram(5, 4, 6);
    for (let c = 0; c < 4; c++) {
      g[4 + c] = g[c];
      g[4 * c + 1] = g[4 * c];
    }
    g[5] = g[0];
    const qp = new DenseSimplexQp(4, 2);
    qp.w.set([0.5, 0.5, 0, 0]);
    const before = value(g, qp.w, 4);
    expect(qp.minimize(g, 4)).toBeLessThanOrEqual(before);
  });
});
