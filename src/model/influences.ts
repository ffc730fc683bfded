import type { SkinWeights } from './skinned-model.ts';

/** Influences in the order that models keep them: by falling weight, then by joint. */

/**
 * Brings `count` (joint, weight) pairs of one vertex into canonical form, in place: slots of one joint added up, by
 * falling weight (then by joint), unused slots joint 0 and weight 0. Returns the number of slots in use.
 */
export function canonicalInfluences(joints: Uint16Array, weights: Float64Array, count: number): number {
  let used = 0;
  for (let s = 0; s < count; s++) {
    const joint = joints[s];
    const weight = weights[s];
    if (weight === 0) continue;
    let at = 0;
    while (at < used && joints[at] !== joint) at++;
    if (at < used) {
      weights[at] += weight;
    } else {
      joints[used] = joint;
      weights[used++] = weight;
    }
  }
  // Insertion sort: there are rarely more than four.
  for (let s = 1; s < used; s++) {
    const joint = joints[s];
    const weight = weights[s];
    let at = s;
    for (; at > 0 && (weights[at - 1] < weight || (weights[at - 1] === weight && joints[at - 1] > joint)); at--) {
      joints[at] = joints[at - 1];
      weights[at] = weights[at - 1];
    }
    joints[at] = joint;
    weights[at] = weight;
  }
  joints.fill(0, used, count);
  weights.fill(0, used, count);
  return used;
}

/**
 * The k largest of B weights per vertex (N·B, ≥ 0, at least one > 0), in canonical order and scaled to a sum of 1. Weights
 * below `least` are left out.
 */
export function largestWeights(dense: Float64Array, bones: number, influences: number, least = 0): SkinWeights {
  const n = dense.length / bones;
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  const row = new Float64Array(bones);
  const rowJoints = new Uint16Array(bones);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < bones; j++) {
      row[j] = dense[i * bones + j] < least ? 0 : dense[i * bones + j];
      rowJoints[j] = j;
    }
    const kept = Math.min(influences, canonicalInfluences(rowJoints, row, bones));
    let sum = 0;
    for (let s = 0; s < kept; s++) sum += row[s];
    for (let s = 0; s < kept; s++) weights[i * influences + s] = row[s] / sum;
    joints.set(rowJoints.subarray(0, kept), i * influences);
  }
  return { influences, joints, weights };
}

/** Smaller weights are left out: they are below what files and single precision keep. */
const LEAST_WEIGHT = 1e-6;

/** All of B weights per vertex (N·B, ≥ 0) that count, with as many slots as the fullest vertex needs. */
export function countingWeights(dense: Float64Array, bones: number): SkinWeights {
  let most = 1;
  for (let row = 0; row < dense.length; row += bones) {
    let used = 0;
    for (let q = row; q < row + bones; q++) if (dense[q] >= LEAST_WEIGHT) used++;
    most = Math.max(most, used);
  }
  return largestWeights(dense, bones, most, LEAST_WEIGHT);
}

/** The bones that some vertex follows. */
export const followedBones = ({ joints, weights }: SkinWeights): Set<number> =>
  new Set(joints.filter((_, s) => weights[s] > 0));
