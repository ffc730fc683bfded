import { DUAL_STRIDE, dualFromRigid, matrix34FromDual } from '../math/dual-quaternion.ts';
import { quaternionFromRotation } from '../math/quaternion.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinWeights } from '../model/skinned-model.ts';

/**
 * Dual quaternion skinning of single vertices by rigid bones: what the control points and the local frames of residuals
 * need, beside the kernels that pose whole meshes. No allocation per pose.
 */
export class BoneBlend {
  /** 12: the motion of the vertex that `at` was asked for last. */
  readonly motion = new Float64Array(MATRIX_STRIDE);
  readonly #skin: SkinWeights;
  readonly #duals: Float64Array;
  readonly #sum = new Float64Array(DUAL_STRIDE);
  /** The bones that count. */
  readonly #used: Uint32Array;

  /** `only`: the vertices that will be asked for, if not all. */
  constructor(skin: SkinWeights, bones: number, only?: Uint32Array) {
    this.#skin = skin;
    this.#duals = new Float64Array(DUAL_STRIDE * bones);
    const { influences, joints } = skin;
    const used = only
      ? new Set([...only].flatMap((i) => [...joints.subarray(i * influences, (i + 1) * influences)]))
      : Array.from({ length: bones }, (_, b) => b);
    this.#used = Uint32Array.from(used);
  }

  /** Takes 12B rigid transforms. */
  set(transforms: Float64Array): void {
    for (let u = 0; u < this.#used.length; u++) {
      const b = this.#used[u];
      const m = MATRIX_STRIDE * b;
      quaternionFromRotation(rotation, 0, transforms, m, 4);
      for (let r = 0; r < 3; r++) translation[r] = transforms[m + 4 * r + 3];
      dualFromRigid(this.#duals, DUAL_STRIDE * b, rotation, 0, translation, 0);
    }
  }

  /** Leaves the motion of vertex i in `motion`: each dual quaternion on the side of the heaviest. */
  at(i: number): void {
    const { influences, joints, weights } = this.#skin;
    const d = this.#duals;
    const sum = this.#sum;
    const first = DUAL_STRIDE * joints[i * influences];
    sum.fill(0);
    for (let s = i * influences; s < (i + 1) * influences; s++) {
      if (weights[s] === 0) break;
      const o = DUAL_STRIDE * joints[s];
      const dot = d[o] * d[first] + d[o + 1] * d[first + 1] + d[o + 2] * d[first + 2] + d[o + 3] * d[first + 3];
      const w = dot < 0 ? -weights[s] : weights[s];
      for (let c = 0; c < DUAL_STRIDE; c++) sum[c] += w * d[o + c];
    }
    matrix34FromDual(this.motion, 0, sum, 0);
  }
}

const rotation = new Float64Array(4);
const translation = new Float64Array(3);
