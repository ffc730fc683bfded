import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { minimumDegreeOrder } from '../../src/math/minimum-degree.ts';
import { type Random, randomNormal, seededRandom } from '../../src/math/rng.ts';
import { SparseCholesky } from '../../src/math/sparse-cholesky.ts';
import {
  multiplySparse,
  type SparseMatrix,
  scaledPlusDiagonal,
  sparseFromTriplets,
  sparseSize,
} from '../../src/math/sparse-matrix.ts';
import { cotangentLaplacian } from '../../src/mesh/laplacian.ts';
import { grid, icosphere } from '../mesh/shapes.ts';

/** n × n, row-major. */
function dense(a: SparseMatrix): Float64Array {
  const n = sparseSize(a);
  const out = new Float64Array(n * n);
  for (let r = 0; r < n; r++)
    for (let q = a.offsets[r]; q < a.offsets[r + 1]; q++) out[r * n + a.columns[q]] = a.values[q];
  return out;
}

/** A graph Laplacian of random edges plus 0.1: positive definite; several edges between two nodes add up. */
function randomMatrix(random: Random, n: number, edges: number): SparseMatrix {
  const [rows, columns, values] = [[], [], []] as number[][];
  const add = (r: number, c: number, x: number) => {
    rows.push(r);
    columns.push(c);
    values.push(x);
  };
  for (let i = 0; i < n; i++) add(i, i, 0.1);
  for (let e = 0; e < edges; e++) {
    const [i, j, w] = [Math.floor(random() * n), Math.floor(random() * n), random()];
    add(i, i, w);
    add(j, j, w);
    add(i, j, -w);
    add(j, i, -w);
  }
  return sparseFromTriplets(n, rows, columns, values);
}

const vector = (random: Random, n: number) => Float64Array.from({ length: n }, () => randomNormal(random));

const meshMatrix = (n: number): SparseMatrix => {
  const mesh = grid(n, n);
  const { stiffness, mass } = cotangentLaplacian(mesh.positions, mesh.triangles);
  return scaledPlusDiagonal(stiffness, 1, mass);
};

describe('sparse matrices', () => {
  it('add up entries at one place, keep empty rows, and sort columns', () => {
    const a = sparseFromTriplets(4, [3, 0, 3, 0, 3], [1, 2, 1, 0, 0], [1, 2, 3, 4, 5]);
    expect([...a.offsets]).toEqual([0, 2, 2, 2, 4]);
    expect([...a.columns]).toEqual([0, 2, 0, 1]);
    expect([...a.values]).toEqual([4, 2, 5, 4]);
    expect(sparseSize(sparseFromTriplets(0, [], [], []))).toBe(0);
  });

  it('multiply as dense ones do', () => {
    const random = seededRandom(3);
    const a = randomMatrix(random, 30, 60);
    const full = dense(a);
    const x = vector(random, 30);
    multiplySparse(new Float64Array(30), a, x).forEach((value, r) => {
      const expected = x.reduce((sum, xc, c) => sum + full[30 * r + c] * xc, 0);
      expect(value).toBeCloseTo(expected, 12);
    });
  });
});

describe('SparseCholesky', () => {
  it('solves as dense Cholesky does (seed 7)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 200 }), fc.integer(), (n, edges, seed) => {
        const random = seededRandom(seed);
        const a = randomMatrix(random, n, edges);
        const b = vector(random, n);
        const solver = new SparseCholesky(a);
        expect(solver.factor(a)).toBe(true);
        const l = dense(a);
        const expected = b.slice();
        expect(choleskyFactor(l, n)).toBe(true);
        choleskySolve(l, n, expected, 1);
        const x = solver.solve(b);
        for (let i = 0; i < n; i++) expect(x[i]).toBeCloseTo(expected[i], 8);
        // In place, and with the matrix doubled under the same pattern.
        expect(solver.factor({ ...a, values: a.values.map((value) => 2 * value) })).toBe(true);
        const half = b.slice();
        expect(solver.solve(half, half)).toBe(half);
        for (let i = 0; i < n; i++) expect(2 * half[i]).toBeCloseTo(expected[i], 8);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('leaves a small residual on a mesh', () => {
    const a = meshMatrix(60);
    const n = sparseSize(a);
    const solver = new SparseCholesky(a);
    expect(solver.factor(a)).toBe(true);
    const b = vector(seededRandom(5), n);
    const back = multiplySparse(new Float64Array(n), a, solver.solve(b));
    expect(Math.max(...back.map((value, i) => Math.abs(value - b[i])))).toBeLessThan(1e-10);
  });

  it('says when a matrix is not positive definite, and does not solve then', () => {
    const a = sparseFromTriplets(2, [0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 2, 1]);
    const solver = new SparseCholesky(a);
    expect(solver.factor(a)).toBe(false);
    expect(() => solver.solve(new Float64Array(2))).toThrow(expect.objectContaining({ code: 'internal' }));
    const mesh = icosphere(1);
    const { stiffness } = cotangentLaplacian(mesh.positions, mesh.triangles);
    expect(new SparseCholesky(stiffness).factor(scaledPlusDiagonal(stiffness, -1, [...stiffness.offsets]))).toBe(false);
  });
});

describe('minimumDegreeOrder', () => {
  it('is a permutation (seed 11)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 400 }), fc.integer(), (n, edges, seed) => {
        const a = n === 0 ? sparseFromTriplets(0, [], [], []) : randomMatrix(seededRandom(seed), n, edges);
        const order = minimumDegreeOrder(a);
        expect([...order].sort((x, y) => x - y)).toEqual(Array.from({ length: n }, (_, i) => i));
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  it('fills a grid far less than rows in their order', () => {
    const a = meshMatrix(60);
    const natural = Uint32Array.from({ length: sparseSize(a) }, (_, i) => i);
    const fill = new SparseCholesky(a).fill;
    expect(fill).toBeLessThan(new SparseCholesky(a, natural).fill / 2.5);
    // Nested dissection of an n × n grid has about (31/4)·n²·log2(n) entries.
    expect(fill).toBeLessThan((31 / 4) * 61 * 61 * Math.log2(61));
  });

  it('fills a tree not at all', () => {
    const n = 200;
    const [rows, columns] = [[], []] as number[][];
    for (let i = 0; i < n; i++) {
      rows.push(i);
      columns.push(i);
      if (i > 0) {
        const parent = Math.floor((i - 1) / 3);
        rows.push(i, parent);
        columns.push(parent, i);
      }
    }
    expect(new SparseCholesky(sparseFromTriplets(n, rows, columns, rows)).fill).toBe(n - 1);
  });
});
