import type { FitProblem, Support } from '../../../decompose/problem.ts';
import { HOMOGENEOUS } from '../../../decompose/problem.ts';
import { boneSupports, flatSupport, straightenNormals } from '../../proxy/proxy-supports.ts';
import { restPoseOf } from '../key-poses.ts';

/**
 * A bone whose vertices lie in a plane (cloth, in its rest pose) may do anything along the normal: the fit leaves that
 * column at 0, and no displacement of the rest pose along the normal shows. Its image becomes the unit normal of the image
 * of the plane, so that corrections in rest space can act. Positions do not change.
 *
 * @param bones 4B × 3P.
 * @returns 4B × 3P.
 */
export function completeFlatBones(problem: FitProblem, support: Support, bones: Float64Array): Float64Array {
  const { frameCount } = problem;
  const columns = 3 * frameCount;
  const boneCount = bones.length / (4 * columns);
  const out = bones.slice();
  const moments = boneSupports(restPoseOf(problem), support, boneCount, (x) => x);
  const linear = new Float64Array(9 * frameCount);
  for (let b = 0; b < boneCount; b++) {
    const flat = flatSupport(moments.covariances.slice(9 * b, 9 * b + 9));
    if (!flat) continue;
    const each = (visit: (at: number, entry: number) => void): void => {
      for (let k = 0; k < frameCount; k++) {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) visit(9 * k + 3 * r + c, (4 * b + c) * columns + 3 * k + r);
        }
      }
    };
    each((at, entry) => {
      linear[at] = out[entry];
    });
    if (!straightenNormals(linear, flat, TOLERANCE)) continue;
    each((at, entry) => {
      // The pivot stays: what the new column adds there comes off the translation.
      const c = at % 3;
      const translation = (4 * b + 3) * columns + (entry % columns);
      out[translation] -= ((linear[at] - out[entry]) * moments.pivots[3 * b + c]) / HOMOGENEOUS;
      out[entry] = linear[at];
    });
  }
  return out;
}

/** How far a vertex may move, in diagonals. */
const TOLERANCE = 1e-6;
