import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nnls } from '../../src/math/nnls.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { randomGram } from './random-gram.ts';

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
