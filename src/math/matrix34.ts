import type { Numbers } from './quaternion.ts';

/**
 * Affine maps as 12 numbers, 3 × 4 row-major, inside flat arrays: `[A | t]`, x ↦ A·x + t. Functions take an array and an
 * offset and write into `out` at `o`; `out` may be an input.
 */

/** Numbers per matrix. */
export const MATRIX_STRIDE = 12;

export const IDENTITY34: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** `count` identity matrices. */
export function identity34(count = 1): Float32Array {
  const out = new Float32Array(MATRIX_STRIDE * count);
  for (let j = 0; j < count; j++) out.set(IDENTITY34, MATRIX_STRIDE * j);
  return out;
}

const product = new Float64Array(MATRIX_STRIDE);

/** out = a · b: b first, then a. */
export function multiply34(out: Numbers, o: number, a: Numbers, ai: number, b: Numbers, bi: number): void {
  for (let row = 0; row < MATRIX_STRIDE; row += 4) {
    const x = a[ai + row];
    const y = a[ai + row + 1];
    const z = a[ai + row + 2];
    for (let c = 0; c < 4; c++) product[row + c] = x * b[bi + c] + y * b[bi + 4 + c] + z * b[bi + 8 + c];
    product[row + 3] += a[ai + row + 3];
  }
  for (let c = 0; c < MATRIX_STRIDE; c++) out[o + c] = product[c];
}

/** Determinant of the linear part. */
export function determinant34(m: Numbers, mi = 0): number {
  return (
    m[mi] * (m[mi + 5] * m[mi + 10] - m[mi + 6] * m[mi + 9]) -
    m[mi + 1] * (m[mi + 4] * m[mi + 10] - m[mi + 6] * m[mi + 8]) +
    m[mi + 2] * (m[mi + 4] * m[mi + 9] - m[mi + 5] * m[mi + 8])
  );
}

/** out (9) = the cofactors of the linear part, row-major: its inverse transpose times its determinant. */
export function cofactors34(out: Numbers, m: Numbers, mi: number): void {
  out[0] = m[mi + 5] * m[mi + 10] - m[mi + 6] * m[mi + 9];
  out[1] = m[mi + 6] * m[mi + 8] - m[mi + 4] * m[mi + 10];
  out[2] = m[mi + 4] * m[mi + 9] - m[mi + 5] * m[mi + 8];
  out[3] = m[mi + 2] * m[mi + 9] - m[mi + 1] * m[mi + 10];
  out[4] = m[mi] * m[mi + 10] - m[mi + 2] * m[mi + 8];
  out[5] = m[mi + 1] * m[mi + 8] - m[mi] * m[mi + 9];
  out[6] = m[mi + 1] * m[mi + 6] - m[mi + 2] * m[mi + 5];
  out[7] = m[mi + 2] * m[mi + 4] - m[mi] * m[mi + 6];
  out[8] = m[mi] * m[mi + 5] - m[mi + 1] * m[mi + 4];
}

const cofactors = new Float64Array(9);

/** out = m⁻¹. Returns false, and writes nothing, when m is singular. */
export function invert34(out: Numbers, o: number, m: Numbers, mi: number): boolean {
  const det = determinant34(m, mi);
  if (!(Math.abs(det) > 0) || !Number.isFinite(1 / det)) return false;
  cofactors34(cofactors, m, mi);
  const [tx, ty, tz] = [m[mi + 3], m[mi + 7], m[mi + 11]];
  for (let r = 0; r < 3; r++) {
    const x = cofactors[r] / det;
    const y = cofactors[3 + r] / det;
    const z = cofactors[6 + r] / det;
    out[o + 4 * r] = x;
    out[o + 4 * r + 1] = y;
    out[o + 4 * r + 2] = z;
    out[o + 4 * r + 3] = -(x * tx + y * ty + z * tz);
  }
  return true;
}

/** Where the j-th of several matrices takes the origin. */
export const translation34 = (m: Numbers, j = 0): [number, number, number] => [
  m[MATRIX_STRIDE * j + 3],
  m[MATRIX_STRIDE * j + 7],
  m[MATRIX_STRIDE * j + 11],
];

/** out = m · point. */
export function transformPoint34(
  out: Numbers,
  o: number,
  m: Numbers,
  mi: number,
  p: ArrayLike<number>,
  pi: number,
): void {
  const x = p[pi],
    y = p[pi + 1],
    z = p[pi + 2];
  out[o] = m[mi] * x + m[mi + 1] * y + m[mi + 2] * z + m[mi + 3];
  out[o + 1] = m[mi + 4] * x + m[mi + 5] * y + m[mi + 6] * z + m[mi + 7];
  out[o + 2] = m[mi + 8] * x + m[mi + 9] * y + m[mi + 10] * z + m[mi + 11];
}

/** From 16 numbers, column-major (glTF, WebGL). */
export function matrix34FromColumnMajor44(out: Numbers, o: number, m: ArrayLike<number>, mi = 0): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[o + 4 * r + c] = m[mi + 4 * c + r];
}

/** To 16 numbers, column-major (glTF, WebGL). */
export function columnMajor44From34(out: Numbers, o: number, m: ArrayLike<number>, mi = 0): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * c + r] = m[mi + 4 * r + c];
    out[o + 4 * c + 3] = c === 3 ? 1 : 0;
  }
}
