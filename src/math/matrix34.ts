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

/** out = a · b: b first, then a. */
export function multiply34(out: Numbers, o: number, a: Numbers, ai: number, b: Numbers, bi: number): void {
  const b0 = b[bi],
    b1 = b[bi + 1],
    b2 = b[bi + 2],
    b3 = b[bi + 3];
  const b4 = b[bi + 4],
    b5 = b[bi + 5],
    b6 = b[bi + 6],
    b7 = b[bi + 7];
  const b8 = b[bi + 8],
    b9 = b[bi + 9],
    b10 = b[bi + 10],
    b11 = b[bi + 11];
  for (let row = 0; row < MATRIX_STRIDE; row += 4) {
    const x = a[ai + row],
      y = a[ai + row + 1],
      z = a[ai + row + 2],
      t = a[ai + row + 3];
    out[o + row] = x * b0 + y * b4 + z * b8;
    out[o + row + 1] = x * b1 + y * b5 + z * b9;
    out[o + row + 2] = x * b2 + y * b6 + z * b10;
    out[o + row + 3] = x * b3 + y * b7 + z * b11 + t;
  }
}

/** Determinant of the linear part. */
export function determinant34(m: Numbers, mi = 0): number {
  return (
    m[mi] * (m[mi + 5] * m[mi + 10] - m[mi + 6] * m[mi + 9]) -
    m[mi + 1] * (m[mi + 4] * m[mi + 10] - m[mi + 6] * m[mi + 8]) +
    m[mi + 2] * (m[mi + 4] * m[mi + 9] - m[mi + 5] * m[mi + 8])
  );
}

/** out = m⁻¹. Returns false, and writes nothing, when m is singular. */
export function invert34(out: Numbers, o: number, m: Numbers, mi: number): boolean {
  const det = determinant34(m, mi);
  if (!(Math.abs(det) > 0) || !Number.isFinite(1 / det)) return false;
  const m0 = m[mi],
    m1 = m[mi + 1],
    m2 = m[mi + 2],
    m3 = m[mi + 3];
  const m4 = m[mi + 4],
    m5 = m[mi + 5],
    m6 = m[mi + 6],
    m7 = m[mi + 7];
  const m8 = m[mi + 8],
    m9 = m[mi + 9],
    m10 = m[mi + 10],
    m11 = m[mi + 11];
  const i0 = (m5 * m10 - m6 * m9) / det,
    i1 = (m2 * m9 - m1 * m10) / det,
    i2 = (m1 * m6 - m2 * m5) / det;
  const i4 = (m6 * m8 - m4 * m10) / det,
    i5 = (m0 * m10 - m2 * m8) / det,
    i6 = (m2 * m4 - m0 * m6) / det;
  const i8 = (m4 * m9 - m5 * m8) / det,
    i9 = (m1 * m8 - m0 * m9) / det,
    i10 = (m0 * m5 - m1 * m4) / det;
  out[o] = i0;
  out[o + 1] = i1;
  out[o + 2] = i2;
  out[o + 3] = -(i0 * m3 + i1 * m7 + i2 * m11);
  out[o + 4] = i4;
  out[o + 5] = i5;
  out[o + 6] = i6;
  out[o + 7] = -(i4 * m3 + i5 * m7 + i6 * m11);
  out[o + 8] = i8;
  out[o + 9] = i9;
  out[o + 10] = i10;
  out[o + 11] = -(i8 * m3 + i9 * m7 + i10 * m11);
  return true;
}

/** Where the j-th of several matrices takes the origin. */
export const translation34 = (m: Numbers, j = 0): [number, number, number] => [
  m[MATRIX_STRIDE * j + 3],
  m[MATRIX_STRIDE * j + 7],
  m[MATRIX_STRIDE * j + 11],
];

/** out = m · point. */
export function transformPoint34(out: Numbers, o: number, m: Numbers, mi: number, p: Numbers, pi: number): void {
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
