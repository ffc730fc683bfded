import { multiplyQuaternions, type Numbers } from './quaternion.ts';

/**
 * Dual quaternions q̂ = q₀ + ε·q_ε as eight numbers inside flat arrays, real part x y z w, then dual part x y z w; unit
 * ones are rigid motions. Kavan et al. 2008, "Geometric skinning with approximate dual quaternion blending", with the
 * corrections of Antonopoulos 2010 (2.34), (2.45). Functions take an array and an offset and write into `out` at `o`;
 * `out` may be an input.
 */

/** Numbers per dual quaternion. */
export const DUAL_STRIDE = 8;

/** out = the motion x ↦ q·x·q* + t for a unit quaternion q: q₀ = q, q_ε = ½·t·q. */
export function dualFromRigid(out: Numbers, o: number, q: Numbers, qi: number, t: Numbers, ti: number): void {
  const x = q[qi],
    y = q[qi + 1],
    z = q[qi + 2],
    w = q[qi + 3];
  const tx = t[ti] / 2,
    ty = t[ti + 1] / 2,
    tz = t[ti + 2] / 2;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
  out[o + 4] = tx * w + ty * z - tz * y;
  out[o + 5] = ty * w + tz * x - tx * z;
  out[o + 6] = tz * w + tx * y - ty * x;
  out[o + 7] = -(tx * x + ty * y + tz * z);
}

const real = new Float64Array(4);
const dual = new Float64Array(4);
const term = new Float64Array(4);

/** out = a · b: b first, then a. */
export function multiplyDuals(out: Numbers, o: number, a: Numbers, ai: number, b: Numbers, bi: number): void {
  multiplyQuaternions(real, 0, a, ai, b, bi);
  multiplyQuaternions(dual, 0, a, ai, b, bi + 4);
  multiplyQuaternions(term, 0, a, ai + 4, b, bi);
  for (let c = 0; c < 4; c++) {
    out[o + c] = real[c];
    out[o + 4 + c] = dual[c] + term[c];
  }
}

/** out = the quaternion conjugate of both parts: the inverse of a unit dual quaternion. */
export function conjugateDual(out: Numbers, o: number, a: Numbers, ai: number): void {
  for (let c = 0; c < DUAL_STRIDE; c++) out[o + c] = c % 4 === 3 ? a[ai + c] : -a[ai + c];
}

/** Divides by the dual norm ‖q̂‖ = |q₀| + ε·(q₀·q_ε)/|q₀|, so that |q₀| = 1 and q₀·q_ε = 0. The real part is not 0. */
export function normalizeDual(q: Numbers, o = 0): void {
  const scale = 1 / Math.sqrt(q[o] * q[o] + q[o + 1] * q[o + 1] + q[o + 2] * q[o + 2] + q[o + 3] * q[o + 3]);
  for (let c = 0; c < DUAL_STRIDE; c++) q[o + c] *= scale;
  const along = q[o] * q[o + 4] + q[o + 1] * q[o + 5] + q[o + 2] * q[o + 6] + q[o + 3] * q[o + 7];
  for (let c = 0; c < 4; c++) q[o + 4 + c] -= along * q[o + c];
}

/**
 * out (12) = M(q̂)/|q₀|², the rigid motion of a dual quaternion of any length but 0 (Kavan 2009, appendix A). The part
 * of q_ε along q₀ has no effect.
 */
export function matrix34FromDual(out: Numbers, o: number, q: Numbers, qi: number): void {
  const x = q[qi],
    y = q[qi + 1],
    z = q[qi + 2],
    w = q[qi + 3];
  const tx = q[qi + 4],
    ty = q[qi + 5],
    tz = q[qi + 6],
    tw = q[qi + 7];
  const s = 2 / (x * x + y * y + z * z + w * w);
  out[o] = 1 - s * (y * y + z * z);
  out[o + 1] = s * (x * y - w * z);
  out[o + 2] = s * (x * z + w * y);
  out[o + 3] = s * (w * tx - tw * x + y * tz - z * ty);
  out[o + 4] = s * (x * y + w * z);
  out[o + 5] = 1 - s * (x * x + z * z);
  out[o + 6] = s * (y * z - w * x);
  out[o + 7] = s * (w * ty - tw * y + z * tx - x * tz);
  out[o + 8] = s * (x * z - w * y);
  out[o + 9] = s * (y * z + w * x);
  out[o + 10] = 1 - s * (x * x + y * y);
  out[o + 11] = s * (w * tz - tw * z + x * ty - y * tx);
}

/** Below this half angle h, in radians, series replace quotients that become 0/0; their errors enter with h⁴ or less. */
const SMALL = 1e-3;

/** h/sin h. */
const inverseSinc = (h: number, sin: number): number => (h < SMALL ? 1 + (h * h) / 6 + (7 * h ** 4) / 360 : h / sin);

/**
 * out (6) = log q̂ of a unit dual quaternion, a dual vector: real part u·θ/2, then the dual part. The half angle θ/2 lies
 * in 0…π, so that q̂ and −q̂ have different logarithms: −q̂ turns the long way round.
 *
 * With q₀ = (v, w), h = atan2(|v|, w) and k = h/sin h the real part is k·v, and the dual part
 * k·v_ε − w_ε·v·(1 − k·cos h)/sin²h. At h = π, a full turn, the axis is undefined and the logarithm is taken as 0.
 */
export function logDual(out: Numbers, o: number, q: Numbers, qi: number): void {
  const sin = Math.hypot(q[qi], q[qi + 1], q[qi + 2]);
  const cos = q[qi + 3];
  const h = Math.atan2(sin, cos);
  if (cos < 0 && sin < 1e-12) {
    for (let c = 0; c < 6; c++) out[o + c] = 0;
    return;
  }
  const k = inverseSinc(h, sin);
  // (1 − h·cot h)/sin²h = 1/3 + h²·2/15 + …
  const g = q[qi + 7] * (h < SMALL ? 1 / 3 + (2 * h * h) / 15 : (1 - k * cos) / (sin * sin));
  for (let c = 0; c < 3; c++) {
    const v = q[qi + c];
    out[o + 3 + c] = k * q[qi + 4 + c] - g * v;
    out[o + c] = k * v;
  }
}

/**
 * out (8) = exp of a dual vector r + ε·d, the inverse of `logDual`: with h = |r| and s = sin h/h the real part is
 * (s·r, cos h) and the dual part (s·d + r·(r·d)·(cos h − s)/h², −s·(r·d)).
 */
export function expDual(out: Numbers, o: number, v: Numbers, vi: number): void {
  const rx = v[vi],
    ry = v[vi + 1],
    rz = v[vi + 2];
  const dx = v[vi + 3],
    dy = v[vi + 4],
    dz = v[vi + 5];
  const h = Math.sqrt(rx * rx + ry * ry + rz * rz);
  const s = h < SMALL ? 1 - (h * h) / 6 + h ** 4 / 120 : Math.sin(h) / h;
  const cos = Math.cos(h);
  const rd = rx * dx + ry * dy + rz * dz;
  const g = rd * (h < SMALL ? -1 / 3 + (h * h) / 30 : (cos - s) / (h * h));
  out[o] = s * rx;
  out[o + 1] = s * ry;
  out[o + 2] = s * rz;
  out[o + 3] = cos;
  out[o + 4] = s * dx + g * rx;
  out[o + 5] = s * dy + g * ry;
  out[o + 6] = s * dz + g * rz;
  out[o + 7] = -s * rd;
}
