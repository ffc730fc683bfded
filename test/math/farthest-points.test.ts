import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FarthestPoints } from '../../src/math/farthest-points.ts';

const coordinates = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 30 });

describe('FarthestPoints', () => {
  it('goes to the ends of a line before its middle', () => {
    const x = [4, 0, 1, 9, 5];
    const sample = new FarthestPoints(x.length, (a, b) => Math.abs(x[a] - x[b]));
    while (sample.chosen.length < 4) sample.choose(sample.farthest());
    expect(sample.chosen).toEqual([0, 3, 1, 2]);
    expect(Array.from(sample.nearest)).toEqual([0, 2, 3, 1, 0]);
  });

  it('knows the nearest of the chosen, and the farthest of the others (brute force)', () => {
    fc.assert(
      fc.property(coordinates, fc.integer({ min: 1, max: 8 }), (x, count) => {
        const distance = (a: number, b: number): number => Math.abs(x[a] - x[b]);
        const sample = new FarthestPoints(x.length, distance);
        const wanted = Math.min(count, x.length);
        while (sample.chosen.length < wanted) sample.choose(sample.farthest());
        expect(new Set(sample.chosen).size).toBe(wanted);
        const toChosen = (p: number): number => Math.min(...sample.chosen.map((c) => distance(p, c)));
        for (const p of x.keys()) {
          expect(distance(p, sample.chosen[sample.nearest[p]])).toBe(toChosen(p));
          if (!sample.chosen.includes(p)) expect(sample.distances[p]).toBe(toChosen(p));
        }
        if (wanted < x.length) expect(toChosen(sample.farthest())).toBe(Math.max(...[...x.keys()].map(toChosen)));
      }),
      { seed: 5 },
    );
  });
});
