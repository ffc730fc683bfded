import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelChoice } from '../../adapters/three/level-choice.ts';

const errors = fc
  .array(fc.double({ min: 1e-4, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 })
  .map((list) => [0, ...list.sort((a, b) => a - b)]);
const sizes = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });

describe('LevelChoice', () => {
  it('takes the coarsest level within the bound, if there is no hysteresis', () => {
    fc.assert(
      fc.property(errors, sizes, (list, path) => {
        const choice = new LevelChoice(list, { pixels: 1, hysteresis: 0 });
        let level = 0;
        for (const size of path) {
          level = choice.next(level, size);
          const fine = list.map((error, l) => (size <= 1 / error ? l : 0));
          expect(level).toBe(Math.max(...fine));
        }
      }),
    );
  });

  it('never shows a larger error, wherever it comes from', () => {
    fc.assert(
      fc.property(errors, sizes, (list, path) => {
        const choice = new LevelChoice(list, { pixels: 2, hysteresis: 0.3 });
        let level = list.length - 1;
        for (const size of path) {
          level = choice.next(level, size);
          expect(list[level] * size).toBeLessThanOrEqual(2 * (1 + 1e-12));
          // A level that is much too fine is not kept either.
          if (level + 1 < list.length) expect(list[level + 1] * size).toBeGreaterThan(2 * 0.7 * (1 - 1e-12));
        }
      }),
    );
  });

  it('stays where it is while the size wavers', () => {
    const choice = new LevelChoice([0, 0.01, 0.1], { pixels: 1, hysteresis: 0.1 });
    const walk = (from: number, path: number[]): number[] => path.map((size) => (from = choice.next(from, size)));
    expect(walk(1, [99, 101, 99, 95, 91, 89, 95, 99.9, 101])).toEqual([1, 0, 0, 0, 0, 1, 1, 1, 0]);
    expect(walk(0, [1e9, 1, 1e9])).toEqual([0, 2, 0]);
  });

  it('counts a level that errs less than a finer one as that one', () => {
    const choice = new LevelChoice([0, 0.1, 0.01], { pixels: 1, hysteresis: 0 });
    expect([9, 11, 50].map((size) => choice.next(0, size))).toEqual([2, 0, 0]);
  });
});
