import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatText } from '../../src/io/float-text.ts';

const float = fc.float({ noNaN: true, noDefaultInfinity: true });

/** The obvious way: the first precision that reads back. */
function slowText(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    if (Math.fround(Number(value.toPrecision(digits))) === value) return value.toPrecision(digits);
  }
  return value.toPrecision(9);
}

const digitsOf = (text: string) => text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

describe('floatText', () => {
  it('reads back exactly', () => {
    fc.assert(
      fc.property(float, (value) => {
        expect(Object.is(Math.fround(Number(floatText(value))), value)).toBe(true);
      }),
      { numRuns: 5000, seed: 1 },
    );
  });

  it('has as few digits as trying finds', () => {
    fc.assert(
      fc.property(float, (value) => {
        expect(digitsOf(floatText(value)).length).toBeLessThanOrEqual(Math.max(6, digitsOf(slowText(value)).length));
      }),
      { numRuns: 5000, seed: 1 },
    );
  });

  it.each([
    [0, '0'],
    [-0, '-0'],
    [0.5, '0.5'],
    [Math.fround(0.1), '0.1'],
    [-1234.5, '-1234.5'],
    [16777216, '16777216'],
    [Math.fround(1e-7), '1e-7'],
  ])('writes %d as %s', (value, text) => expect(floatText(value)).toBe(text));
});
