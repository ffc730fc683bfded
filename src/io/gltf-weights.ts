/** Influences of one vertex in the order Pliant keeps them, shared by the glTF reader and writer. */

/** At most this many influences are looked at per vertex: JOINTS_0 … JOINTS_7. */
export const MOST_INFLUENCES = 32;

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

export { largestRemainders as quantizeWeights } from '../math/integer-simplex.ts';
