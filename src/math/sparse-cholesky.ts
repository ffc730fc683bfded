import { PliantError } from '../error.ts';
import { minimumDegreeOrder } from './minimum-degree.ts';
import { type SparseMatrix, sparseSize } from './sparse-matrix.ts';

/**
 * Sparse Cholesky factorisation A = Pᵀ·L·D·Lᵀ·P of a symmetric positive definite matrix, row by row of L (Davis 2005,
 * "Algorithm 849: a concise sparse Cholesky factorization package"). The pattern is analysed once: an order P of little
 * fill, the elimination tree, the sizes of L's columns. Matrices of the same pattern are then factored by `factor`, and
 * right-hand sides solved by `solve`, as often as wanted.
 */
export class SparseCholesky {
  readonly size: number;
  /** n: place in the elimination → row of the matrix. */
  readonly order: Uint32Array;
  /** Row of the matrix → its place. */
  readonly #place: Uint32Array;
  /** The elimination tree: the parent of a column or −1. */
  readonly #parent: Int32Array;
  /** n + 1: where the columns of L start. The unit diagonal is not stored. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #values: Float64Array;
  readonly #pivots: Float64Array;
  readonly #work: Float64Array;
  #factored = false;

  /** Analyses the pattern of a matrix. Its values do not matter yet. */
  constructor(pattern: SparseMatrix, order: Uint32Array = minimumDegreeOrder(pattern)) {
    const n = sparseSize(pattern);
    this.size = n;
    this.order = order;
    this.#place = new Uint32Array(n);
    for (let k = 0; k < n; k++) this.#place[order[k]] = k;
    this.#parent = new Int32Array(n).fill(-1);

    // Row k of L has the columns met on the way up the tree from every entry left of the diagonal.
    const counts = new Uint32Array(n);
    const seen = new Int32Array(n).fill(-1);
    for (let k = 0; k < n; k++) {
      seen[k] = k;
      const row = order[k];
      for (let q = pattern.offsets[row]; q < pattern.offsets[row + 1]; q++) {
        for (let j = this.#place[pattern.columns[q]]; j < k && seen[j] !== k; j = this.#parent[j]) {
          if (this.#parent[j] < 0) this.#parent[j] = k;
          counts[j]++;
          seen[j] = k;
        }
      }
    }
    this.#starts = new Uint32Array(n + 1);
    for (let k = 0; k < n; k++) this.#starts[k + 1] = this.#starts[k] + counts[k];
    this.#rows = new Uint32Array(this.#starts[n]);
    this.#values = new Float64Array(this.#starts[n]);
    this.#pivots = new Float64Array(n);
    this.#work = new Float64Array(n);
  }

  /** Entries of L below its diagonal. */
  get fill(): number {
    return this.#rows.length;
  }

  /** Factors a matrix of the analysed pattern. Returns false when it is not positive definite. */
  factor(a: SparseMatrix): boolean {
    const { size: n, order } = this;
    const place = this.#place;
    const parent = this.#parent;
    const starts = this.#starts;
    const rows = this.#rows;
    const values = this.#values;
    const pivots = this.#pivots;
    const y = this.#work.fill(0);
    const used = new Uint32Array(n); // entries of each column of L so far
    const seen = new Int32Array(n).fill(-1);
    const path = new Uint32Array(n);
    const pattern = new Uint32Array(n);
    this.#factored = false;
    for (let k = 0; k < n; k++) {
      // (1) The pattern of row k in topological order, and row k of A scattered into y.
      let top = n;
      seen[k] = k;
      const row = order[k];
      let pivot = 0;
      for (let q = a.offsets[row]; q < a.offsets[row + 1]; q++) {
        let j = place[a.columns[q]];
        if (j > k) continue;
        if (j === k) {
          pivot += a.values[q];
          continue;
        }
        y[j] += a.values[q];
        let length = 0;
        for (; seen[j] !== k; j = parent[j]) {
          path[length++] = j;
          seen[j] = k;
        }
        while (length > 0) pattern[--top] = path[--length];
      }

      // (2) Solve L·D·l = y, column by column.
      for (; top < n; top++) {
        const j = pattern[top];
        const yj = y[j];
        y[j] = 0;
        const end = starts[j] + used[j];
        for (let q = starts[j]; q < end; q++) y[rows[q]] -= values[q] * yj;
        const l = yj / pivots[j];
        pivot -= l * yj;
        rows[end] = k;
        values[end] = l;
        used[j]++;
      }
      if (!(pivot > 0)) return false;
      pivots[k] = pivot;
    }
    this.#factored = true;
    return true;
  }

  /** x with A·x = b, n numbers each, into `out`, which may be b. A successful `factor` must have gone before. */
  solve(b: Float64Array, out: Float64Array = new Float64Array(this.size)): Float64Array {
    if (!this.#factored) {
      throw new PliantError('internal', 'SparseCholesky', 'solve needs a successful factorisation first');
    }
    const { size: n, order } = this;
    const starts = this.#starts;
    const rows = this.#rows;
    const values = this.#values;
    const x = this.#work;
    for (let k = 0; k < n; k++) x[k] = b[order[k]];
    for (let k = 0; k < n; k++) {
      const xk = x[k];
      if (xk === 0) continue;
      for (let q = starts[k]; q < starts[k + 1]; q++) x[rows[q]] -= values[q] * xk;
    }
    for (let k = n - 1; k >= 0; k--) {
      let sum = x[k] / this.#pivots[k];
      for (let q = starts[k]; q < starts[k + 1]; q++) sum -= values[q] * x[rows[q]];
      x[k] = sum;
    }
    for (let k = 0; k < n; k++) out[order[k]] = x[k];
    return out;
  }
}
