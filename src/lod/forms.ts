/**
 * Symmetric 3 × 3 matrices S as six numbers, xx xy xz yy yz zz, at `s` of an array; other 3 × 3 matrices as nine, row-major.
 */

const middle = new Float64Array(9);

/** aᵀ·S·b, with the six numbers of S at `s`. */
export function form(s6: Float32Array, s: number, a: Float64Array, i: number, b: Float64Array, j: number): number {
  return (
    a[i] * (s6[s] * b[j] + s6[s + 1] * b[j + 1] + s6[s + 2] * b[j + 2]) +
    a[i + 1] * (s6[s + 1] * b[j] + s6[s + 3] * b[j + 1] + s6[s + 4] * b[j + 2]) +
    a[i + 2] * (s6[s + 2] * b[j] + s6[s + 4] * b[j + 1] + s6[s + 5] * b[j + 2])
  );
}

/** out −= S·d. */
export function subtractProduct(out: Float64Array, s6: Float32Array, s: number, d: Float64Array, i: number): void {
  out[0] -= s6[s] * d[i] + s6[s + 1] * d[i + 1] + s6[s + 2] * d[i + 2];
  out[1] -= s6[s + 1] * d[i] + s6[s + 3] * d[i + 1] + s6[s + 4] * d[i + 2];
  out[2] -= s6[s + 2] * d[i] + s6[s + 4] * d[i + 1] + s6[s + 5] * d[i + 2];
}

/** out += Mᵀ·v. */
export function addTransposed(out: Float64Array, o: number, m: Float32Array, q: number, v: Float64Array): void {
  for (let c = 0; c < 3; c++) out[o + c] += m[q + c] * v[0] + m[q + 3 + c] * v[1] + m[q + 6 + c] * v[2];
}

/** out += Mᵀ·S·N. */
export function addSandwich(
  out: Float64Array,
  o: number,
  m: Float32Array,
  qm: number,
  s6: Float32Array,
  s: number,
  n: Float32Array,
  qn: number,
): void {
  for (let c = 0; c < 3; c++) {
    const a = n[qn + c];
    const b = n[qn + 3 + c];
    const d = n[qn + 6 + c];
    middle[c] = s6[s] * a + s6[s + 1] * b + s6[s + 2] * d;
    middle[3 + c] = s6[s + 1] * a + s6[s + 3] * b + s6[s + 4] * d;
    middle[6 + c] = s6[s + 2] * a + s6[s + 4] * b + s6[s + 5] * d;
  }
  for (let r = 0; r < 3; r++) {
    const a = m[qm + r];
    const b = m[qm + 3 + r];
    const d = m[qm + 6 + r];
    for (let c = 0; c < 3; c++) out[o + 3 * r + c] += a * middle[c] + b * middle[3 + c] + d * middle[6 + c];
  }
}

/** out = S⁻¹·v. Returns false when S is singular. */
export function solveSymmetric(out: Float64Array, s6: Float32Array, s: number, v: Float64Array): boolean {
  const [xx, xy, xz, yy, yz, zz] = [s6[s], s6[s + 1], s6[s + 2], s6[s + 3], s6[s + 4], s6[s + 5]];
  const c0 = yy * zz - yz * yz;
  const c1 = xz * yz - xy * zz;
  const c2 = xy * yz - xz * yy;
  const det = xx * c0 + xy * c1 + xz * c2;
  if (!(det > 0)) return false;
  out[0] = (c0 * v[0] + c1 * v[1] + c2 * v[2]) / det;
  out[1] = (c1 * v[0] + (xx * zz - xz * xz) * v[1] + (xy * xz - xx * yz) * v[2]) / det;
  out[2] = (c2 * v[0] + (xy * xz - xx * yz) * v[1] + (xx * yy - xy * xy) * v[2]) / det;
  return true;
}
