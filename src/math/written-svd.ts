import { multiply } from './dense.ts';
import { multiplyQuaternions, type Numbers, quaternionFromRotation } from './quaternion.ts';
import { polar3, svd3 } from './svd3.ts';
import { composeTrs } from './trs.ts';

/**
 * A = U·S·Vᵀ as players know it: two rotations as quaternions, and scales. One matrix can be written in many ways: with
 * a proper signed permutation P (24 of them) and an even sign matrix D (4)
 *
 *   A = (U·P·D) · (D·PᵀS·P) · (V·P)ᵀ.
 */

/** What the decompositions of a bone may look like. */
export type TrackedKind =
  | { kind: 'affine' }
  /** V is constant: 9 numbers, row-major, axes in columns. */
  | { kind: 'trs'; axes: Float64Array }
  /** S and V are the identity. */
  | { kind: 'rigid' };

/** One way to write a decomposition. Starts as the identity. */
export class WrittenSvd {
  readonly u = Float64Array.from([0, 0, 0, 1]);
  readonly s = Float64Array.from([1, 1, 1]);
  readonly v = Float64Array.from([0, 0, 0, 1]);

  copy(from: WrittenSvd): void {
    this.u.set(from.u);
    this.s.set(from.s);
    this.v.set(from.v);
  }
}

export function decompose(a: Float64Array, bone: TrackedKind): WrittenSvd {
  const out = new WrittenSvd();
  const u = new Float64Array(9);
  const v = new Float64Array(9);
  if (bone.kind === 'rigid') {
    polar3(u, v, a);
    quaternionFromRotation(out.u, 0, u, 0, 3);
    return out;
  }
  if (bone.kind === 'trs') {
    v.set(bone.axes);
    alongAxes(u, out.s, a, v);
  } else svd3(u, out.s, v, a);
  quaternionFromRotation(out.u, 0, u, 0, 3);
  quaternionFromRotation(out.v, 0, v, 0, 3);
  return out;
}

/** u, s: the proper rotation and the scales with u·diag(s) = a·v, given that the columns of a·v are orthogonal. */
function alongAxes(u: Float64Array, s: Float64Array, a: Float64Array, v: Float64Array): void {
  const av = multiply(new Float64Array(9), a, v, 3, 3, 3);
  const length2 = (c: number) => av[c] ** 2 + av[3 + c] ** 2 + av[6 + c] ** 2;
  const shortest = [0, 1, 2].reduce((least, c) => (length2(c) < length2(least) ? c : least));
  // The polar rotation of a mirrored matrix need not keep its axes: mirror it back first.
  const proper = av.slice();
  if (determinant3(av) < 0) for (let r = 0; r < 9; r += 3) proper[r + shortest] *= -1;
  polar3(u, new Float64Array(9), proper);
  for (let c = 0; c < 3; c++) s[c] = u[c] * av[c] + u[3 + c] * av[3 + c] + u[6 + c] * av[6 + c];
}

const determinant3 = (m: Float64Array): number =>
  m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);

/** The 24 rotations of the cube: P maps axis c to ± axis `axis[c]`. */
export interface SignedPermutation {
  q: number[];
  axis: number[];
}

export const SIGNED_PERMUTATIONS: readonly SignedPermutation[] = (() => {
  const out: SignedPermutation[] = [];
  for (const axis of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ]) {
    const even = axis[1] === (axis[0] + 1) % 3;
    for (let signs = 0; signs < 8; signs++) {
      const minus = [0, 1, 2].filter((c) => (signs >> c) & 1).length;
      if ((minus % 2 === 0) !== even) continue; // keep det +1
      const m = new Float64Array(9);
      for (let c = 0; c < 3; c++) m[3 * axis[c] + c] = (signs >> c) & 1 ? -1 : 1;
      const q = [0, 0, 0, 0];
      quaternionFromRotation(q, 0, m, 0, 3);
      out.push({ q, axis });
    }
  }
  return out;
})();

/** The even sign matrices: the identity and the half turns about the axes. */
export const EVEN_SIGNS: readonly { q: number[]; sign: number[] }[] = [
  { q: [0, 0, 0, 1], sign: [1, 1, 1] },
  { q: [1, 0, 0, 0], sign: [1, -1, -1] },
  { q: [0, 1, 0, 0], sign: [-1, 1, -1] },
  { q: [0, 0, 1, 0], sign: [-1, -1, 1] },
];

export const quaternionDot = (a: Numbers, b: Numbers): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];

/** [p][d]: which of the 24 rotations P·D is. */
export const PRODUCT: readonly number[][] = SIGNED_PERMUTATIONS.map(({ q }) =>
  EVEN_SIGNS.map((even) => {
    const product = [0, 0, 0, 0];
    multiplyQuaternions(product, 0, q, 0, even.q, 0);
    return SIGNED_PERMUTATIONS.findIndex((other) => Math.abs(quaternionDot(other.q, product)) > 0.99);
  }),
);

/** The decomposition `raw` written with permutation p and even signs d. */
export function write(raw: WrittenSvd, p: number, d: number): WrittenSvd {
  const out = new WrittenSvd();
  multiplyQuaternions(out.u, 0, raw.u, 0, SIGNED_PERMUTATIONS[PRODUCT[p][d]].q, 0);
  multiplyQuaternions(out.v, 0, raw.v, 0, SIGNED_PERMUTATIONS[p].q, 0);
  for (let c = 0; c < 3; c++) out.s[c] = EVEN_SIGNS[d].sign[c] * raw.s[SIGNED_PERMUTATIONS[p].axis[c]];
  return out;
}

const local = Float64Array.from([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
const matrix = new Float64Array(12);

/** out (9, row-major, at o) = the rotation of a unit quaternion. */
export function rotationOf(q: Numbers, out: Float64Array = new Float64Array(9), o = 0): Float64Array {
  for (let c = 0; c < 4; c++) local[3 + c] = q[c];
  composeTrs(matrix, 0, local, 0);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[o + 3 * r + c] = matrix[4 * r + c];
  return out;
}
