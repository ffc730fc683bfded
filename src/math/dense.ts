import { denseKernelsAvailable, kernelGram, kernelMultiply, WORTHWHILE } from '../kernels/dense.ts';

/**
 * Dense linear algebra on row-major Float64Arrays: just what fitting and learning need. Loops run along rows, so that
 * memory is read in order and the compiler's bounds checks stay out of the inner loop.
 * Large products run on SIMD kernels where the host has them.
 */

/** out (n × p) = a (n × m) · b (m × p). `out` is neither a nor b. */
export function multiply(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  m: number,
  p: number,
): Float64Array {
  const onKernels = n >= 4 && p >= 4 && n * m * p >= WORTHWHILE && denseKernelsAvailable();
  return onKernels ? kernelMultiply(out, a, b, n, m, p) : plainMultiply(out, a, b, n, m, p);
}

/** out (n × n) = a · aᵀ for a (n × m). */
export function gramOfRows(out: Float64Array, a: Float64Array, n: number, m: number): Float64Array {
  const onKernels = n >= 4 && n * n * m >= WORTHWHILE && denseKernelsAvailable();
  return onKernels ? kernelGram(out, a, n, m) : plainGramOfRows(out, a, n, m);
}

export function plainMultiply(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  m: number,
  p: number,
): Float64Array {
  // Four rows of b at a time: each pass over a row of `out` then does four multiply-adds per load and store.
  for (let row = 0; row < n; row++) {
    const o = row * p;
    const ai = row * m;
    for (let c = 0; c < p; c++) out[o + c] = 0;
    let k = 0;
    for (; k + 3 < m; k += 4) {
      const a0 = a[ai + k];
      const a1 = a[ai + k + 1];
      const a2 = a[ai + k + 2];
      const a3 = a[ai + k + 3];
      const b0 = k * p;
      const b1 = b0 + p;
      const b2 = b1 + p;
      const b3 = b2 + p;
      for (let c = 0; c < p; c++) out[o + c] += a0 * b[b0 + c] + a1 * b[b1 + c] + a2 * b[b2 + c] + a3 * b[b3 + c];
    }
    for (; k < m; k++) {
      const a0 = a[ai + k];
      const b0 = k * p;
      for (let c = 0; c < p; c++) out[o + c] += a0 * b[b0 + c];
    }
  }
  return out;
}

/** out (m × n) = aᵀ for a (n × m). */
export function transpose(out: Float64Array, a: Float64Array, n: number, m: number): Float64Array {
  for (let row = 0; row < n; row++) for (let c = 0; c < m; c++) out[c * n + row] = a[row * m + c];
  return out;
}

export function plainGramOfRows(out: Float64Array, a: Float64Array, n: number, m: number): Float64Array {
  for (let row = 0; row < n; row++) {
    const ri = row * m;
    let col = 0;
    for (; col + 1 <= row; col += 2) {
      const c0 = col * m;
      const c1 = c0 + m;
      let s0 = 0;
      let s1 = 0;
      for (let k = 0; k < m; k++) {
        const x = a[ri + k];
        s0 += x * a[c0 + k];
        s1 += x * a[c1 + k];
      }
      out[row * n + col] = s0;
      out[row * n + col + 1] = s1;
    }
    for (; col <= row; col++) {
      let s = 0;
      for (let k = 0; k < m; k++) s += a[ri + k] * a[col * m + k];
      out[row * n + col] = s;
    }
  }
  for (let row = 0; row < n; row++) for (let col = 0; col < row; col++) out[col * n + row] = out[row * n + col];
  return out;
}

/** Σ a_c·b_c. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

/** Σ (a_c − b_c)². */
export function squaredDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return sum;
}

/** out += scale·x. */
export function addScaled(out: Float64Array, x: Float64Array, scale: number): void {
  for (let c = 0; c < out.length; c++) out[c] += scale * x[c];
}

/** Takes out of x what lies along the first `count` rows, which are orthonormal: Gram–Schmidt, twice for accuracy. */
export function orthogonalize(x: Float64Array, rows: Float64Array, count: number): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let q = 0; q < count; q++) {
      const row = rows.subarray(q * x.length, (q + 1) * x.length);
      addScaled(x, row, -dot(x, row));
    }
  }
}
