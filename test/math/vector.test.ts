import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastAtMost } from '../../src/math/last-at-most.ts';
import { cross3, distance3, dot3, type Vector } from '../../src/math/vector.ts';

const vector = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -10, max: 10, noNaN: true }))) as fc.Arbitrary<
  [number, number, number]
>;

describe('vectors', () => {
  it('obey the identity of Lagrange, |a × b|² + (a·b)² = |a|²·|b|²', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const c = cross3(a, b);
        expect(dot3(c, c) + dot3(a, b) ** 2).toBeCloseTo(dot3(a, a) * dot3(b, b), 6);
        expect(dot3(c, a)).toBeCloseTo(0, 6);
      }),
      { seed: 1 },
    );
  });

  it('turn from x over y to z', () => {
    const [x, y]: Vector[] = [
      [1, 0, 0],
      [0, 1, 0],
    ];
    expect(cross3(x, y)).toEqual([0, 0, 1]);
    expect(distance3(x, y)).toBeCloseTo(Math.SQRT2, 12);
  });
});

describe('lastAtMost', () => {
  it('equals a look at every number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }),
        fc.integer({ min: -1, max: 10 }),
        (some, x) => {
          const rising = some.toSorted((a, b) => a - b);
          expect(lastAtMost(rising, x)).toBe(rising.findLastIndex((value) => value <= x));
        },
      ),
      { seed: 1 },
    );
  });
});
