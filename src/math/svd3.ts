import type { Numbers } from './quaternion.ts';

/**
 * Singular value and polar decomposition of 3 × 3 matrices, 9 numbers row-major. One-sided Jacobi rotations (Hestenes
 * 1958): they turn the columns of A until they are orthogonal, A·V = U·Σ, and are accurate to the last bits even for
 * tiny singular values, which methods through AᵀA lose. No allocation; outputs may be the input.
 */

/** The identity. */
export const IDENTITY3: Float64Array = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]);

/** A·V, whose columns become orthogonal. Module state: JavaScript runs one call at a time. */
const b = new Float64Array(9);
const w = new Float64Array(9);
const s = new Float64Array(3);
const frame = new Float64Array(9);

/** Columns count as orthogonal when the cosine between them is below this. */
const ORTHOGONAL = 1e-16;
/** Singular values below this fraction of the matrix count as 0: products of their squares would underflow. */
const NEGLIGIBLE = 1e-100;
/** Convergence is quadratic: six sweeps are the most that was seen. */
const MAX_SWEEPS = 12;

/**
 * a = u · diag(sigma) · vᵀ with u and v proper rotations: |sigma| falls, and sigma[2] is negative where det a is.
 * Entries must be finite.
 */
export function svd3(u: Numbers, sigma: Numbers, v: Numbers, a: Numbers): void {
  decompose(a);
  for (let c = 0; c < 9; c++) {
    u[c] = frame[c];
    v[c] = w[c];
  }
  for (let c = 0; c < 3; c++) sigma[c] = s[c];
}

/**
 * a = r · sym with r the proper rotation closest to a, and sym symmetric. Where a mirrors, sym has one negative
 * eigenvalue, the smallest in size; where a is singular, r is one of the closest rotations.
 */
export function polar3(r: Numbers, sym: Numbers, a: Numbers): void {
  if (newtonPolar(r, sym, a)) return;
  decompose(a);
  for (let row = 0; row < 9; row += 3) {
    for (let col = 0; col < 9; col += 3) {
      const out = row + col / 3;
      r[out] = frame[row] * w[col] + frame[row + 1] * w[col + 1] + frame[row + 2] * w[col + 2];
      sym[out] = w[row] * s[0] * w[col] + w[row + 1] * s[1] * w[col + 1] + w[row + 2] * s[2] * w[col + 2];
    }
  }
}

/** Below this determinant, relative to the mean square of the columns, Newton's iteration loses digits. */
const WELL_CONDITIONED = 1e-2;
/** Squared length of the last step, which is twice the error that it leaves. */
const CLOSE = 1e-17;
const MAX_STEPS = 12;

/**
 * Newton's iteration for the polar factor (Higham 1986), X ← (X + X⁻ᵀ)/2 from a scaled to determinant 1: four times as fast
 * as the rotations below. Flat matrices lend themselves to it with their cofactors added: these have the same U and V, and
 * with U·diag(σ)·Vᵀ as in svd3 the sum has σ₁ + c·σ₂σ₃, σ₂ + c·σ₁σ₃ and σ₃ + c·σ₁σ₂. Returns false, and writes nothing,
 * where a is nearer to a line or mirrors.
 */
function newtonPolar(r: Numbers, sym: Numbers, a: Numbers): boolean {
  const a0 = a[0];
  const a1 = a[1];
  const a2 = a[2];
  const a3 = a[3];
  const a4 = a[4];
  const a5 = a[5];
  const a6 = a[6];
  const a7 = a[7];
  const a8 = a[8];
  const det = a0 * (a4 * a8 - a5 * a7) + a1 * (a5 * a6 - a3 * a8) + a2 * (a3 * a7 - a4 * a6);
  const size2 = (a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3 + a4 * a4 + a5 * a5 + a6 * a6 + a7 * a7 + a8 * a8) / 3;
  const least = WELL_CONDITIONED * size2 * Math.sqrt(size2);
  let x0 = a0;
  let x1 = a1;
  let x2 = a2;
  let x3 = a3;
  let x4 = a4;
  let x5 = a5;
  let x6 = a6;
  let x7 = a7;
  let x8 = a8;
  let volume = det;
  if (!(det > least)) {
    const c = 1 / Math.sqrt(3 * size2);
    x0 += c * (a4 * a8 - a5 * a7);
    x1 += c * (a5 * a6 - a3 * a8);
    x2 += c * (a3 * a7 - a4 * a6);
    x3 += c * (a2 * a7 - a1 * a8);
    x4 += c * (a0 * a8 - a2 * a6);
    x5 += c * (a1 * a6 - a0 * a7);
    x6 += c * (a1 * a5 - a2 * a4);
    x7 += c * (a2 * a3 - a0 * a5);
    x8 += c * (a0 * a4 - a1 * a3);
    volume = x0 * (x4 * x8 - x5 * x7) + x1 * (x5 * x6 - x3 * x8) + x2 * (x3 * x7 - x4 * x6);
    if (!(volume > least)) return false;
  }
  if (volume === Infinity) return false;
  const scale = 1 / Math.cbrt(volume);
  x0 *= scale;
  x1 *= scale;
  x2 *= scale;
  x3 *= scale;
  x4 *= scale;
  x5 *= scale;
  x6 *= scale;
  x7 *= scale;
  x8 *= scale;
  for (let step = 0, change = Infinity; change > CLOSE; step++) {
    if (step === MAX_STEPS) return false;
    // X⁻ᵀ is the matrix of cofactors over the determinant.
    const c0 = x4 * x8 - x5 * x7;
    const c1 = x5 * x6 - x3 * x8;
    const c2 = x3 * x7 - x4 * x6;
    const f = 0.5 / (x0 * c0 + x1 * c1 + x2 * c2);
    const c3 = x2 * x7 - x1 * x8;
    const c4 = x0 * x8 - x2 * x6;
    const c5 = x1 * x6 - x0 * x7;
    const c6 = x1 * x5 - x2 * x4;
    const c7 = x2 * x3 - x0 * x5;
    const c8 = x0 * x4 - x1 * x3;
    const d0 = f * c0 - 0.5 * x0;
    const d1 = f * c1 - 0.5 * x1;
    const d2 = f * c2 - 0.5 * x2;
    const d3 = f * c3 - 0.5 * x3;
    const d4 = f * c4 - 0.5 * x4;
    const d5 = f * c5 - 0.5 * x5;
    const d6 = f * c6 - 0.5 * x6;
    const d7 = f * c7 - 0.5 * x7;
    const d8 = f * c8 - 0.5 * x8;
    x0 += d0;
    x1 += d1;
    x2 += d2;
    x3 += d3;
    x4 += d4;
    x5 += d5;
    x6 += d6;
    x7 += d7;
    x8 += d8;
    change = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7 + d8 * d8;
  }
  r[0] = x0;
  r[1] = x1;
  r[2] = x2;
  r[3] = x3;
  r[4] = x4;
  r[5] = x5;
  r[6] = x6;
  r[7] = x7;
  r[8] = x8;
  // Rᵀ·A is symmetric up to rounding.
  sym[0] = x0 * a0 + x3 * a3 + x6 * a6;
  sym[4] = x1 * a1 + x4 * a4 + x7 * a7;
  sym[8] = x2 * a2 + x5 * a5 + x8 * a8;
  sym[1] = sym[3] = 0.5 * (x0 * a1 + x3 * a4 + x6 * a7 + x1 * a0 + x4 * a3 + x7 * a6);
  sym[2] = sym[6] = 0.5 * (x0 * a2 + x3 * a5 + x6 * a8 + x2 * a0 + x5 * a3 + x8 * a6);
  sym[5] = sym[7] = 0.5 * (x1 * a2 + x4 * a5 + x7 * a8 + x2 * a1 + x5 * a4 + x8 * a7);
  return true;
}

/** Leaves U in `frame`, the singular values in `s`, V in `w`. */
function decompose(a: Numbers): void {
  // (1) Scaled so that squares neither overflow nor underflow.
  let scale = 0;
  for (let c = 0; c < 9; c++) scale = Math.max(scale, Math.abs(a[c]));
  for (let c = 0; c < 9; c++) {
    b[c] = scale > 0 ? a[c] / scale : 0;
    w[c] = c % 4 === 0 ? 1 : 0;
  }

  // (2) Rotate pairs of columns until all are orthogonal.
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const first = orthogonalise(0, 1);
    const second = orthogonalise(0, 2);
    const third = orthogonalise(1, 2);
    if (!(first || second || third)) break;
  }

  // (3) Longest column first. A swap with a change of sign keeps V a proper rotation.
  for (let c = 0; c < 3; c++) s[c] = Math.sqrt(b[c] * b[c] + b[c + 3] * b[c + 3] + b[c + 6] * b[c + 6]);
  if (s[0] < s[1]) swapColumns(0, 1);
  if (s[1] < s[2]) swapColumns(1, 2);
  if (s[0] < s[1]) swapColumns(0, 1);

  // (4) U: the first two columns at length 1, the third perpendicular to both; its sign goes into σ₂.
  if (s[0] > 0) setColumn(0, b[0] / s[0], b[3] / s[0], b[6] / s[0]);
  else setColumn(0, 1, 0, 0);
  const flat = s[1] < NEGLIGIBLE;
  if (!flat) setColumn(1, b[1] / s[1], b[4] / s[1], b[7] / s[1]);
  else if (Math.abs(frame[0]) < 0.6) setPerpendicular(0, frame[6], -frame[3]);
  else setPerpendicular(-frame[6], 0, frame[0]);
  setColumn(
    2,
    frame[3] * frame[7] - frame[6] * frame[4],
    frame[6] * frame[1] - frame[0] * frame[7],
    frame[0] * frame[4] - frame[3] * frame[1],
  );
  s[2] = frame[2] * b[2] + frame[5] * b[5] + frame[8] * b[8];
  if (flat) s[1] = s[2] = 0;
  for (let c = 0; c < 3; c++) s[c] *= scale;
}

/** Turns columns p and q of `b` (and of `w`) so that they become orthogonal. Returns false when they already are. */
function orthogonalise(p: number, q: number): boolean {
  const alpha = b[p] * b[p] + b[p + 3] * b[p + 3] + b[p + 6] * b[p + 6];
  const beta = b[q] * b[q] + b[q + 3] * b[q + 3] + b[q + 6] * b[q + 6];
  const gamma = b[p] * b[q] + b[p + 3] * b[q + 3] + b[p + 6] * b[q + 6];
  if (!(Math.abs(gamma) > ORTHOGONAL * Math.sqrt(alpha * beta))) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cos = 1 / Math.sqrt(1 + t * t);
  const sin = cos * t;
  for (let row = 0; row < 9; row += 3) {
    const x = b[row + p];
    const y = b[row + q];
    b[row + p] = cos * x - sin * y;
    b[row + q] = sin * x + cos * y;
    const vx = w[row + p];
    const vy = w[row + q];
    w[row + p] = cos * vx - sin * vy;
    w[row + q] = sin * vx + cos * vy;
  }
  return true;
}

function swapColumns(p: number, q: number): void {
  const length = s[p];
  s[p] = s[q];
  s[q] = length;
  for (let row = 0; row < 9; row += 3) {
    const x = b[row + p];
    b[row + p] = b[row + q];
    b[row + q] = -x;
    const vx = w[row + p];
    w[row + p] = w[row + q];
    w[row + q] = -vx;
  }
}

function setColumn(c: number, x: number, y: number, z: number): void {
  frame[c] = x;
  frame[c + 3] = y;
  frame[c + 6] = z;
}

function setPerpendicular(x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  setColumn(1, x / length, y / length, z / length);
}
