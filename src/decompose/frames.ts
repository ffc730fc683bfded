import { MATRIX_STRIDE } from '../model/skeleton.ts';
import { type FitProblem, HOMOGENEOUS, type Support } from './problem.ts';

/** From a fit's matrices back to single frames, in the problem's coordinates (centred, diagonal 1). */

/** out (3N) = the positions of frame k. */
export function poseOfFrame(problem: FitProblem, k: number, out: Float64Array): Float64Array {
  const { vertexCount, rank, z, basis } = problem;
  const rows = [0, 1, 2].map((c) => basis.subarray((3 * k + c) * rank, (3 * k + c + 1) * rank));
  for (let i = 0; i < vertexCount; i++) {
    for (let c = 0; c < 3; c++) {
      const row = rows[c];
      let sum = 0;
      for (let e = 0; e < rank; e++) sum += row[e] * z[i * rank + e];
      out[3 * i + c] = sum;
    }
  }
  return out;
}

/** out (12B) = the matrices of frame k, 3 × 4 row-major, acting on (x, y, z, 1). `bones` is 4B × 3P. */
export function paletteOfFrame(bones: Float64Array, frameCount: number, k: number, out: Float64Array): Float64Array {
  const columns = 3 * frameCount;
  for (let b = 0; MATRIX_STRIDE * b < out.length; b++) {
    for (let c = 0; c < 4; c++) {
      const scale = c === 3 ? HOMOGENEOUS : 1;
      for (let d = 0; d < 3; d++) out[MATRIX_STRIDE * b + 4 * d + c] = scale * bones[(4 * b + c) * columns + 3 * k + d];
    }
  }
  return out;
}

/** out (12) = Σ_b w_ib·T_b: the blended matrix of vertex i. */
export function blendPalette(out: Float64Array, palette: Float64Array, support: Support, i: number): void {
  out.fill(0);
  const o = i * support.influences;
  for (let s = 0; s < support.count[i]; s++) {
    const w = support.weights[o + s];
    const from = MATRIX_STRIDE * support.joints[o + s];
    for (let c = 0; c < MATRIX_STRIDE; c++) out[c] += w * palette[from + c];
  }
}

/** out (3N) = linear blend skinning of `rest` (4N, as in the problem) with the matrices of one frame. */
export function skinFrame(
  rest: Float64Array,
  support: Support,
  palette: Float64Array,
  out: Float64Array,
): Float64Array {
  const m = new Float64Array(MATRIX_STRIDE);
  for (let i = 0; 4 * i < rest.length; i++) {
    blendPalette(m, palette, support, i);
    for (let d = 0; d < 3; d++) {
      out[3 * i + d] =
        m[4 * d] * rest[4 * i] + m[4 * d + 1] * rest[4 * i + 1] + m[4 * d + 2] * rest[4 * i + 2] + m[4 * d + 3];
    }
  }
  return out;
}

/** Sum of squared errors of linear blend skinning over all frames, mass-weighted, in squared diagonals; frame by frame. */
export function skinningError(problem: FitProblem, support: Support, bones: Float64Array): number {
  const { mass } = problem;
  let total = 0;
  forEachFrame(problem, support, bones, (pose, skinned) => {
    for (let c = 0; c < pose.length; c++) total += mass[Math.floor(c / 3)] * (pose[c] - skinned[c]) ** 2;
  });
  return total;
}

/** The largest distance of a vertex from its place in any frame, in diagonals. */
export function worstDistance(problem: FitProblem, support: Support, bones: Float64Array): number {
  let worst2 = 0;
  forEachFrame(problem, support, bones, (pose, skinned) => {
    for (let c = 0; c < pose.length; c += 3) {
      const distance2 =
        (pose[c] - skinned[c]) ** 2 + (pose[c + 1] - skinned[c + 1]) ** 2 + (pose[c + 2] - skinned[c + 2]) ** 2;
      worst2 = Math.max(worst2, distance2);
    }
  });
  return Math.sqrt(worst2);
}

/** Visits every frame: its positions and what linear blend skinning makes of them, 3N each, in arrays that are reused. */
function forEachFrame(
  problem: FitProblem,
  support: Support,
  bones: Float64Array,
  visit: (pose: Float64Array, skinned: Float64Array) => void,
): void {
  const { vertexCount, frameCount } = problem;
  const palette = new Float64Array(bones.length / frameCount);
  const pose = new Float64Array(3 * vertexCount);
  const skinned = new Float64Array(3 * vertexCount);
  for (let k = 0; k < frameCount; k++) {
    poseOfFrame(problem, k, pose);
    visit(pose, skinFrame(problem.rest, support, paletteOfFrame(bones, frameCount, k, palette), skinned));
  }
}
