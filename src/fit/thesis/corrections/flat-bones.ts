import type { FitProblem, Support } from '../../../decompose/problem.ts';
import { HOMOGENEOUS } from '../../../decompose/problem.ts';
import { flatSupport, straightenNormals } from '../../proxy/proxy-supports.ts';

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
  const moments = supportMoments(problem, support, boneCount);
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

/** Centre (3B) and covariance (9B) of the vertices of each bone, weighted by w². */
function supportMoments(problem: FitProblem, support: Support, boneCount: number) {
  const { rest, mass, vertexCount } = problem;
  const k = support.influences;
  const total = new Float64Array(boneCount);
  const pivots = new Float64Array(3 * boneCount);
  const covariances = new Float64Array(9 * boneCount);
  const each = (visit: (i: number, b: number, w: number) => void): void => {
    for (let i = 0; i < vertexCount; i++) {
      for (let s = i * k; s < i * k + support.count[i]; s++) {
        visit(i, support.joints[s], mass[i] * support.weights[s] ** 2);
      }
    }
  };
  each((i, b, w) => {
    total[b] += w;
    for (let c = 0; c < 3; c++) pivots[3 * b + c] += w * rest[4 * i + c];
  });
  for (let c = 0; c < pivots.length; c++) pivots[c] /= total[Math.floor(c / 3)] || 1;
  each((i, b, w) => {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        covariances[9 * b + 3 * r + c] +=
          w * (rest[4 * i + r] - pivots[3 * b + r]) * (rest[4 * i + c] - pivots[3 * b + c]);
      }
    }
  });
  for (let c = 0; c < covariances.length; c++) covariances[c] /= total[Math.floor(c / 9)] || 1;
  return { pivots, covariances };
}
