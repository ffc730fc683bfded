import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type FitProblem, HOMOGENEOUS } from '../problem.ts';

/**
 * A fit's bones (4B × 3P, in the problem's coordinates: centred on c, divided by the diagonal d, homogeneous coordinate h)
 * → P·B·12 matrices rest → pose in the units of the file: x ↦ A·x + (c − A·c + d·h·t).
 */
export function frameMatrices(problem: FitProblem, bones: Float64Array): Float64Array {
  const { frameCount, centre, diagonal } = problem;
  const columns = 3 * frameCount;
  const boneCount = bones.length / (4 * columns);
  const out = new Float64Array(MATRIX_STRIDE * frameCount * boneCount);
  for (let k = 0; k < frameCount; k++) {
    for (let j = 0; j < boneCount; j++) {
      for (let d = 0; d < 3; d++) {
        const row = MATRIX_STRIDE * (k * boneCount + j) + 4 * d;
        const at = (c: number) => bones[(4 * j + c) * columns + 3 * k + d];
        out[row + 3] = centre[d] + diagonal * HOMOGENEOUS * at(3);
        for (let c = 0; c < 3; c++) {
          out[row + c] = at(c);
          out[row + 3] -= at(c) * centre[c];
        }
      }
    }
  }
  return out;
}

/** The way back: P·B·12 matrices in the units of the file → 4B × 3P in the problem's coordinates. */
export function bonesOfMatrices(problem: FitProblem, matrices: ArrayLike<number>): Float64Array {
  const { frameCount, centre, diagonal } = problem;
  const columns = 3 * frameCount;
  const boneCount = matrices.length / (MATRIX_STRIDE * frameCount);
  const out = new Float64Array(4 * boneCount * columns);
  for (let k = 0; k < frameCount; k++) {
    for (let j = 0; j < boneCount; j++) {
      for (let d = 0; d < 3; d++) {
        const row = MATRIX_STRIDE * (k * boneCount + j) + 4 * d;
        let t = matrices[row + 3] - centre[d];
        for (let c = 0; c < 3; c++) {
          out[(4 * j + c) * columns + 3 * k + d] = matrices[row + c];
          t += matrices[row + c] * centre[c];
        }
        out[(4 * j + 3) * columns + 3 * k + d] = t / (diagonal * HOMOGENEOUS);
      }
    }
  }
  return out;
}
