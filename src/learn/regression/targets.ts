import { DUAL_STRIDE, dualFromRigid, matrix34FromDual } from '../../math/dual-quaternion.ts';
import { quaternionFromRotation } from '../../math/quaternion.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { type Target, targetSize } from '../../model/predictor.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';

/**
 * What is predicted for a bone: its dual quaternion, 8 numbers, as in Feng 2010; or its rotation and where it takes its
 * centroid c, (q, R·c + t), 7 numbers. The dual part of a dual quaternion is a product of rotation and translation (where
 * the origin is does not matter: moving it is linear in the eight numbers), so that an error of either displaces the bone.
 */
/**
 * Rigid transforms as targets.
 * @param transforms E·B·12; `centroids` 3B.
 * @returns E × (B·m), each bone's quaternions brought to one side: that of the top eigenvector of Σ q·qᵀ.
 */
export function encodeTargets(
  target: Target,
  transforms: Float64Array,
  centroids: Float64Array,
  bones: number,
): Float64Array {
  const e = transforms.length / (MATRIX_STRIDE * bones);
  const m = targetSize(target);
  const out = new Float64Array(e * bones * m);
  const q = new Float64Array(4);
  const t = new Float64Array(3);
  for (let b = 0; b < bones; b++) {
    const spread = new Float64Array(16);
    for (let k = 0; k < e; k++) {
      const at = MATRIX_STRIDE * (k * bones + b);
      const o = (k * bones + b) * m;
      quaternionFromRotation(q, 0, transforms, at, 4);
      for (let r = 0; r < 3; r++) t[r] = transforms[at + 4 * r + 3];
      if (target === 'dual-quaternion') dualFromRigid(out, o, q, 0, t, 0);
      else {
        out.set(q, o);
        for (let r = 0; r < 3; r++) {
          out[o + 4 + r] = t[r];
          for (let c = 0; c < 3; c++) out[o + 4 + r] += transforms[at + 4 * r + c] * centroids[3 * b + c];
        }
      }
      for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) spread[4 * r + c] += q[r] * q[c];
    }
    const side = symmetricEigen(spread, 4).vectors;
    const flipped = target === 'dual-quaternion' ? m : 4;
    for (let k = 0; k < e; k++) {
      const o = (k * bones + b) * m;
      if (out[o] * side[0] + out[o + 1] * side[1] + out[o + 2] * side[2] + out[o + 3] * side[3] >= 0) continue;
      for (let c = 0; c < flipped; c++) out[o + c] = -out[o + c];
    }
  }
  return out;
}

const q = new Float64Array(4);
const dual = new Float64Array(DUAL_STRIDE);

/**
 * Targets of one pose (B·m) as 12B rigid matrices. A quaternion of no length, where a prediction is far outside everything
 * known, is no rotation.
 */
export function decodeTargets(out: Float64Array, target: Target, values: Float64Array, centroids: Float64Array): void {
  const bones = centroids.length / 3;
  const m = targetSize(target);
  for (let b = 0; b < bones; b++) {
    const v = b * m;
    const o = MATRIX_STRIDE * b;
    let norm = 0;
    for (let c = 0; c < 4; c++) norm += values[v + c] ** 2;
    const lost = !(norm > 1e-20);
    for (let c = 0; c < 4; c++) q[c] = lost ? (c === 3 ? 1 : 0) : values[v + c];
    for (let c = 0; c < 4; c++) dual[c] = q[c];
    for (let c = 4; c < DUAL_STRIDE; c++) dual[c] = target === 'dual-quaternion' && !lost ? values[v + c] : 0;
    matrix34FromDual(out, o, dual, 0); // of any length
    if (target === 'dual-quaternion') continue;
    for (let r = 0; r < 3; r++) {
      let t = values[v + 4 + r];
      for (let c = 0; c < 3; c++) t -= out[o + 4 * r + c] * centroids[3 * b + c];
      out[o + 4 * r + 3] = t;
    }
  }
}
