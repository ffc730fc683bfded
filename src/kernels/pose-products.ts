import { roundUp } from './dense.ts';
import { bufferOf, kernelMemory, kernelsAvailable, loadKernels } from './load.ts';

/**
 * Products of large constant matrices with what changes from pose to pose. The matrix is copied to kernel memory once;
 * input and output are views of that memory, so that a product copies and allocates nothing. Small ones, and
 * hosts without SIMD, run the same sums in TypeScript.
 */

/** Numbers of a matrix from which a kernel is worth a memory of its own. */
const WORTHWHILE = 512;

/** Views of f64 arrays in one memory, each on a cache line, with room to a multiple of eight numbers. */
function layOut(lengths: readonly number[]) {
  let bytes = 64;
  const offsets = lengths.map((length) => {
    const offset = bytes;
    bytes += 8 * roundUp(length, 8);
    return offset;
  });
  const wasm = Math.max(...lengths) >= WORTHWHILE && kernelsAvailable(false);
  const memory = wasm ? kernelMemory(bytes, false) : new ArrayBuffer(bytes);
  const buffer = bufferOf(memory);
  const views = lengths.map((length, v) => new Float64Array(buffer, offsets[v], length));
  return { views, offsets, kernels: 'buffer' in memory ? loadKernels(memory) : undefined };
}

/** out (width) = start + Σ_k weights_k·row_k for `rows` (count × width). */
export class RowBlend {
  /** count: to be set before `run`. */
  readonly weights: Float64Array;
  /** width. */
  readonly out: Float64Array;
  readonly run: () => void;

  constructor(rows: Float64Array, start: Float64Array) {
    const width = start.length;
    const count = rows.length / width;
    const padded = roundUp(width, 8);
    const { views, offsets, kernels } = layOut([count, count * padded, padded, padded]);
    const [weights, matrix, first, out] = views;
    for (let k = 0; k < count; k++) matrix.set(rows.subarray(k * width, (k + 1) * width), k * padded);
    first.set(start);
    this.weights = weights;
    this.out = out.subarray(0, width);
    const [w, m, s, o] = offsets;
    this.run = kernels
      ? () => kernels.blendRows(count, padded, w, m, s, o)
      : () => {
          out.set(first);
          for (let k = 0; k < count; k++) {
            for (let c = 0; c < padded; c++) out[c] += weights[k] * matrix[k * padded + c];
          }
        };
  }
}

/** Numbers per row of what a `ThinProduct` takes and gives: three and padding. */
export const THIN = 4;

/** out (n × 4) = matrix (n × m) · input (m × 4). */
export class ThinProduct {
  /** m × 4: to be set before `run`. */
  readonly input: Float64Array;
  /** n × 4. */
  readonly out: Float64Array;
  readonly run: () => void;

  constructor(matrix: Float64Array, n: number) {
    const m = matrix.length / n;
    const rows = roundUp(n, 4);
    const { views, offsets, kernels } = layOut([rows * m, THIN * m, THIN * rows]);
    const [a, input, out] = views;
    a.set(matrix);
    this.input = input;
    this.out = out.subarray(0, THIN * n);
    this.run = kernels
      ? () => kernels.multiply(n, m, THIN, offsets[0], offsets[1], offsets[2])
      : () => {
          out.fill(0);
          for (let i = 0; i < n; i++) {
            for (let k = 0; k < m; k++) {
              for (let c = 0; c < THIN; c++) out[THIN * i + c] += a[i * m + k] * input[THIN * k + c];
            }
          }
        };
  }
}
