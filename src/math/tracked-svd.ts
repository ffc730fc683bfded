import { multiply, transpose } from './dense.ts';
import { multiplyQuaternions } from './quaternion.ts';
import {
  decompose,
  EVEN_SIGNS,
  PRODUCT,
  quaternionDot,
  rotationOf,
  SIGNED_PERMUTATIONS,
  type TrackedKind,
  WrittenSvd,
  write,
} from './written-svd.ts';

/**
 * Singular value decompositions of a motion, A_k = U_k·S_k·V_kᵀ, chosen so that players may interpolate U, S and V each
 * on its own: rotations spherically, scales linearly.
 *
 * Each matrix can be written in 24 × 4 ways (written-svd.ts). Half-way between two keys the motion is compared with the mean of their matrices, on the
 * bone's own vertices; that error depends only on how the second key is written relative to the first, so that choosing
 * key after key is optimal. Independent decompositions per key are off by 1–2.5 % of the diagonal half-way.
 *
 * Where two singular values nearly agree, their axes are arbitrary within a plane: they follow those of the key before,
 * as far as the matrix allows within a tolerance.
 */
export interface TrackedSvd {
  /** 4P: quaternions of U, neighbours on one side. */
  u: Float64Array;
  /** 3P; negative ones occur: in mirrored matrices, and in pairs. */
  s: Float64Array;
  /** 4P: quaternions of V, neighbours on one side. */
  v: Float64Array;
  /** The largest difference over the keys between A and U·S·Vᵀ, as root mean square over the support. */
  residual: number;
  /** Half-way between keys, the squared distance from the mean of their matrices (mean over the support), summed. */
  halfWay: number;
}

/** Steps beyond this angle (radians) are avoided: at π the way between two rotations is not defined. */
const LARGEST_STEP = 1.9;
/** Price of the square of each radian beyond, in squared sizes of the support: more than any half-way error. */
const STEP_PRICE = 10;
/** Share of the covariance's mean eigenvalue added in every direction: what vertices do not see, shading does. */
const ISOTROPIC = 1e-2;

/**
 * @param linear 9P: the linear parts of one bone, row-major.
 * @param covariance 9: of the bone's support; the errors that decide are errors of its vertices.
 * @param tolerance how far axes of equal singular values may move the support (root mean square, in the unit of the
 *   covariance's root).
 */
export function trackSvd(
  linear: Float64Array,
  bone: TrackedKind,
  covariance: Float64Array,
  tolerance: number,
): TrackedSvd {
  const frames = linear.length / 9;
  const out: TrackedSvd = {
    u: new Float64Array(4 * frames),
    s: new Float64Array(3 * frames),
    v: new Float64Array(4 * frames),
    residual: 0,
    halfWay: 0,
  };
  const size2 = covariance[0] + covariance[4] + covariance[8];
  const metric = covariance.map((x, c) => x + (c % 4 === 0 ? (ISOTROPIC * size2) / 3 + Number.MIN_VALUE : 0));
  const choice: Choice = {
    // With V given the axes cannot be exchanged, and scales of 1 have no signs to choose.
    permutations: bone.kind === 'affine' ? SIGNED_PERMUTATIONS.length : 1,
    signs: bone.kind === 'rigid' ? 1 : EVEN_SIGNS.length,
    metric,
    guard: STEP_PRICE * (size2 + Number.MIN_VALUE),
  };

  const previous = new WrittenSvd();
  for (let k = 0; k < frames; k++) {
    const a = linear.subarray(9 * k, 9 * k + 9);
    const raw = decompose(a, bone);
    const next =
      k === 0
        ? { written: nearestToIdentity(raw, choice.permutations), cost: 0 }
        : smoothest(previous, raw, meanOf(linear.subarray(9 * k - 9, 9 * k), a), choice);
    const { written } = next;
    out.halfWay += next.cost;
    if (bone.kind === 'affine') followAxes(written, previous, covariance, tolerance);
    if (k > 0) {
      keepSide(written.u, previous.u);
      keepSide(written.v, previous.v);
    }
    out.u.set(written.u, 4 * k);
    out.s.set(written.s, 3 * k);
    out.v.set(written.v, 4 * k);
    out.residual = Math.max(out.residual, Math.sqrt(spread(difference(written, a), metric)));
    previous.copy(written);
  }
  return out;
}

/** For the first key: axes that turn least. */
function nearestToIdentity(raw: WrittenSvd, permutations: number): WrittenSvd {
  let best = write(raw, 0, 0);
  for (let p = 1; p < permutations; p++) {
    const other = write(raw, p, 0);
    if (Math.abs(other.v[3]) > Math.abs(best.v[3]) + 1e-9) best = other;
  }
  return best;
}

const halfU = new Float64Array(9 * 24);
const halfV = new Float64Array(9 * 24);
const stepU = new Float64Array(24);
const stepV = new Float64Array(24);

/** Rotations half-way from `from` to q·P for all 24 P (as 9 numbers each), and the angles between. */
function halfWays(out: Float64Array, steps: Float64Array, from: Float64Array, q: Float64Array): void {
  const to = [0, 0, 0, 0];
  const half = [0, 0, 0, 0];
  SIGNED_PERMUTATIONS.forEach((permutation, p) => {
    multiplyQuaternions(to, 0, q, 0, permutation.q, 0);
    const dot = quaternionDot(from, to);
    steps[p] = 2 * Math.acos(Math.min(1, Math.abs(dot)));
    const sign = dot < 0 ? -1 : 1;
    const length = Math.sqrt(2 + 2 * Math.abs(dot));
    for (let c = 0; c < 4; c++) half[c] = (from[c] + sign * to[c]) / length;
    rotationOf(half, out, 9 * p);
  });
}

/** In how many ways a decomposition may be written, and what decides between them. */
interface Choice {
  permutations: number;
  signs: number;
  /** 9: what half-way errors are measured in. */
  metric: Float64Array;
  /** The price of turning further than `LARGEST_STEP`, per squared radian. */
  guard: number;
}

const meanOf = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, c) => (x + b[c]) / 2);

/** The way to write `raw` that, half-way from `previous`, is nearest to `half`, the mean of the matrices of both. */
function smoothest(
  previous: WrittenSvd,
  raw: WrittenSvd,
  half: Float64Array,
  { permutations, signs, metric, guard }: Choice,
): { written: WrittenSvd; cost: number } {
  halfWays(halfU, stepU, previous.u, raw.u);
  halfWays(halfV, stepV, previous.v, raw.v);
  const delta = new Float64Array(9);
  let least = Infinity;
  let best: [number, number] = [0, 0];
  for (let p = 0; p < permutations; p++) {
    const { axis } = SIGNED_PERMUTATIONS[p];
    for (let d = 0; d < signs; d++) {
      const { sign } = EVEN_SIGNS[d];
      const g = PRODUCT[p][d];
      const beyond = Math.max(0, stepU[g] - LARGEST_STEP) ** 2 + Math.max(0, stepV[p] - LARGEST_STEP) ** 2;
      const price = guard * beyond;
      if (price >= least) continue;
      const s0 = (previous.s[0] + sign[0] * raw.s[axis[0]]) / 2;
      const s1 = (previous.s[1] + sign[1] * raw.s[axis[1]]) / 2;
      const s2 = (previous.s[2] + sign[2] * raw.s[axis[2]]) / 2;
      for (let r = 0; r < 3; r++) {
        const u0 = s0 * halfU[9 * g + 3 * r];
        const u1 = s1 * halfU[9 * g + 3 * r + 1];
        const u2 = s2 * halfU[9 * g + 3 * r + 2];
        for (let c = 0; c < 3; c++) {
          const v = 9 * p + 3 * c;
          const e = 3 * r + c;
          delta[e] = u0 * halfV[v] + u1 * halfV[v + 1] + u2 * halfV[v + 2] - half[e];
        }
      }
      const cost = spread(delta, metric) + price;
      if (cost < least * (1 - 1e-9)) {
        least = cost;
        best = [p, d];
      }
    }
  }
  return { written: write(raw, ...best), cost: least };
}

/** U·S·Vᵀ − a. */
function difference({ u, s, v }: WrittenSvd, a: Float64Array): Float64Array {
  const left = rotationOf(u).map((x, c) => x * s[c % 3]);
  const product = multiply(new Float64Array(9), left, transpose(new Float64Array(9), rotationOf(v), 3, 3), 3, 3, 3);
  return product.map((x, c) => x - a[c]);
}

/** tr(Δ·C·Δᵀ): the mean squared distance by which Δ moves points of covariance C. */
function spread(delta: Float64Array, c: Float64Array): number {
  let sum = 0;
  for (let r = 0; r < 9; r += 3) {
    const x = delta[r];
    const y = delta[r + 1];
    const z = delta[r + 2];
    sum += x * x * c[0] + y * y * c[4] + z * z * c[8] + 2 * (x * y * c[1] + x * z * c[2] + y * z * c[5]);
  }
  return sum;
}

const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Passes over the pairs of axes: one turns a pair, and so the others, which converges within a few. */
const SWEEPS = 8;

/**
 * Turns pairs of columns of U and V together, towards those of the previous V. By an angle φ the matrix changes by
 * (sᵢ − sⱼ)·sin 2φ / 2 in the plane of the two axes; all turns together stay within the tolerance on the support.
 */
function followAxes(svd: WrittenSvd, previous: WrittenSvd, covariance: Float64Array, tolerance: number): void {
  const before = rotationOf(previous.v);
  let left = tolerance;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let largest = 0;
    for (const [i, j] of PAIRS) {
      const now = rotationOf(svd.v);
      const dot = (a: number, b: number) =>
        now[a] * before[b] + now[3 + a] * before[3 + b] + now[6 + a] * before[6 + b];
      let angle = Math.atan2(dot(j, i) - dot(i, j), dot(i, i) + dot(j, j));
      const size = Math.sqrt(variance(covariance, now, i) + variance(covariance, now, j));
      const reach = (Math.abs(svd.s[i] - svd.s[j]) * size) / 2;
      if (reach > left) {
        const limit = Math.asin(left / reach) / 2;
        angle = Math.max(-limit, Math.min(limit, angle));
      }
      left = Math.max(0, left - reach * Math.abs(Math.sin(2 * angle)));
      largest = Math.max(largest, Math.abs(angle));
      turnAxes(svd, i, j, angle);
    }
    if (largest < 1e-9) return;
  }
}

/** Turns columns i and j of U and V by an angle from i towards j; the scales become the diagonal of what is left. */
function turnAxes(svd: WrittenSvd, i: number, j: number, angle: number): void {
  const turn = [0, 0, 0, Math.cos(angle / 2)];
  turn[3 - i - j] = Math.sin(angle / 2) * ((i + 1) % 3 === j ? 1 : -1); // (0, 2) runs against the cycle
  multiplyQuaternions(svd.u, 0, svd.u, 0, turn, 0);
  multiplyQuaternions(svd.v, 0, svd.v, 0, turn, 0);
  const change = (svd.s[j] - svd.s[i]) * Math.sin(angle) ** 2;
  svd.s[i] += change;
  svd.s[j] -= change;
}

/** Column c of the frame: vᵀ·C·v. */
function variance(covariance: Float64Array, frame: Float64Array, c: number): number {
  let sum = 0;
  for (let r = 0; r < 3; r++) {
    for (let t = 0; t < 3; t++) sum += frame[3 * r + c] * covariance[3 * r + t] * frame[3 * t + c];
  }
  return Math.max(0, sum);
}

/** In place: of q and −q the one on the side of `before`. */
function keepSide(q: Float64Array, before: Float64Array): void {
  if (quaternionDot(q, before) < 0) for (let c = 0; c < 4; c++) q[c] = -q[c];
}
