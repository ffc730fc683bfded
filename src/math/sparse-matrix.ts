/**
 * Sparse square matrices by rows: row r has the columns `columns[offsets[r]] … columns[offsets[r + 1] − 1]`, rising, each
 * once, and `values` beside them. A symmetric matrix is kept whole, both triangles, so that its rows are its columns.
 */
export interface SparseMatrix {
  /** n + 1. */
  offsets: Uint32Array;
  columns: Uint32Array;
  values: Float64Array;
}

/** n. */
export const sparseSize = (a: SparseMatrix): number => a.offsets.length - 1;

/** The n × n matrix that sums `values[q]` at (`rows[q]`, `columns[q]`): two counting sorts, O(n + entries). */
export function sparseFromTriplets(
  n: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): SparseMatrix {
  const byColumn = countingOrder(columns, n);
  const order = countingOrder(rows, n, byColumn); // stable: by row, then by column
  const offsets = new Uint32Array(n + 1);
  const outColumns = new Uint32Array(order.length);
  const outValues = new Float64Array(order.length);
  let used = 0;
  let row = -1;
  for (const q of order) {
    while (row < rows[q]) offsets[++row] = used;
    if (used > offsets[row] && outColumns[used - 1] === columns[q]) {
      outValues[used - 1] += values[q];
    } else {
      outColumns[used] = columns[q];
      outValues[used++] = values[q];
    }
  }
  while (row < n) offsets[++row] = used;
  return { offsets, columns: outColumns.slice(0, used), values: outValues.slice(0, used) };
}

/** The positions of `keys` by rising key, those of equal keys in the order of `order`. */
function countingOrder(keys: ArrayLike<number>, limit: number, order?: Uint32Array): Uint32Array {
  const next = new Uint32Array(limit + 1);
  for (let q = 0; q < keys.length; q++) next[keys[q] + 1]++;
  for (let key = 0; key < limit; key++) next[key + 1] += next[key];
  const out = new Uint32Array(keys.length);
  for (let s = 0; s < keys.length; s++) {
    const q = order ? order[s] : s;
    out[next[keys[q]]++] = q;
  }
  return out;
}

/** out = A·x; both have n numbers, and `out` is not x. */
export function multiplySparse(out: Float64Array, a: SparseMatrix, x: Float64Array): Float64Array {
  const { offsets, columns, values } = a;
  for (let r = 0; r + 1 < offsets.length; r++) {
    let sum = 0;
    for (let q = offsets[r]; q < offsets[r + 1]; q++) sum += values[q] * x[columns[q]];
    out[r] = sum;
  }
  return out;
}

/** scale·A + diag(d), for n numbers d. Every row of A has its diagonal entry. */
export function scaledPlusDiagonal(a: SparseMatrix, scale: number, d: ArrayLike<number>): SparseMatrix {
  const { offsets, columns } = a;
  const values = a.values.map((value) => scale * value);
  for (let r = 0; r + 1 < offsets.length; r++) {
    for (let q = offsets[r]; q < offsets[r + 1]; q++) if (columns[q] === r) values[q] += d[r];
  }
  return { offsets, columns, values };
}
