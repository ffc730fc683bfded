import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nnls } from '../../src/math/nnls.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { minimizeOnSimplex } from '../../src/math/simplex-qp.ts';
import { SparseSimplexQp } from '../../src/math/sparse-simplex-qp.ts';

/** DᵀD of n random columns of `rows` numbers. */
function randomGram(seed: number, n: number, rows: number): Float64Array {
  const random = seededRandom(seed);
  const d = Array.from({ length: n }, () => Array.from({ length: rows }, () => randomNormal(random) + 0.3));
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [a, b] = [d[Math.floor(e / n)], d[e % n]];
    return a.reduce((sum, x, r) => sum + x * b[r], 0);
  });
}

const value = (g: Float64Array, w: ArrayLike<number>, n: number): number => {
  let sum = 0;
  for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) sum += w[a] * g[a * n + b] * w[b];
  return sum;
};

const subsets = (n: number, k: number): number[][] =>
  Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (__, c) => c).filter((c) => (bits >> c) & 1),
  ).filter((set) => set.length > 0 && set.length <= k);

/** The best of all supports of at most k entries. */
function bruteForce(g: Float64Array, n: number, k: number): number {
  return Math.min(
    ...subsets(n, k).map((set) => {
      const m = set.length;
      const sub = Float64Array.from({ length: m * m }, (_, e) => g[set[Math.floor(e / m)] * n + set[e % m]]);
      return minimizeOnSimplex(sub, m, new Float64Array(m).fill(1 / m));
    }),
  );
}

function solve(g: Float64Array, n: number, k: number): { w: number[]; least: number } {
  const qp = new SparseSimplexQp(n, k);
  qp.w[0] = 1;
  const least = qp.minimize(g, n);
  return { w: Array.from(qp.w.subarray(0, n)), least };
}

describe('SparseSimplexQp', () => {
  it('finds the optimum where all entries may be used', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 7 }), (seed, n) => {
        const g = randomGram(seed, n, 9);
        const { w, least } = solve(g, n, n);
        const expected = minimizeOnSimplex(g, n, new Float64Array(n).fill(1 / n));
        expect(least).toBeCloseTo(expected, 6);
        expect(least).toBeCloseTo(value(g, w, n), 9);
        expect(w.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        expect(Math.min(...w)).toBeGreaterThanOrEqual(0);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('keeps to k entries, and is nearly always as good as the best of all supports', () => {
    let equal = 0;
    const runs = 200;
    for (let seed = 1; seed <= runs; seed++) {
      const g = randomGram(seed, 7, 9);
      const { w, least } = solve(g, 7, 3);
      expect(w.filter((x) => x > 0).length).toBeLessThanOrEqual(3);
      const best = bruteForce(g, 7, 3);
      expect(least).toBeGreaterThanOrEqual(best - 1e-9);
      expect(least).toBeLessThanOrEqual(3 * best + 1e-9);
      if (least <= best * (1 + 1e-6)) equal++;
    }
    expect(equal).toBeGreaterThan(0.8 * runs);
  });

  it('never ends above its start, and survives columns that agree', () => {
    const g = randomGram(5, 4, 6);
    for (let c = 0; c < 4; c++) {
      g[4 + c] = g[c];
      g[4 * c + 1] = g[4 * c];
    }
    g[5] = g[0];
    const qp = new SparseSimplexQp(4, 2);
    qp.w.set([0.5, 0.5, 0, 0]);
    const before = value(g, qp.w, 4);
    expect(qp.minimize(g, 4)).toBeLessThanOrEqual(before + 1e-12);
  });
});

describe('nnls', () => {
  it('meets the conditions of Karush, Kuhn and Tucker', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 8 }), (seed, n) => {
        const ata = randomGram(seed, n, 10);
        const random = seededRandom(seed + 1);
        const atb = Float64Array.from({ length: n }, () => randomNormal(random));
        const x = nnls(ata, atb, n);
        for (let c = 0; c < n; c++) {
          let gradient = -atb[c];
          for (let d = 0; d < n; d++) gradient += ata[c * n + d] * x[d];
          expect(x[c]).toBeGreaterThanOrEqual(0);
          if (x[c] > 0) expect(Math.abs(gradient)).toBeLessThan(1e-7);
          else expect(gradient).toBeGreaterThan(-1e-7);
        }
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
