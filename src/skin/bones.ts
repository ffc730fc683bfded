import { DUAL_STRIDE, dualFromRigid } from '../math/dual-quaternion.ts';
import { invert34 } from '../math/matrix34.ts';
import { type Numbers, quaternionFromRotation } from '../math/quaternion.ts';
import { polar3 } from '../math/svd3.ts';
import { boneCount, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';

/** k joints and weights of one vertex (or blend bone), the largest weight first, beginning at `start`. */
export interface Influences {
  joints: ArrayLike<number>;
  weights: ArrayLike<number>;
  start: number;
  k: number;
}

/**
 * A pose as the operators need it, in double precision. Each bone's matrix C = [A | t] is split by polar decomposition
 * A = R·S into a stretch, applied first, and a rigid motion (Kavan 2009, appendix A: Φ_SDQS = Φ_DQS·Φ_LBS).
 *
 * The stretch has a centre, which Kavan 2009 leaves open: here it is the bone's joint o in the bind pose, so that the
 * rigid part takes the joint exactly where the bone takes it, C·o. With the origin as centre a scaled bone would come off
 * its parent wherever dual quaternions blend the two, by an amount that depends on where the model happens to stand.
 */
export class BonePose {
  /** 12B: C, rest → pose. */
  readonly matrices: Float64Array;
  /** 8B: unit dual quaternions of the rigid parts. */
  readonly duals: Float64Array;
  /** 12B: the stretches x ↦ S·(x − o) + o. */
  readonly stretches: Float64Array;
  /** 3B: the joints' positions in the bind pose; the origin for a bone whose inverse bind matrix is singular. */
  readonly joints: Float64Array;

  constructor(skeleton: Skeleton) {
    const b = boneCount(skeleton);
    this.matrices = new Float64Array(MATRIX_STRIDE * b);
    this.duals = new Float64Array(DUAL_STRIDE * b);
    this.stretches = new Float64Array(MATRIX_STRIDE * b);
    this.joints = new Float64Array(3 * b);
    const bind = new Float64Array(MATRIX_STRIDE);
    for (let j = 0; j < b; j++) {
      if (!invert34(bind, 0, skeleton.inverseBind, MATRIX_STRIDE * j)) continue;
      for (let c = 0; c < 3; c++) this.joints[3 * j + c] = bind[4 * c + 3];
    }
  }

  /** Takes the matrices only: all that rigid and linear skinning need. */
  setMatrices(transforms: Float32Array): void {
    this.matrices.set(transforms);
  }

  /**
   * Takes the matrices (12B) and splits them. `signs` (B) says which of ±q̂ each bone means: 1, or absent, for the one
   * with w ≥ 0, a turn of at most 180°; −1 for the other. It matters only with antipodality off.
   */
  set(transforms: Float32Array, signs?: Int8Array): void {
    this.matrices.set(transforms);
    for (let j = 0; j < this.joints.length / 3; j++) this.#split(j, signs ? signs[j] : 1);
  }

  /** Takes matrices that are known to turn and move only, as they are: three times as fast. Stretches are left alone. */
  setRigid(transforms: Float32Array): void {
    const { matrices } = this;
    matrices.set(transforms);
    for (let j = 0, m = 0; m < matrices.length; j += DUAL_STRIDE, m += MATRIX_STRIDE) {
      quaternionFromRotation(quaternion, 0, matrices, m, 4);
      translation[0] = matrices[m + 3];
      translation[1] = matrices[m + 7];
      translation[2] = matrices[m + 11];
      dualFromRigid(this.duals, j, quaternion, 0, translation, 0);
    }
  }

  #split(j: number, sign: number): void {
    const m = MATRIX_STRIDE * j;
    const { matrices, stretches, joints } = this;
    rotationOf(matrices, m);
    const ox = joints[3 * j];
    const oy = joints[3 * j + 1];
    const oz = joints[3 * j + 2];
    for (let r = 0; r < 3; r++) {
      const c = 3 * r;
      const row = m + 4 * r;
      stretches[row] = stretch[c];
      stretches[row + 1] = stretch[c + 1];
      stretches[row + 2] = stretch[c + 2];
      stretches[row + 3] = joints[3 * j + r] - (stretch[c] * ox + stretch[c + 1] * oy + stretch[c + 2] * oz);
      // C·o − R·o
      translation[r] =
        matrices[row + 3] +
        (matrices[row] - rotation[c]) * ox +
        (matrices[row + 1] - rotation[c + 1]) * oy +
        (matrices[row + 2] - rotation[c + 2]) * oz;
    }
    if (sign < 0) for (let c = 0; c < 4; c++) quaternion[c] = -quaternion[c];
    dualFromRigid(this.duals, DUAL_STRIDE * j, quaternion, 0, translation, 0);
  }
}

const linear = new Float64Array(9);
const rotation = new Float64Array(9);
const stretch = new Float64Array(9);
const quaternion = new Float64Array(4);
const translation = new Float64Array(3);

/** Leaves the polar factors of the matrix at m in `rotation` and `stretch`, and the former's quaternion, w ≥ 0. */
function rotationOf(matrices: Numbers, m: number): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) linear[3 * r + c] = matrices[m + 4 * r + c];
  polar3(rotation, stretch, linear);
  quaternionFromRotation(quaternion, 0, rotation, 0, 3);
  if (quaternion[3] < 0) for (let c = 0; c < 4; c++) quaternion[c] = -quaternion[c];
}

/**
 * The signs (B·P, for `BonePose.set`) that make every bone's quaternion continuous over P poses (12·B·P), starting with
 * w ≥ 0. A matrix cannot say whether a bone has turned by 190° or by −170°; its motion can.
 */
export function continuousSigns(transforms: Float32Array, bones: number): Int8Array {
  const signs = new Int8Array(transforms.length / MATRIX_STRIDE);
  const previous = new Float64Array(4 * bones);
  for (let b = 0; b < signs.length; b++) {
    rotationOf(transforms, MATRIX_STRIDE * b);
    const p = 4 * (b % bones);
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += previous[p + c] * quaternion[c];
    signs[b] = dot < 0 ? -1 : 1;
    for (let c = 0; c < 4; c++) previous[p + c] = signs[b] * quaternion[c];
  }
  return signs;
}
