import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerDescent, largestRemainders } from '../../src/math/integer-simplex.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { DenseSimplexQp } from '../../src/math/simplex-qp.ts';

const sum = (w: Float64Array) => w.reduce((a, b) => a + b, 0);

function value(g: Float64Array, w: ArrayLike<number>): number {
  let total = 0;
  for (let s = 0; s < w.length; s++) for (let t = 0; t < w.length; t++) total += w[s] * g[s * w.length + t] * w[t];
  return total;
}

/** Gram matrix of n random vectors. */
function randomGram(n: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const d = Array.from({ length: n }, () => Array.from({ length: 6 }, () => randomNormal(random)));
  return Float64Array.from({ length: n * n }, (_, e) =>
    d[Math.floor(e / n)].reduce((total, x, c) => total + x * d[e % n][c], 0),
  );
}

describe('largestRemainders', () => {
  it('keeps the sum, and every weight to less than one unit', () => {
    const raw = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(raw, fc.constantFrom(255, 65535), (row, levels) => {
        const total = row.reduce((a, b) => a + b, 0);
        fc.pre(total > 1e-6);
        const exact = Float64Array.from(row, (w) => w / total);
        const w = exact.slice();
        largestRemainders(w, w.length, levels);
        expect(sum(w)).toBe(levels);
        w.forEach((q, s) => {
          expect(Math.abs(q - exact[s] * levels)).toBeLessThan(1 + 1e-6);
          if (exact[s] === 0) expect(q).toBe(0);
        });
      }),
    );
  });
});

describe('integerDescent', () => {
  it('finds the best whole numbers there are, where they can be counted', () => {
    const levels = 12;
    for (let seed = 0; seed < 60; seed++) {
      const g = randomGram(3, seed);
      const qp = new DenseSimplexQp(3, 3);
      const { w } = qp;
      w.fill(1 / 3);
      qp.minimize(g, 3);
      const exact = w.slice();
      integerDescent(g, 3, w, levels);
      let best = Infinity;
      for (let a = 0; a <= levels; a++) {
        for (let b = 0; a + b <= levels; b++) best = Math.min(best, value(g, [a, b, levels - a - b]));
      }
      // Moves of single units can end beside the optimum, but not far from it, and never above rounding.
      const rounded = exact.slice();
      largestRemainders(rounded, 3, levels);
      expect(sum(w)).toBe(levels);
      expect(value(g, w)).toBeLessThanOrEqual(value(g, rounded));
      expect(value(g, w)).toBeLessThanOrEqual(best * 1.05 + 1e-9);
    }
  });
});
