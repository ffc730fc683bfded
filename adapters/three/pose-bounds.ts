import { DUAL_STRIDE, matrix34FromDual } from '../../src/math/dual-quaternion.ts';
import { transformPoint34 } from '../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { BonePose } from '../../src/skin/bones.ts';
import { bulge } from './bulge.ts';
import type { InfluenceSet } from './influence-sets.ts';
import type { ThreeOperator } from './shader.ts';

/**
 * A box (6: min x y z, max x y z) that contains every vertex of a pose, from the boxes of vertices that follow the same
 * bones: no vertex is skinned. Guaranteed for every operator, with antipodality.
 *
 * Linear blending: v' = Σ w·C·v is linear in v and in w, so that its extremes over a box of v and a range of weights are
 * found at corners of the box, each with as much weight as the ranges allow on the bones that take it farthest.
 *
 * Dual quaternions leave that box by an amount that bulge.ts bounds. Stretches come first and are blended linearly. A mix
 * lies between a linear and a dual blend.
 */
export function poseBounds(
  sets: readonly InfluenceSet[],
  bones: BonePose,
  operator: ThreeOperator,
  morphWeights: ArrayLike<number>,
): Float64Array {
  const out = emptyBox();
  const rigid = operator === 'lbs' ? bones.matrices : rigidParts(bones);
  for (const set of sets) {
    const { joints } = set;
    let corners = cornersOf(morphedBox(set, morphWeights));
    if (operator === 'lbs' || operator === 'mix')
      include(out, linearBox(set, images(corners, joints, bones.matrices)), 0);
    if (operator === 'lbs') continue;
    if (operator === 'sdqs') corners = cornersOf(linearBox(set, images(corners, joints, bones.stretches)));
    const moved = images(corners, joints, rigid);
    include(out, linearBox(set, moved), bulge(set, moved, bones.duals));
  }
  return out;
}

/** The box of all means of `moved` (the images of 8 corners per bone) with weights that the set allows. */
function linearBox({ joints, least, most }: InfluenceSet, moved: Float64Array): Float64Array {
  const out = emptyBox();
  const order = joints.map((_, s) => s);
  for (let c = 0; c < 24; c++) {
    order.sort((a, b) => moved[24 * a + c] - moved[24 * b + c]);
    out[c % 3] = Math.min(out[c % 3], extreme(order, 1));
    out[3 + (c % 3)] = Math.max(out[3 + (c % 3)], extreme(order, -1));

    /** The mean of component c when bones get all they can take, from the first (1) or the last (−1) of the order on. */
    function extreme(from: readonly number[], step: 1 | -1): number {
      let free = 1 - least.reduce((sum, w) => sum + w, 0);
      let mean = 0;
      for (let n = 0; n < from.length; n++) {
        const s = from[step > 0 ? n : from.length - 1 - n];
        const more = Math.min(Math.max(0, free), most[s] - least[s]);
        free -= more;
        mean += (least[s] + more) * moved[24 * s + c];
      }
      // Rounding of the weights may leave a little: it follows the extreme.
      return mean + free * moved[24 * from[step > 0 ? 0 : from.length - 1] + c];
    }
  }
  return out;
}

/** 12B: the matrices of the rigid parts. */
function rigidParts({ duals }: BonePose): Float64Array {
  const out = new Float64Array((MATRIX_STRIDE * duals.length) / DUAL_STRIDE);
  for (let j = 0; j < duals.length / DUAL_STRIDE; j++) matrix34FromDual(out, MATRIX_STRIDE * j, duals, DUAL_STRIDE * j);
  return out;
}

const emptyBox = (): Float64Array => Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);

/** A set's box with morphs dialled in: each moves it between its least and greatest displacement. */
function morphedBox({ box, morphs }: InfluenceSet, weights: ArrayLike<number>): Float64Array {
  const out = box.slice();
  for (let m = 0; m < weights.length; m++) {
    for (let c = 0; c < 3; c++) {
      const a = weights[m] * morphs[6 * m + c];
      const b = weights[m] * morphs[6 * m + 3 + c];
      out[c] += Math.min(a, b);
      out[3 + c] += Math.max(a, b);
    }
  }
  return out;
}

/** 24: the eight corners of a box. */
function cornersOf(box: Float64Array): Float64Array {
  const out = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let c = 0; c < 3; c++) out[3 * corner + c] = box[(corner >> c) & 1 ? 3 + c : c];
  }
  return out;
}

/** 24 per joint: the corners, as each of the joints' matrices moves them. */
function images(corners: Float64Array, joints: readonly number[], matrices: Float64Array): Float64Array {
  const out = new Float64Array(24 * joints.length);
  joints.forEach((j, s) => {
    for (let c = 0; c < 24; c += 3) transformPoint34(out, 24 * s + c, matrices, MATRIX_STRIDE * j, corners, c);
  });
  return out;
}

/** Widens a box until it contains another and all that is within `radius` of it. */
function include(out: Float64Array, box: Float64Array, radius: number): void {
  for (let c = 0; c < 3; c++) {
    out[c] = Math.min(out[c], box[c] - radius);
    out[3 + c] = Math.max(out[3 + c], box[3 + c] + radius);
  }
}
