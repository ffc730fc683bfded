import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largestRemainders } from '../../src/math/integer-simplex.ts';
import { canonicalInfluences, largestWeights } from '../../src/model/influences.ts';

describe('influences', () => {
  const rows = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
    .filter((row) => row.some((w) => w > 1e-3));

  it('rounded weights sum exactly, stay within one step, and 0 stays 0', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(255, 65535), (row, levels) => {
        const sum = row.reduce((a, b) => a + b, 0);
        const exact = row.map((w) => w / sum).sort((a, b) => b - a);
        const rounded = Float64Array.from(exact);
        const used = exact.filter((w) => w > 0).length;
        largestRemainders(rounded, used, levels);
        expect(rounded.reduce((a, b) => a + b, 0)).toBe(levels);
        rounded.forEach((w, s) => {
          expect(Math.abs(w - exact[s] * levels)).toBeLessThan(1 + 1e-9);
          if (exact[s] === 0) expect(w).toBe(0);
        });
      }),
    );
  });

  it('canonical influences add up equal joints, fall, and are the same for any order', () => {
    const pairs = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(0, 0.125, 0.25, 0.5)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pairs, fc.nat(7), (given, turn) => {
        const order = [...given.slice(turn % given.length), ...given.slice(0, turn % given.length)];
        const bring = (from: typeof given) => {
          const joints = Uint16Array.from(from, ([j]) => j);
          const weights = Float64Array.from(from, ([, w]) => w);
          const used = canonicalInfluences(joints, weights, from.length);
          return { joints, weights, used };
        };
        const a = bring(given);
        expect(bring(order)).toEqual(a);
        for (let s = 1; s < given.length; s++) expect(a.weights[s]).toBeLessThanOrEqual(a.weights[s - 1]);
        for (let j = 0; j <= 5; j++) {
          const total = given.filter(([joint]) => joint === j).reduce((sum, [, w]) => sum + w, 0);
          const slot = a.joints.subarray(0, a.used).indexOf(j);
          expect(slot < 0 ? 0 : a.weights[slot]).toBe(total);
        }
      }),
    );
  });

  it('keeps the largest weights, sorted, with sum 1', () => {
    const skin = largestWeights(Float64Array.of(0.1, 0.5, 0, 0.4, 0, 0, 2, 0), 4, 2);
    expect([...skin.joints]).toEqual([1, 3, 2, 0]);
    expect(skin.weights[0]).toBeCloseTo(5 / 9, 6);
    expect(skin.weights[1]).toBeCloseTo(4 / 9, 6);
    expect([...skin.weights.slice(2)]).toEqual([1, 0]);
  });
});
