import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnMajor44From34,
  determinant34,
  IDENTITY34,
  identity34,
  invert34,
  matrix34FromColumnMajor44,
  multiply34,
  transformPoint34,
} from '../../src/math/matrix34.ts';

const numbers = (length: number) =>
  fc.array(
    fc.integer({ min: -500, max: 500 }).map((x) => x / 100),
    { minLength: length, maxLength: length },
  );
const matrix = numbers(12);
const point = numbers(3);

const apply = (m: number[], p: number[]): number[] => {
  const out = [0, 0, 0];
  transformPoint34(out, 0, m, 0, p, 0);
  return out;
};
const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 9): void => {
  for (let c = 0; c < b.length; c++) expect(a[c]).toBeCloseTo(b[c], digits);
};

describe('matrix34', () => {
  it('the product applies the right factor first', () => {
    fc.assert(
      fc.property(matrix, matrix, point, (a, b, p) => {
        const ab = new Array(12).fill(0);
        multiply34(ab, 0, a, 0, b, 0);
        expectClose(apply(ab, p), apply(a, apply(b, p)));
      }),
    );
  });

  it('the product may be written over either factor, at offsets', () => {
    fc.assert(
      fc.property(matrix, matrix, (a, b) => {
        const expected = new Array(12).fill(0);
        multiply34(expected, 0, a, 0, b, 0);
        const both = [0, ...a, ...b];
        multiply34(both, 1, both, 1, both, 13);
        expect(both.slice(1, 13)).toEqual(expected);
        const overRight = [0, ...a, ...b];
        multiply34(overRight, 13, overRight, 1, overRight, 13);
        expect(overRight.slice(13)).toEqual(expected);
      }),
    );
  });

  it('the identity leaves points alone', () => {
    expect(apply([...IDENTITY34], [1, 2, 3])).toEqual([1, 2, 3]);
    expect([...identity34(2)]).toEqual([...IDENTITY34, ...IDENTITY34]);
  });

  it('the inverse undoes a map, in place too', () => {
    fc.assert(
      fc.property(matrix, point, (m, p) => {
        fc.pre(Math.abs(determinant34(m)) > 0.1);
        const inverse = [...m];
        expect(invert34(inverse, 0, inverse, 0)).toBe(true);
        expectClose(apply(inverse, apply(m, p)), p, 6);
      }),
    );
  });

  it('a singular matrix has no inverse, and the output stays as it was', () => {
    const out = new Array(12).fill(7);
    expect(invert34(out, 0, [1, 2, 3, 0, 2, 4, 6, 0, 0, 0, 1, 0], 0)).toBe(false);
    expect(invert34(out, 0, new Array(12).fill(0), 0)).toBe(false);
    expect(invert34(out, 0, new Array(12).fill(Number.NaN), 0)).toBe(false);
    expect(out).toEqual(new Array(12).fill(7));
  });

  it('the determinant is the signed volume of the unit cube’s image', () => {
    expect(determinant34([2, 0, 0, 9, 0, 3, 0, 9, 0, 0, 4, 9])).toBe(24);
    expect(determinant34([0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0])).toBe(-1);
    fc.assert(
      fc.property(matrix, matrix, (a, b) => {
        const ab = new Array(12).fill(0);
        multiply34(ab, 0, a, 0, b, 0);
        expect(determinant34(ab)).toBeCloseTo(determinant34(a) * determinant34(b), 6);
      }),
    );
  });

  it('goes to 16 column-major numbers and back', () => {
    fc.assert(
      fc.property(matrix, (m) => {
        const wide = new Array(16).fill(0);
        columnMajor44From34(wide, 0, m);
        expect([wide[12], wide[13], wide[14]]).toEqual([m[3], m[7], m[11]]);
        expect([wide[3], wide[7], wide[11], wide[15]]).toEqual([0, 0, 0, 1]);
        const back = new Array(12).fill(0);
        matrix34FromColumnMajor44(back, 0, wide);
        expect(back).toEqual(m);
      }),
    );
  });
});
