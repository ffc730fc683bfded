import { distance3, type Vector } from '../../math/vector.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';

/**
 * Chains of skeletons that lie flat: joints that are all children of one node, as those of tracked hands, say nothing about
 * which one follows which. Their frames do: modelling programs let all bones run along one of their own axes, at whose end the
 * next joint is.
 */

/** Cosines: of a joint that lies on the axis, to find which axis it is, and beside it, once that is known. */
const ON_AXIS = 0.99;
const NEAR_AXIS = 0.94;
/** Of the joints without children, those that must have another one on their axis. */
const LEAST_SHARE = 0.6;
/** Fewer joints in a row say nothing. */
const LEAST_JOINTS = 3;

/** Gives joints without children the next one along their axis, in place, where siblings agree on that axis. */
export function chainSiblings(
  joints: readonly Vector[],
  parents: Int32Array,
  children: number[][],
  binds: Float64Array,
): void {
  const leaves = new Map<number, number[]>();
  parents.forEach((parent, j) => {
    if (children[j].length === 0) leaves.set(parent, [...(leaves.get(parent) ?? []), j]);
  });
  for (const siblings of leaves.values()) {
    if (siblings.length < LEAST_JOINTS) continue;
    const found = AXES.map((axis) => siblings.map((j) => next(j, axis, ON_AXIS)));
    const hits = found.map((list) => list.filter((k) => k >= 0).length);
    const best = hits.indexOf(Math.max(...hits));
    if (hits[best] < LEAST_SHARE * siblings.length) continue;
    for (const j of siblings) {
      const k = next(j, AXES[best], NEAR_AXIS);
      if (k >= 0) children[j].push(k);
    }

    /** The nearest sibling along an axis of joint j, −1 if there is none. */
    function next(j: number, [column, sign]: Axis, cosine: number): number {
      const o = MATRIX_STRIDE * j + column;
      const along = [binds[o], binds[o + 4], binds[o + 8]].map((x) => sign * x);
      const length = Math.hypot(...along);
      let [nearest, least] = [-1, Infinity];
      for (const k of siblings) {
        const far = distance3(joints[j], joints[k]);
        const way = along.reduce((sum, x, c) => sum + x * (joints[k][c] - joints[j][c]), 0);
        if (far > 0 && far < least && way > cosine * length * far) [nearest, least] = [k, far];
      }
      return nearest;
    }
  }
}

/** A column of a frame, and its sign. */
type Axis = readonly [column: number, sign: number];

/** +y first: that of most programs, and what a row of unturned joints is as likely to run along as any. */
const AXES: readonly Axis[] = [
  [1, 1],
  [0, 1],
  [2, 1],
  [1, -1],
  [0, -1],
  [2, -1],
];
