import { DUAL_STRIDE, matrix34FromDual, normalizeDual } from '../math/dual-quaternion.ts';
import { multiply34 } from '../math/matrix34.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { BonePose, Influences } from './bones.ts';
import { iterate } from './iterative-blending.ts';

/**
 * The skinning operators Φ(w; C₁ … C_B) → 3 × 4 matrix of Kavan 2009, §3 and appendix A, as plainly as they can be
 * written: the oracles of the kernels, and what blend bones are made of.
 */

/** Writes Φ (12). `antipodality`: whether dual quaternions are brought to the side of the heaviest influence first. */
export type Blend = (out: Float64Array, at: Influences, bones: BonePose, antipodality: boolean) => void;

/** The heaviest bone alone. */
export const blendRigid: Blend = (out, { joints, start }, { matrices }) => {
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = matrices[MATRIX_STRIDE * joints[start] + c];
};

/** Φ_LBS = Σ w·C. */
export const blendLinear: Blend = (out, at, { matrices }) => sumOf(out, at, matrices);

/** Φ_DQS = M(Ψ)/|Ψ₀|², (7). Knows the rigid parts of the bones only. */
export const blendDualQuaternions: Blend = (out, at, bones, antipodality) => {
  linearDual(psi, at, bones, antipodality);
  matrix34FromDual(out, 0, psi, 0);
};

/** Φ_SDQS = Φ_DQS·Φ_LBS, where Φ_LBS blends the bones' stretches. */
export const blendScaledDualQuaternions: Blend = (out, at, bones, antipodality) => {
  sumOf(stretch, at, bones.stretches);
  blendDualQuaternions(out, at, bones, antipodality);
  multiply34(out, 0, out, 0, stretch, 0);
};

/** Φ_DIB: the intrinsic mean of the rigid parts. */
export const blendIterative: Blend = (out, at, bones, antipodality) => {
  const signs = linearDual(psi, at, bones, antipodality);
  normalizeDual(psi);
  iterate(psi, at, bones.duals, signs);
  matrix34FromDual(out, 0, psi, 0);
};

/** (1 − ω)·Φ_LBS + ω·Φ_DQS, Khemakhem 2020, algorithm 3. */
export function blendMix(
  out: Float64Array,
  at: Influences,
  bones: BonePose,
  antipodality: boolean,
  omega: number,
): void {
  blendLinear(linear, at, bones, antipodality);
  blendDualQuaternions(out, at, bones, antipodality);
  for (let c = 0; c < MATRIX_STRIDE; c++) out[c] = (1 - omega) * linear[c] + omega * out[c];
}

const psi = new Float64Array(DUAL_STRIDE);
const stretch = new Float64Array(MATRIX_STRIDE);
const linear = new Float64Array(MATRIX_STRIDE);

/** out = Σ w·values of the bones, as many numbers of each as `out` has. */
export function sumOf(out: Float64Array, { joints, weights, start, k }: Influences, values: Float64Array): void {
  for (let c = 0; c < out.length; c++) {
    out[c] = 0;
    for (let s = start; s < start + k; s++) out[c] += weights[s] * values[out.length * joints[s] + c];
  }
}

/** Below this |Ψ₀|² the influences have cancelled (only without antipodality): the vertex follows its heaviest bone. */
export const CANCELLED = 1e-12;

/** out (8) = Ψ = Σ ±w·q̂, linear blending of dual quaternions (DLB). Returns the signs, one per influence. */
export function sumOfDuals(out: Float64Array, at: Influences, bones: BonePose, antipodality: boolean): number[] {
  const { joints, weights, start, k } = at;
  const q = bones.duals;
  const pivot = DUAL_STRIDE * joints[start];
  const signs: number[] = [];
  out.fill(0);
  for (let s = 0; s < k; s++) {
    const i = DUAL_STRIDE * joints[start + s];
    const dot = q[pivot] * q[i] + q[pivot + 1] * q[i + 1] + q[pivot + 2] * q[i + 2] + q[pivot + 3] * q[i + 3];
    signs.push(antipodality && dot < 0 ? -1 : 1);
    for (let c = 0; c < DUAL_STRIDE; c++) out[c] += signs[s] * weights[start + s] * q[i + c];
  }
  return signs;
}

/** The same, with the heaviest bone in place of influences that cancel. */
function linearDual(out: Float64Array, at: Influences, bones: BonePose, antipodality: boolean): number[] {
  const signs = sumOfDuals(out, at, bones, antipodality);
  if (out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2 < CANCELLED) {
    const pivot = DUAL_STRIDE * at.joints[at.start];
    for (let c = 0; c < DUAL_STRIDE; c++) out[c] = bones.duals[pivot + c];
  }
  return signs;
}
