import { DUAL_STRIDE, matrix34FromDual } from '../../src/math/dual-quaternion.ts';
import { transformPoint34 } from '../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { BonePose } from '../../src/skin/bones.ts';
import { bulge } from './bulge.ts';
import type { InfluenceSet } from './influence-sets.ts';
import { INFLUENCES } from './mesh-model.ts';
import type { ThreeOperator } from './shader.ts';

/**
 * Boxes that contain every vertex of a pose, one for each set of vertices that follow the same bones: no vertex is
 * skinned. Guaranteed for every operator, with antipodality.
 *
 * Linear blending: v' = Σ w·C·v is linear in v and in w, so that its extremes over a box of v and a range of weights are
 * found at corners of the box, each with as much weight as the ranges allow on the bones that take it farthest.
 *
 * Dual quaternions leave that box by an amount that bulge.ts bounds. Stretches come first and are blended linearly. A mix
 * lies between a linear and a dual blend.
 *
 * Returns 6 numbers per set: min x y z, max x y z.
 */
export function poseBounds(
  sets: readonly InfluenceSet[],
  bones: BonePose,
  operator: ThreeOperator,
  morphWeights: ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(6 * sets.length);
  const rigid = operator === 'lbs' ? bones.matrices : rigidParts(bones);
  sets.forEach((set, s) => {
    const { joints } = set;
    const box = emptyBox(out.subarray(6 * s, 6 * s + 6));
    morphedBox(rest, set, morphWeights);
    cornersOf(corners, rest);
    if (operator === 'lbs' || operator === 'mix') linearBox(box, set, images(corners, joints, bones.matrices));
    if (operator === 'lbs') return;
    if (operator === 'sdqs') {
      linearBox(emptyBox(rest), set, images(corners, joints, bones.stretches));
      cornersOf(corners, rest);
    }
    images(corners, joints, rigid);
    linearBox(emptyBox(rest), set, moved);
    include(box, rest, bulge(set, moved, bones.duals));
  });
  return out;
}

/** The numbers of one set at a time. Module state: JavaScript runs one call at a time. */
const rest = new Float64Array(6);
const corners = new Float64Array(24);
const moved = new Float64Array(24 * INFLUENCES);
const order = new Uint8Array(INFLUENCES);

/** Widens `box` by all means of `points` (the images of 8 corners, 24 per bone) with weights that the set allows. */
function linearBox(box: Float64Array, { joints, least, most }: InfluenceSet, points: Float64Array): void {
  const k = joints.length;
  let given = 0;
  for (let s = 0; s < k; s++) given += least[s];
  for (let c = 0; c < 24; c++) {
    // (1) Bones by where they take the corner, in this coordinate.
    for (let s = 0; s < k; s++) {
      let to = s;
      for (; to > 0 && points[24 * order[to - 1] + c] > points[24 * s + c]; to--) order[to] = order[to - 1];
      order[to] = s;
    }
    // (2) The least that each must have, and the rest from either end.
    let low = 0;
    let high = 0;
    let lowFree = 1 - given;
    let highFree = 1 - given;
    for (let n = 0; n < k; n++) {
      const a = order[n];
      const b = order[k - 1 - n];
      // Rounding of the weights may leave a little: the last takes it.
      const toA = n === k - 1 ? lowFree : Math.min(lowFree, most[a] - least[a]);
      const toB = n === k - 1 ? highFree : Math.min(highFree, most[b] - least[b]);
      lowFree -= toA;
      highFree -= toB;
      low += (least[a] + toA) * points[24 * a + c];
      high += (least[b] + toB) * points[24 * b + c];
    }
    const axis = c % 3;
    if (low < box[axis]) box[axis] = low;
    if (high > box[3 + axis]) box[3 + axis] = high;
  }
}

/** 12B: the matrices of the rigid parts. */
function rigidParts({ duals }: BonePose): Float64Array {
  const out = new Float64Array((MATRIX_STRIDE * duals.length) / DUAL_STRIDE);
  for (let j = 0; j < duals.length / DUAL_STRIDE; j++) matrix34FromDual(out, MATRIX_STRIDE * j, duals, DUAL_STRIDE * j);
  return out;
}

function emptyBox(out: Float64Array): Float64Array {
  for (let c = 0; c < 3; c++) {
    out[c] = Infinity;
    out[3 + c] = -Infinity;
  }
  return out;
}

/** A set's box with morphs dialled in: each moves it between its least and greatest displacement. */
function morphedBox(out: Float64Array, { box, morphs }: InfluenceSet, weights: ArrayLike<number>): void {
  out.set(box);
  for (let m = 0; m < weights.length; m++) {
    for (let c = 0; c < 3; c++) {
      const a = weights[m] * morphs[6 * m + c];
      const b = weights[m] * morphs[6 * m + 3 + c];
      out[c] += Math.min(a, b);
      out[3 + c] += Math.max(a, b);
    }
  }
}

/** out (24) = the eight corners of a box. */
function cornersOf(out: Float64Array, box: Float64Array): void {
  for (let corner = 0; corner < 8; corner++) {
    for (let c = 0; c < 3; c++) out[3 * corner + c] = box[(corner >> c) & 1 ? 3 + c : c];
  }
}

/** 24 per joint: points as each of the joints' matrices moves them. The same array every time. */
function images(points: Float64Array, joints: readonly number[], matrices: Float64Array): Float64Array {
  for (let s = 0; s < joints.length; s++) {
    const m = MATRIX_STRIDE * joints[s];
    for (let c = 0; c < 24; c += 3) transformPoint34(moved, 24 * s + c, matrices, m, points, c);
  }
  return moved;
}

/** Widens a box until it contains another and all that is within `radius` of it. */
function include(out: Float64Array, box: Float64Array, radius: number): void {
  for (let c = 0; c < 3; c++) {
    out[c] = Math.min(out[c], box[c] - radius);
    out[3 + c] = Math.max(out[3 + c], box[3 + c] + radius);
  }
}
