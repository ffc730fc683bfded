import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { type LinearOperator, lsqr } from '../../src/fit/thesis/lsqr.ts';
import { seededRandom } from '../../src/math/rng.ts';

const random = seededRandom(11);
const matrix = (rows: number, columns: number) =>
  Matrix.from1DArray(
    rows,
    columns,
    Array.from({ length: rows * columns }, () => random() * 2 - 1),
  );

function operatorOf(a: Matrix): LinearOperator {
  return {
    rows: a.rows,
    columns: a.columns,
    multiply(y, x) {
      for (let r = 0; r < a.rows; r++) for (let c = 0; c < a.columns; c++) y[r] += a.get(r, c) * x[c];
    },
    multiplyTransposed(x, y) {
      for (let r = 0; r < a.rows; r++) for (let c = 0; c < a.columns; c++) x[c] += a.get(r, c) * y[r];
    },
  };
}

const column = (b: Float64Array) => Matrix.columnVector(Array.from(b));
const vector = (n: number) => Float64Array.from({ length: n }, () => random() * 2 - 1);
const close = (x: ArrayLike<number>, y: ArrayLike<number>, digits = 8) => {
  for (let c = 0; c < x.length; c++) expect(x[c]).toBeCloseTo(y[c], digits);
};

describe('lsqr', () => {
  it.each([
    [6, 6],
    [20, 7],
    [50, 30],
  ])('%i × %i: the least-squares solution', (rows, columns) => {
    const a = matrix(rows, columns);
    const b = vector(rows);
    const result = lsqr(operatorOf(a), b, { tolerance: 1e-13 });
    expect(result.converged).toBe(true);
    close(result.x, solve(a, column(b)).to1DArray());
    const r = column(b).sub(a.mmul(Matrix.columnVector(Array.from(result.x))));
    expect(result.residual).toBeCloseTo(r.norm(), 8);
  });

  it('of many solutions finds the shortest', () => {
    const a = matrix(4, 9);
    const b = vector(4);
    const { x } = lsqr(operatorOf(a), b, { tolerance: 1e-13 });
    // Aᵀ(AAᵀ)⁻¹b.
    close(
      x,
      a
        .transpose()
        .mmul(solve(a.mmul(a.transpose()), column(b)))
        .to1DArray(),
    );
  });

  it('says when it stopped short, and takes 0 for an answer', () => {
    const a = matrix(40, 20);
    expect(lsqr(operatorOf(a), vector(40), { maxIterations: 3 })).toMatchObject({ converged: false, iterations: 3 });
    expect(lsqr(operatorOf(a), new Float64Array(40))).toMatchObject({ converged: true, iterations: 0, residual: 0 });
  });
});
