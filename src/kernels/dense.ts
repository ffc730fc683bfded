import { type DenseKernels, kernelMemory, kernelsAvailable, loadKernels } from './load.ts';

/**
 * The dense products of src/math/dense.ts on SIMD kernels, for matrices large enough that copying them to kernel memory
 * and back does not count. One memory is kept and grows as needed.
 */

/** Multiply-adds from which the kernels are worth their copies. */
export const WORTHWHILE = 2e6;

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

/** out (n × n) = a · aᵀ for a (n × m). */
export function kernelGram(out: Float64Array, a: Float64Array, n: number, m: number): Float64Array {
  const at = { a: 64, out: 64 + 8 * roundUp(n * m, 8) };
  const { memory, kernels } = roomFor(at.out + 8 * n * n);
  new Float64Array(memory.buffer, at.a, n * m).set(a.subarray(0, n * m));
  kernels.gramOfRows(n, m, at.a, at.out);
  out.set(new Float64Array(memory.buffer, at.out, n * n));
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
  const rows = roundUp(n, 4);
  const stride = roundUp(p, 4);
  const at = { a: 64, b: 64 + 8 * roundUp(rows * m, 8), out: 0 };
  at.out = at.b + 8 * roundUp(m * stride, 8);
  const { memory, kernels } = roomFor(at.out + 8 * rows * stride);
  new Float64Array(memory.buffer, at.a, n * m).set(a.subarray(0, n * m));
  const padded = new Float64Array(memory.buffer, at.b, m * stride);
  if (stride === p) padded.set(b.subarray(0, m * p));
  else for (let k = 0; k < m; k++) padded.set(b.subarray(k * p, (k + 1) * p), k * stride);
  kernels.multiply(n, m, stride, at.a, at.b, at.out);
  const product = new Float64Array(memory.buffer, at.out, rows * stride);
  for (let row = 0; row < n; row++) out.set(product.subarray(row * stride, row * stride + p), row * p);
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
