import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { gramOfRows, multiply, plainGramOfRows, plainMultiply, transpose } from '../../src/math/dense.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { plainEigen, symmetricEigen } from '../../src/math/symmetric-eigen.ts';

const random = seededRandom(7);
const randomMatrix = (n: number, m: number) => Float64Array.from({ length: n * m }, () => random() * 2 - 1);
const maxDifference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (x, c) => Math.abs(x - b[c])).reduce((x, y) => Math.max(x, y), 0);
const oracle = (a: Float64Array, n: number, m: number) => Matrix.from1DArray(n, m, Array.from(a));

describe('dense products', () => {
  it.each([
    [1, 1, 1],
    [3, 7, 5],
    [16, 9, 33],
    [40, 41, 42],
  ])('multiply %i × %i × %i equals ml-matrix', (n, m, p) => {
    const a = randomMatrix(n, m);
    const b = randomMatrix(m, p);
    const expected = oracle(a, n, m)
      .mmul(oracle(b, m, p))
      .to1DArray();
    expect(maxDifference(multiply(new Float64Array(n * p), a, b, n, m, p), expected)).toBeLessThan(1e-12);
  });

  it.each([1, 2, 5, 8, 13])('gramOfRows of %i rows is a·aᵀ', (n) => {
    const a = randomMatrix(n, 19);
    const expected = multiply(new Float64Array(n * n), a, transpose(new Float64Array(n * 19), a, n, 19), n, 19, n);
    expect(maxDifference(gramOfRows(new Float64Array(n * n), a, n, 19), expected)).toBeLessThan(1e-12);
  });
});

describe('products on kernels', () => {
  it.each([
    [4, 500000, 4],
    [130, 131, 133],
    [257, 64, 130],
    [5, 1000, 501],
    // Go through in pieces of columns, or of rows.
    [5, 30, 150001],
    [150001, 30, 5],
    [70003, 9, 57],
  ])('multiply %i × %i × %i equals the plain product', (n, m, p) => {
    const a = randomMatrix(n, m);
    const b = randomMatrix(m, p);
    const plain = plainMultiply(new Float64Array(n * p), a, b, n, m, p);
    expect(maxDifference(multiply(new Float64Array(n * p), a, b, n, m, p), plain)).toBeLessThan(1e-8);
  });

  it.each([
    [4, 200001],
    [5, 100000],
    [131, 130],
    [64, 999],
    [30, 150001],
  ])('gramOfRows of %i × %i equals the plain product', (n, m) => {
    const a = randomMatrix(n, m);
    const plain = plainGramOfRows(new Float64Array(n * n), a, n, m);
    expect(maxDifference(gramOfRows(new Float64Array(n * n), a, n, m), plain)).toBeLessThan(1e-8);
  });
});

describe('cholesky', () => {
  it.each([1, 2, 10, 60])('solves a system of %i unknowns', (n) => {
    const a = gramOfRows(new Float64Array(n * n), randomMatrix(n, n + 5), n, n + 5);
    const x = randomMatrix(n, 3);
    const b = multiply(new Float64Array(n * 3), a, x, n, n, 3);
    const l = a.slice();
    expect(choleskyFactor(l, n)).toBe(true);
    choleskySolve(l, n, b, 3);
    expect(maxDifference(b, x)).toBeLessThan(1e-8);
  });

  it('says when a matrix is not positive definite', () => {
    expect(choleskyFactor(Float64Array.from([1, 2, 2, 1]), 2)).toBe(false);
    expect(choleskyFactor(new Float64Array(4), 2)).toBe(false);
  });
});

describe('symmetricEigen', () => {
  it.each([1, 2, 3, 10, 50, 120, 127, 150])('diagonalises a matrix of size %i', (n) => {
    const a = gramOfRows(new Float64Array(n * n), randomMatrix(n, 2 * n), n, 2 * n);
    const { values, vectors } = symmetricEigen(a, n);
    const expected = new EigenvalueDecomposition(oracle(a, n, n), { assumeSymmetric: true }).realEigenvalues.sort(
      (x, y) => y - x,
    );
    expect(maxDifference(values, expected)).toBeLessThan(1e-10 * n);
    // Rows are orthonormal and A·v = λ·v.
    const identity = new Float64Array(n * n).map((_, c) => (c % (n + 1) === 0 ? 1 : 0));
    expect(maxDifference(gramOfRows(new Float64Array(n * n), vectors, n, n), identity)).toBeLessThan(1e-12 * n);
    const av = multiply(new Float64Array(n * n), vectors, a, n, n, n);
    expect(
      maxDifference(
        av,
        vectors.map((x, c) => x * values[Math.floor(c / n)]),
      ),
    ).toBeLessThan(1e-10 * n);
  });

  it.each([128, 131])('kernel and plain version agree for size %i', (n) => {
    const a = gramOfRows(new Float64Array(n * n), randomMatrix(n, n), n, n);
    const plain = plainEigen(a, n).values.sort().reverse();
    expect(maxDifference(symmetricEigen(a, n).values, plain)).toBeLessThan(1e-10 * n);
  });

  it.each([3, 130])('keeps entries that are small beside their column, size %i', (n) => {
    // Zero but for the first row and column: 1, then 1e-9. A·v = λ·v to rounding needs the small ones.
    const a = new Float64Array(n * n);
    for (let c = 1; c < n; c++) a[c] = a[c * n] = c === 1 ? 1 : 1e-9;
    const { values, vectors } = symmetricEigen(a, n);
    const av = multiply(new Float64Array(n * n), vectors, a, n, n, n);
    const expected = vectors.map((x, c) => x * values[Math.floor(c / n)]);
    expect(maxDifference(av, expected)).toBeLessThan(1e-14);
  });

  it('handles diagonal, zero, rank-one and clustered matrices', () => {
    const n = 130;
    const rankOne = Float64Array.from({ length: n * n }, (_, c) => ((c % n) + 1) * (Math.floor(c / n) + 1));
    const clustered = Float64Array.from({ length: n * n }, (_, c) => (c % (n + 1) === 0 ? 1 : 1e-12));
    for (const a of [new Float64Array(n * n), rankOne, clustered]) {
      const { values, vectors } = symmetricEigen(a, n);
      const av = multiply(new Float64Array(n * n), vectors, a, n, n, n);
      expect(
        maxDifference(
          av,
          vectors.map((x, c) => x * values[Math.floor(c / n)]),
        ),
      ).toBeLessThan(1e-7);
    }
  });
});
