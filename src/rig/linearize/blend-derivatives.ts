import { DUAL_STRIDE } from '../../math/dual-quaternion.ts';
import { multiply34 } from '../../math/matrix34.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { BonePose, Influences } from '../../skin/bones.ts';
import { type Blend, blendDualQuaternions, CANCELLED } from '../../skin/operators.ts';

/**
 * How a blend changes with its weights: Kavan 2009, appendix A. A weight cannot grow alone, since weights sum to 1:
 * here weight l grows while all shrink in proportion, the direction e_l − u. ∂/∂x_l in Kavan 2009, where the last
 * weight makes up for the growth of another, is the difference of two of these: of l and of the last.
 */

/** Writes the derivative (12) of Φ along e_l − u; l counts the influences. */
export type BlendDerivative = (
  out: Float64Array,
  at: Influences,
  bones: BonePose,
  antipodality: boolean,
  l: number,
) => void;

const psi = new Float64Array(DUAL_STRIDE);
const q = new Float64Array(DUAL_STRIDE);
const sum = new Float64Array(DUAL_STRIDE);
const matrix = new Float64Array(MATRIX_STRIDE);

/**
 * ∂Φ_DQS = (∂M − 2·(Ψ₀·q_l)·Φ)/|Ψ₀|², where Φ = M(Ψ)/|Ψ₀|². M is quadratic, so that ∂M along q̂ is exactly
 * ½·(M(Ψ + q̂) − M(Ψ − q̂)). Φ does not depend on the length of Ψ: the −u of the direction adds nothing.
 */
export const deriveDualQuaternions: BlendDerivative = (out, at, bones, antipodality, l) => {
  psi.fill(0);
  for (let s = 0; s < at.k; s++) {
    signedDual(q, at, bones, antipodality, s);
    for (let c = 0; c < DUAL_STRIDE; c++) psi[c] += at.weights[at.start + s] * q[c];
  }
  signedDual(q, at, bones, antipodality, l);
  const norm = psi[0] ** 2 + psi[1] ** 2 + psi[2] ** 2 + psi[3] ** 2;
  if (norm < CANCELLED) {
    out.fill(0); // The blend is then the heaviest bone (operators.ts).
    return;
  }
  const along = psi[0] * q[0] + psi[1] * q[1] + psi[2] * q[2] + psi[3] * q[3];
  for (let c = 0; c < DUAL_STRIDE; c++) sum[c] = psi[c] + q[c];
  unscaledMatrix(out, sum);
  for (let c = 0; c < DUAL_STRIDE; c++) sum[c] = psi[c] - q[c];
  unscaledMatrix(matrix, sum);
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = (out[c] - matrix[c]) / 2;
  unscaledMatrix(matrix, psi);
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = (out[c] - (2 * along * matrix[c]) / norm) / norm;
};

const turned = new Float64Array(MATRIX_STRIDE);
const stretch = new Float64Array(MATRIX_STRIDE);
const change = new Float64Array(MATRIX_STRIDE);

/** ∂Φ_SDQS = ∂Φ_DQS·Φ_LBS + Φ_DQS·∂Φ_LBS, where Φ_LBS = Σ u·S blends stretches and ∂Φ_LBS = S_l − Φ_LBS. */
export const deriveScaledDualQuaternions: BlendDerivative = (out, at, bones, antipodality, l) => {
  const { joints, weights, start, k } = at;
  for (let c = 0; c < MATRIX_STRIDE; c++) {
    stretch[c] = 0;
    for (let s = start; s < start + k; s++) {
      stretch[c] += weights[s] * bones.stretches[MATRIX_STRIDE * joints[s] + c];
    }
    change[c] = bones.stretches[MATRIX_STRIDE * joints[start + l] + c] - stretch[c];
  }
  blendDualQuaternions(turned, at, bones, antipodality);
  linearProduct(change, turned, change);
  deriveDualQuaternions(turned, at, bones, antipodality, l);
  multiply34(out, 0, turned, 0, stretch, 0);
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] += change[c];
};

/** Of any operator, by a forward difference along (u + h·e_l)/(1 + h). */
export function deriveByDifference(blend: Blend, h = 1e-6): BlendDerivative {
  const before = new Float64Array(MATRIX_STRIDE);
  return (out, at, bones, antipodality, l) => {
    blend(before, at, bones, antipodality);
    const weights = Array.from({ length: at.k }, (_, s) => (at.weights[at.start + s] + (s === l ? h : 0)) / (1 + h));
    const joints = Array.from({ length: at.k }, (_, s) => at.joints[at.start + s]);
    blend(out, { joints, weights, start: 0, k: at.k }, bones, antipodality);
    // To first order in h the weights have moved by h·(e_l − u).
    for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = (out[c] - before[c]) / h;
  };
}

/** out (8) = the dual quaternion of influence s, on the side of the heaviest one where antipodality is resolved. */
function signedDual(
  out: Float64Array,
  { joints, start }: Influences,
  { duals }: BonePose,
  antipodality: boolean,
  s: number,
): void {
  const pivot = DUAL_STRIDE * joints[start];
  const i = DUAL_STRIDE * joints[start + s];
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += duals[pivot + c] * duals[i + c];
  const sign = antipodality && dot < 0 ? -1 : 1;
  for (let c = 0; c < DUAL_STRIDE; c++) out[c] = sign * duals[i + c];
}

/** out (12) = M(Ψ), the matrix of a dual quaternion times |Ψ₀|²: quadratic in its eight numbers. */
function unscaledMatrix(out: Float64Array, [x, y, z, w, tx, ty, tz, tw]: Float64Array): void {
  out[0] = w * w + x * x - y * y - z * z;
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (w * tx - tw * x + y * tz - z * ty);
  out[4] = 2 * (x * y + w * z);
  out[5] = w * w - x * x + y * y - z * z;
  out[6] = 2 * (y * z - w * x);
  out[7] = 2 * (w * ty - tw * y + z * tx - x * tz);
  out[8] = 2 * (x * z - w * y);
  out[9] = 2 * (y * z + w * x);
  out[10] = w * w - x * x - y * y + z * z;
  out[11] = 2 * (w * tz - tw * z + x * ty - y * tx);
}

/** out = a · d for a change d of an affine map, whose last row is 0 0 0 0. */
function linearProduct(out: Float64Array, a: Float64Array, d: Float64Array): void {
  multiply34(out, 0, a, 0, d, 0);
  for (let r = 0; r < 3; r++) out[4 * r + 3] -= a[4 * r + 3];
}
