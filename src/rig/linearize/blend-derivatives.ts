import { DUAL_STRIDE, matrix34FromDual } from '../../math/dual-quaternion.ts';
import { multiply34 } from '../../math/matrix34.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { BonePose, Influences } from '../../skin/bones.ts';
import { type Blend, blendDualQuaternions, CANCELLED, sumOf, sumOfDuals } from '../../skin/operators.ts';

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
  const signs = sumOfDuals(psi, at, bones, antipodality);
  const o = DUAL_STRIDE * at.joints[at.start + l];
  for (let c = 0; c < DUAL_STRIDE; c++) q[c] = signs[l] * bones.duals[o + c];
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
  sumOf(stretch, at, bones.stretches);
  const o = MATRIX_STRIDE * at.joints[at.start + l];
  for (let c = 0; c < MATRIX_STRIDE; c++) change[c] = bones.stretches[o + c] - stretch[c];
  blendDualQuaternions(turned, at, bones, antipodality);
  multiply34(change, 0, turned, 0, change, 0);
  for (let c = 3; c < MATRIX_STRIDE; c += 4) change[c] -= turned[c]; // the last row of a change is 0 0 0 0
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

/** out (12) = M(Ψ), the matrix of a dual quaternion times |Ψ₀|²: quadratic in its eight numbers. */
function unscaledMatrix(out: Float64Array, dual: Float64Array): void {
  const norm = dual[0] ** 2 + dual[1] ** 2 + dual[2] ** 2 + dual[3] ** 2;
  if (norm > 0) matrix34FromDual(out, 0, dual, 0);
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = norm > 0 ? norm * out[c] : 0;
}
