import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { invert34, multiply34 } from '../../math/matrix34.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { type BlendSample, influencesOf } from './columns.ts';
import type { Training } from './problem.ts';

/**
 * The points that blend bones turn about. Players interpolate turns well and movements only along straight lines: so a
 * pivot is the point p that moves least as seen from the bone's parent. With N = C⁻¹·Φ, where C is the parent's matrix,
 * Σ weight·‖N·p − p‖² is least, and where many points stay as still, such as those of an axis, the one amid the vertices
 * that follow the bone.
 */

/** How much the distance from amid the vertices counts, as a part of a turn by one radian in every pose. */
const TETHER = 1e-3;

/** 3 per blend bone: pivots in the rest pose. `nodes` are the bones that vertices follow, `parents` what they hang from. */
export function pivotsOf(
  positions: Float32Array,
  skin: SkinWeights,
  nodes: readonly number[],
  bones: readonly BlendSample[],
  parents: Int32Array,
  training: Training,
): Float64Array {
  const out = centresOf(positions, skin, nodes);
  bones.forEach((bone, k) => {
    if (parents[k] >= 0) settle(out.subarray(3 * k, 3 * k + 3), bone, parents[k], training);
  });
  return out;
}

/** Moves a point to where it moves least. */
function settle(p: Float64Array, bone: BlendSample, parent: number, training: Training): void {
  const { poses, roots, blend, antipodality } = training;
  const at = influencesOf(bone);
  const n = new Float64Array(MATRIX_STRIDE);
  const back = new Float64Array(MATRIX_STRIDE);
  const a = new Float64Array(9);
  const b = new Float64Array(3);
  poses.forEach((pose, k) => {
    if (!invert34(back, 0, pose.matrices, MATRIX_STRIDE * parent)) return;
    blend(n, at, pose, antipodality);
    multiply34(n, 0, back, 0, n, 0);
    for (let c = 0; c < 3; c++) n[5 * c] -= 1;
    for (let row = 0; row < 12; row += 4) {
      const away = n[row] * p[0] + n[row + 1] * p[1] + n[row + 2] * p[2] + n[row + 3];
      for (let c = 0; c < 3; c++) {
        b[c] -= roots[k] ** 2 * n[row + c] * away;
        for (let d = 0; d < 3; d++) a[3 * c + d] += roots[k] ** 2 * n[row + c] * n[row + d];
      }
    }
  });
  for (let c = 0; c < 3; c++) a[4 * c] += TETHER * poses.length;
  choleskyFactor(a, 3);
  choleskySolve(a, 3, b, 1);
  for (let c = 0; c < 3; c++) p[c] += b[c];
}

/** The mean of the vertices that follow each blend bone, by weight; the origin for one that none follows. */
function centresOf(positions: Float32Array, skin: SkinWeights, nodes: readonly number[]): Float64Array {
  const out = new Float64Array(3 * nodes.length);
  const totals = new Float64Array(nodes.length);
  const blendOf = new Map(nodes.map((node, k) => [node, k]));
  for (let s = 0; s < skin.joints.length; s++) {
    const k = blendOf.get(skin.joints[s]);
    if (k === undefined || !(skin.weights[s] > 0)) continue;
    const i = Math.floor(s / skin.influences);
    for (let c = 0; c < 3; c++) out[3 * k + c] += skin.weights[s] * positions[3 * i + c];
    totals[k] += skin.weights[s];
  }
  return out.map((x, c) => (totals[Math.floor(c / 3)] > 0 ? x / totals[Math.floor(c / 3)] : 0));
}
