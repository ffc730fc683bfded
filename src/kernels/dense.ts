import { type DenseKernels, kernelMemory, kernelsAvailable, loadKernels } from './load.ts';

/**
 * The dense products of src/math/dense.ts on SIMD kernels, for matrices large enough that copying them to kernel memory
 * and back does not count. One memory is kept and grows as needed.
 */

/** Multiply-adds from which the kernels are worth their copies. */
export const WORTHWHILE = 2e5;

let kept: { bytes: number; memory: WebAssembly.Memory; kernels: DenseKernels } | undefined;

export const denseKernelsAvailable = (): boolean => kernelsAvailable(false);

function roomFor(bytes: number) {
  if (!kept || kept.bytes < bytes) {
    const memory = kernelMemory(bytes, false);
    kept = { bytes, memory, kernels: loadKernels(memory) };
  }
  return kept;
}

/** The next multiple. */
export const roundUp = (n: number, to: number): number => to * Math.ceil(n / to);

/**
 * Matrices of very many columns, or very many rows, go through in pieces of this many bytes: kernel memory stays small
 * however many vertices a mesh has, and what is multiplied stays in the cache. Smaller ones go through whole, and so does
 * what a product sums over.
 */
const WHOLE = 2 ** 25;
const PIECE = 2 ** 21;

/** How many of `count` rows, or columns, of `length` numbers go through at once. */
const atOnce = (length: number, count: number): number =>
  8 * length * count <= WHOLE ? count : Math.min(count, roundUp(PIECE / (8 * length), 64));

/** out (rows × stride) = the columns begin…end of `a` (rows × columns). */
function putColumns(
  out: Float64Array,
  stride: number,
  a: Float64Array,
  rows: number,
  columns: number,
  begin: number,
  end: number,
): void {
  if (end - begin === columns && stride === columns) out.set(a.subarray(0, rows * columns));
  else for (let r = 0; r < rows; r++) out.set(a.subarray(r * columns + begin, r * columns + end), r * stride);
}

/** out (n × n) = a · aᵀ for a (n × m). */
export function kernelGram(out: Float64Array, a: Float64Array, n: number, m: number): Float64Array {
  const most = atOnce(n, m);
  const at = { a: 64, out: 64 + 8 * roundUp(n * most, 8) };
  const { memory, kernels } = roomFor(at.out + 8 * n * n);
  const product = new Float64Array(memory.buffer, at.out, n * n);
  for (let begin = 0; begin < m; begin += most) {
    const end = Math.min(m, begin + most);
    const width = end - begin;
    putColumns(new Float64Array(memory.buffer, at.a, n * width), width, a, n, m, begin, end);
    kernels.gramOfRows(n, width, at.a, at.out);
    if (begin === 0) out.set(product);
    else for (let c = 0; c < product.length; c++) out[c] += product[c];
  }
  return out;
}

/** out (n × p) = a (n × m) · b (m × p). */
export function kernelMultiply(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  m: number,
  p: number,
): Float64Array {
  const most = { columns: atOnce(m, p), rows: n };
  // A row of `a` comes with its row of the product.
  most.rows = atOnce(m + most.columns, n);
  const room = { rows: roundUp(most.rows, 4), columns: roundUp(most.columns, 4) };
  const at = { a: 64, b: 64 + 8 * roundUp(room.rows * m, 8), out: 0 };
  at.out = at.b + 8 * roundUp(m * room.columns, 8);
  const { memory, kernels } = roomFor(at.out + 8 * room.rows * room.columns);
  for (let begin = 0; begin < p; begin += most.columns) {
    const end = Math.min(p, begin + most.columns);
    const stride = roundUp(end - begin, 4);
    putColumns(new Float64Array(memory.buffer, at.b, m * stride), stride, b, m, p, begin, end);
    for (let top = 0; top < n; top += most.rows) {
      const height = Math.min(n - top, most.rows);
      // Rows that all fit stay where they are.
      if (begin === 0 || most.rows < n) {
        new Float64Array(memory.buffer, at.a, height * m).set(a.subarray(top * m, (top + height) * m));
      }
      kernels.multiply(height, m, stride, at.a, at.b, at.out);
      const product = new Float64Array(memory.buffer, at.out, height * stride);
      for (let row = 0; row < height; row++) {
        out.set(product.subarray(row * stride, row * stride + end - begin), (top + row) * p + begin);
      }
    }
  }
  return out;
}

/** Eigenvalues, unsorted, and eigenvectors as rows, of a symmetric matrix. */
export function kernelEigen(a: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const matrix = 8 * roundUp(n * n, 8);
  const at = { m: 64, q: 64 + matrix, d: 64 + 2 * matrix, work: 64 + 2 * matrix + 8 * roundUp(n, 8) };
  const { memory, kernels } = roomFor(at.work + 8 * roundUp(4 * n, 8));
  new Float64Array(memory.buffer, at.m, n * n).set(a.subarray(0, n * n));
  kernels.symmetricEigen(n, at.m, at.q, at.d, at.work);
  return {
    values: new Float64Array(memory.buffer, at.d, n).slice(),
    vectors: new Float64Array(memory.buffer, at.q, n * n).slice(),
  };
}
