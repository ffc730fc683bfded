import { determinant34, MATRIX_STRIDE, multiply34 } from './matrix34.ts';
import { type Numbers, normalizeQuaternion, quaternionFromRotation, slerp } from './quaternion.ts';

/** Local poses of bones, and the way from them to world and skin matrices. */

/** Numbers per bone in local poses: translation 3, rotation 4 (unit quaternion x y z w), scale 3. */
export const LOCAL_STRIDE = 10;

/** out (12) = T · R · S. */
export function composeTrs(out: Numbers, o: number, local: Numbers, l: number): void {
  const x = local[l + 3],
    y = local[l + 4],
    z = local[l + 5],
    w = local[l + 6];
  const sx = local[l + 7],
    sy = local[l + 8],
    sz = local[l + 9];
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y - w * z) * sy;
  out[o + 2] = 2 * (x * z + w * y) * sz;
  out[o + 3] = local[l];
  out[o + 4] = 2 * (x * y + w * z) * sx;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z - w * x) * sz;
  out[o + 7] = local[l + 1];
  out[o + 8] = 2 * (x * z - w * y) * sx;
  out[o + 9] = 2 * (y * z + w * x) * sy;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = local[l + 2];
}

/**
 * out (10) = the T, R, S of a matrix that is their product. A mirrored matrix gets a negative x scale. Returns the
 * largest cosine between its axes: 0 for a pure TRS matrix, larger where shear was lost.
 */
export function decomposeTrs(out: Numbers, o: number, m: Numbers, mi: number): number {
  const r = new Float64Array(9);
  const mirror = determinant34(m, mi) < 0 ? -1 : 1;
  for (let axis = 0; axis < 3; axis++) {
    const x = m[mi + axis],
      y = m[mi + 4 + axis],
      z = m[mi + 8 + axis];
    const scale = Math.hypot(x, y, z) * (axis === 0 ? mirror : 1);
    out[o + 7 + axis] = scale;
    const inverse = scale === 0 ? 0 : 1 / scale;
    r[axis] = x * inverse;
    r[3 + axis] = y * inverse;
    r[6 + axis] = z * inverse;
  }
  out[o] = m[mi + 3];
  out[o + 1] = m[mi + 7];
  out[o + 2] = m[mi + 11];
  completeFrame(r);
  quaternionFromRotation(out, o + 3, r, 0, 3);
  normalizeQuaternion(out, o + 3);
  const cosine = (a: number, b: number) => Math.abs(r[a] * r[b] + r[3 + a] * r[3 + b] + r[6 + a] * r[6 + b]);
  return Math.max(cosine(0, 1), cosine(0, 2), cosine(1, 2));
}

/** Replaces columns of zero length (a scale of 0) so that the three columns form a frame. */
function completeFrame(r: Float64Array): void {
  const length = (a: number) => Math.hypot(r[a], r[3 + a], r[6 + a]);
  const missing = [0, 1, 2].filter((a) => length(a) === 0);
  if (missing.length === 0) return;
  if (missing.length === 3) {
    r.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    return;
  }
  if (missing.length === 2) {
    // Any unit vector perpendicular to the one column we have will do.
    const have = 3 - missing[0] - missing[1];
    const [x, y, z] = [r[have], r[3 + have], r[6 + have]];
    const p = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x];
    const n = Math.hypot(p[0], p[1], p[2]);
    for (let c = 0; c < 3; c++) r[3 * c + missing[0]] = p[c] / n;
  }
  const last = missing[missing.length - 1];
  const a = (last + 1) % 3;
  const b = (last + 2) % 3;
  r[last] = r[3 + a] * r[6 + b] - r[6 + a] * r[3 + b];
  r[3 + last] = r[6 + a] * r[b] - r[a] * r[6 + b];
  r[6 + last] = r[a] * r[3 + b] - r[3 + a] * r[b];
}

/** out (10) = between two local poses: translation and scale linearly, rotation spherically, as engines do. */
export function interpolateTrs(
  out: Numbers,
  o: number,
  a: Numbers,
  ai: number,
  b: Numbers,
  bi: number,
  t: number,
): void {
  for (const c of [0, 1, 2, 7, 8, 9]) out[o + c] = (1 - t) * a[ai + c] + t * b[bi + c];
  slerp(out, o + 3, a, ai + 3, b, bi + 3, t);
}

/** out (12B) = world matrices of B local poses. Parents come before children; −1 is the root. */
export function forwardKinematics(out: Numbers, parents: Int32Array, locals: Numbers, l = 0): void {
  for (let j = 0; j < parents.length; j++) {
    composeTrs(out, MATRIX_STRIDE * j, locals, l + LOCAL_STRIDE * j);
    if (parents[j] >= 0) multiply34(out, MATRIX_STRIDE * j, out, MATRIX_STRIDE * parents[j], out, MATRIX_STRIDE * j);
  }
}

/** 12B: the same in an array of their own. */
export function worldMatrices(parents: Int32Array, locals: Numbers, l = 0): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * parents.length);
  forwardKinematics(out, parents, locals, l);
  return out;
}

/** The 12·B·P skin matrices (world · inverseBind) of P frames of 10·B local poses. */
export function skinTransforms(parents: Int32Array, inverseBind: Numbers, locals: Numbers): Float32Array {
  const bones = parents.length;
  const frames = locals.length / (LOCAL_STRIDE * bones);
  const out = new Float32Array(MATRIX_STRIDE * bones * frames);
  const world = new Float64Array(MATRIX_STRIDE * bones);
  for (let k = 0; k < frames; k++) {
    forwardKinematics(world, parents, locals, k * LOCAL_STRIDE * bones);
    for (let j = 0; j < bones; j++)
      multiply34(out, MATRIX_STRIDE * (k * bones + j), world, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j);
  }
  return out;
}
