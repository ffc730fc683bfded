import fc from 'fast-check';
import { EVD, Matrix, SVD } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { polar3, svd3 } from '../../src/math/svd3.ts';
import { rotationOf } from '../mesh/shapes.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const multiply = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  IDENTITY.map((_, c) => [0, 1, 2].reduce((sum, m) => sum + a[c - (c % 3) + m] * b[3 * m + (c % 3)], 0));
const transpose = (a: ArrayLike<number>): number[] => IDENTITY.map((_, c) => a[3 * (c % 3) + Math.floor(c / 3)]);
const determinant = (a: ArrayLike<number>): number =>
  a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
const largest = (a: ArrayLike<number>): number => Math.max(...Array.from(a, Math.abs));
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number => largest(Array.from(a, (x, c) => x - b[c]));

function expectRotation(r: ArrayLike<number>): void {
  expect(distance(multiply(r, transpose(r)), IDENTITY)).toBeLessThan(1e-12);
  expect(determinant(r)).toBeCloseTo(1, 12);
}

/** Both decompositions of a, checked for everything they promise, relative to the size of a. */
function check(a: number[]): { sigma: Float64Array; r: Float64Array; sym: Float64Array } {
  const [u, v, r, sym] = [0, 0, 0, 0].map(() => new Float64Array(9));
  const sigma = new Float64Array(3);
  svd3(u, sigma, v, a);
  const size = largest(a) || 1;
  expectRotation(u);
  expectRotation(v);
  const back = multiply(multiply(u, [sigma[0], 0, 0, 0, sigma[1], 0, 0, 0, sigma[2]]), transpose(v));
  expect(distance(back, a) / size).toBeLessThan(1e-12);
  expect(sigma[0]).toBeGreaterThanOrEqual(sigma[1]);
  expect(sigma[1] * (1 + 1e-12)).toBeGreaterThanOrEqual(Math.abs(sigma[2]));

  polar3(r, sym, a);
  expectRotation(r);
  expect(distance(sym, transpose(sym)) / size).toBeLessThan(1e-12);
  expect(distance(multiply(r, sym), a) / size).toBeLessThan(1e-12);
  return { sigma, r, sym };
}

// Subnormal numbers have no 12 digits to compare.
const entry = fc.double({ min: -10, max: 10, noNaN: true }).map((x) => (Math.abs(x) < 1e-290 ? 0 : x));
const matrix = fc.array(entry, { minLength: 9, maxLength: 9 });

describe('svd3 and polar3', () => {
  it('decompose any matrix', () => {
    fc.assert(
      fc.property(matrix, (a) => void check(a)),
      { numRuns: 1000 },
    );
  });

  it('decompose matrices of small whole numbers: singular, mirrored, repeated values', () => {
    const whole = fc.integer({ min: -1, max: 1 });
    fc.assert(
      fc.property(fc.array(whole, { minLength: 9, maxLength: 9 }), (a) => void check(a)),
      { numRuns: 2000 },
    );
  });

  it('decompose rank 0, 1 and 2 at sizes from 1e-150 to 1e150', () => {
    const random = seededRandom(3);
    for (const size of [1e-150, 1e-30, 1, 1e30, 1e150]) {
      for (const [s1, s2] of [
        [0, 0],
        [1, 0],
        [1e-9, 0],
        [1e-14, 1e-20],
        [1e-7, -1e-9],
        [1, 1],
        [1, -1],
      ]) {
        const u = rotationOf([random() - 0.5, random() - 0.5, random() - 0.5], 6 * random());
        const v = rotationOf([random() - 0.5, random() - 0.5, random() - 0.5], 6 * random());
        const { sigma } = check(multiply(multiply(u, [size, 0, 0, 0, size * s1, 0, 0, 0, size * s2]), v));
        expect(sigma[0] / size).toBeCloseTo(1, 12);
        expect(sigma[1] / size).toBeCloseTo(s1, 12);
        expect(sigma[2] / size).toBeCloseTo(s2, 12);
      }
    }
    check(new Array(9).fill(0));
  });

  it('find the singular values that ml-matrix finds', () => {
    fc.assert(
      fc.property(matrix, (a) => {
        const { sigma } = check(a);
        const rows = [a.slice(0, 3), a.slice(3, 6), a.slice(6)];
        const oracle = new SVD(new Matrix(rows)).diagonal;
        expect(distance(sigma.map(Math.abs), oracle)).toBeLessThan(1e-11);
      }),
    );
  });

  it('polar3 gives back a rotation and a stretch', () => {
    fc.assert(
      fc.property(matrix, fc.double({ min: 0, max: 6, noNaN: true }), (a, angle) => {
        const stretch = multiply(transpose(a), a).map((x, c) => x + (c % 4 === 0 ? 1 : 0));
        const turn = rotationOf([a[0] + 20, a[1], a[2]], angle);
        const { r, sym } = check(multiply(turn, stretch));
        expect(distance(r, turn)).toBeLessThan(1e-10);
        expect(distance(sym, stretch) / largest(stretch)).toBeLessThan(1e-12);
      }),
    );
  });

  it('polar3 turns a mirror image by a proper rotation, with one negative stretch', () => {
    const { r, sym } = check([1, 0, 0, 0, 1, 0, 0, 0, -1]);
    expect(distance(multiply(r, sym), [1, 0, 0, 0, 1, 0, 0, 0, -1])).toBeLessThan(1e-15);
    const { sym: general } = check([3, 1, 0, 0, 2, 1, 1, 0, -1]);
    const values = new EVD(
      new Matrix([[...general.subarray(0, 3)], [...general.subarray(3, 6)], [...general.subarray(6)]]),
      { assumeSymmetric: true },
    ).realEigenvalues;
    expect(values.filter((x) => x < 0).length).toBe(1);
  });

  it('write over their input', () => {
    const a = [2, 1, 0, 0, 3, 1, 1, 0, 1];
    const { r, sym } = check(a);
    const inPlace = [...a];
    polar3(inPlace, new Float64Array(9), inPlace);
    expect(inPlace).toEqual([...r]);
    const stretch = [...a];
    polar3(new Float64Array(9), stretch, stretch);
    expect(stretch).toEqual([...sym]);
  });
});
