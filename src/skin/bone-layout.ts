import { DUAL_STRIDE } from '../math/dual-quaternion.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinOperator } from '../model/skinned-model.ts';
import type { BonePose } from './bones.ts';

/**
 * A pose in the form each kernel reads: single precision, and for vertices that are kept relative to a centre c. A motion
 * C applied to c + d is C·T(c) applied to d. All blends commute with such a factor on the right, linear ones because they
 * are linear, those of dual quaternions because they are bi-invariant (Kavan et al. 2008).
 */
export interface BoneLayout {
  /** Floats per bone. */
  stride: number;
  /** Where in them its dual quaternion begins, if it has one. */
  dual: number;
  /** Whether the bones must be split into stretch and rigid part. */
  rigidParts: boolean;
  /** Writes all bones of a pose. */
  write(out: Float32Array, bones: BonePose, centre: Float64Array): void;
}

const MATRIX: BoneLayout = {
  stride: MATRIX_STRIDE,
  dual: 0,
  rigidParts: false,
  write: (out, { matrices }, centre) => writeMatrices(out, MATRIX_STRIDE, matrices, centre),
};

const DUAL: BoneLayout = {
  stride: DUAL_STRIDE,
  dual: 0,
  rigidParts: true,
  write: (out, { duals }, centre) => writeDuals(out, 0, DUAL_STRIDE, duals, centre),
};

const STRIDE = MATRIX_STRIDE + DUAL_STRIDE;

const STRETCH_AND_DUAL: BoneLayout = {
  stride: STRIDE,
  dual: MATRIX_STRIDE,
  rigidParts: true,
  write: (out, { stretches, duals }, centre) => {
    writeMatrices(out, STRIDE, stretches, centre);
    // The stretched vertex is relative to c again.
    for (let m = 0; m < out.length; m += STRIDE) for (let r = 0; r < 3; r++) out[m + 4 * r + 3] -= centre[r];
    writeDuals(out, MATRIX_STRIDE, STRIDE, duals, centre);
  },
};

const MATRIX_AND_DUAL: BoneLayout = {
  stride: STRIDE,
  dual: MATRIX_STRIDE,
  rigidParts: true,
  write: (out, { matrices, duals }, centre) => {
    writeMatrices(out, STRIDE, matrices, centre);
    writeDuals(out, MATRIX_STRIDE, STRIDE, duals, centre);
  },
};

const LAYOUTS: Record<SkinOperator, BoneLayout> = {
  rigid: MATRIX,
  lbs: MATRIX,
  dqs: DUAL,
  dib: DUAL,
  sdqs: STRETCH_AND_DUAL,
  mix: MATRIX_AND_DUAL,
};

export const boneLayout = (operator: SkinOperator): BoneLayout => LAYOUTS[operator];

/** out = [A | A·c + t] for each matrix. */
function writeMatrices(out: Float32Array, stride: number, matrices: Float64Array, centre: Float64Array): void {
  for (let m = 0, o = 0; m < matrices.length; m += MATRIX_STRIDE, o += stride) {
    for (let r = 0; r < MATRIX_STRIDE; r += 4) {
      const x = matrices[m + r];
      const y = matrices[m + r + 1];
      const z = matrices[m + r + 2];
      out[o + r] = x;
      out[o + r + 1] = y;
      out[o + r + 2] = z;
      out[o + r + 3] = x * centre[0] + y * centre[1] + z * centre[2] + matrices[m + r + 3];
    }
  }
}

/** out = q̂·(1 + ε·c/2) = q₀ + ε·(q_ε + q₀·c/2) for each dual quaternion. */
function writeDuals(
  out: Float32Array,
  offset: number,
  stride: number,
  duals: Float64Array,
  centre: Float64Array,
): void {
  const cx = centre[0] / 2;
  const cy = centre[1] / 2;
  const cz = centre[2] / 2;
  for (let q = 0, o = offset; q < duals.length; q += DUAL_STRIDE, o += stride) {
    const x = duals[q];
    const y = duals[q + 1];
    const z = duals[q + 2];
    const w = duals[q + 3];
    out[o] = x;
    out[o + 1] = y;
    out[o + 2] = z;
    out[o + 3] = w;
    out[o + 4] = duals[q + 4] + w * cx + y * cz - z * cy;
    out[o + 5] = duals[q + 5] + w * cy + z * cx - x * cz;
    out[o + 6] = duals[q + 6] + w * cz + x * cy - y * cx;
    out[o + 7] = duals[q + 7] - (x * cx + y * cy + z * cz);
  }
}
