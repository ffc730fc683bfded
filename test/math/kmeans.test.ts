import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kMeans } from '../../src/math/kmeans.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';

/** n points around each of the given centres. */
function blobs(centres: number[][], n: number, spread: number): Float64Array {
  const random = seededRandom(3);
  return Float64Array.from(
    centres.flatMap((centre) =>
      Array.from({ length: n }, () => centre.map((x) => x + spread * randomNormal(random))).flat(),
    ),
  );
}

describe('kMeans', () => {
  it('finds separate blobs', () => {
    const data = blobs(
      [
        [0, 0],
        [10, 0],
        [0, 10],
      ],
      50,
      0.1,
    );
    const { clusterOf, converged, centres } = kMeans(data, 2, 3, { seed: 5 });
    expect(converged).toBe(true);
    const names = [0, 1, 2].map((blob) => new Set(clusterOf.slice(50 * blob, 50 * blob + 50)));
    expect(names.map((set) => set.size)).toEqual([1, 1, 1]);
    expect(new Set(clusterOf).size).toBe(3);
    expect(Math.hypot(centres[2 * clusterOf[0]], centres[2 * clusterOf[0] + 1])).toBeLessThan(0.1);
  });

  it('never leaves a cluster empty, and its error is that of its assignment', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('spread' as const, 'random' as const),
        (values, k, start) => {
          const { clusterOf, count, error, centres } = kMeans(Float64Array.from(values), 1, k, { start });
          expect(count).toBe(Math.min(k, values.length));
          expect(new Set(clusterOf).size).toBe(count);
          // Centres are the means of their clusters.
          for (let c = 0; c < count; c++) {
            const own = values.filter((_, i) => clusterOf[i] === c);
            expect(centres[c]).toBeCloseTo(own.reduce((a, b) => a + b, 0) / own.length, 10);
          }
          expect(error).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('is the same for the same seed', () => {
    const data = blobs([[0], [1], [2]], 30, 1);
    expect(kMeans(data, 1, 4, { seed: 9 })).toEqual(kMeans(data, 1, 4, { seed: 9 }));
  });
});
