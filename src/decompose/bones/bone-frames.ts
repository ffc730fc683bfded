import { multiply, transpose } from '../../math/dense.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type FitProblem, HOMOGENEOUS } from '../problem.ts';

/**
 * Bones as one matrix with four rows per bone, in two forms: in frames, 4B × 3P, where row 4b + c and column 3k + d say
 * how coordinate d in frame k depends on ṽ_c; and in reduced coordinates, 4B × r, where they lie in the span of the basis.
 */

/** Numbers of one bone in frames: a 3 × 4 matrix for each. */
export const boneLength = ({ frameCount }: FitProblem): number => MATRIX_STRIDE * frameCount;

/** 4B × r → 4B × 3P. */
export function expandToFrames(problem: FitProblem, reduced: Float64Array): Float64Array {
  const { rank, basis } = problem;
  const columns = 3 * problem.frameCount;
  const rows = reduced.length / rank;
  const basisT = transpose(new Float64Array(basis.length), basis, columns, rank);
  return multiply(new Float64Array(rows * columns), reduced, basisT, rows, rank, columns);
}

/** 4B × 3P → 4B × r. */
export function projectToBasis(problem: FitProblem, full: Float64Array): Float64Array {
  const columns = 3 * problem.frameCount;
  const rows = full.length / columns;
  return multiply(new Float64Array(rows * problem.rank), full, problem.basis, rows, columns, problem.rank);
}

/** A copy of bones (4B × 3P) with `map` applied to the linear part (9, row-major) of every bone in every frame. */
export function mapLinearParts(
  { frameCount }: FitProblem,
  bones: Float64Array,
  map: (a: Float64Array, bone: number) => void,
): Float64Array {
  const columns = 3 * frameCount;
  const out = bones.slice();
  const a = new Float64Array(9);
  for (let b = 0; 4 * b * columns < out.length; b++) {
    for (let k = 0; k < frameCount; k++) {
      const at = (r: number, c: number) => (4 * b + c) * columns + 3 * k + r;
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) a[3 * r + c] = out[at(r, c)];
      map(a, b);
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[at(r, c)] = a[3 * r + c];
    }
  }
  return out;
}

/** The bones `keep`, in that order, then all of `more`; `length` numbers each. */
export function selectBones(
  bones: Float64Array,
  length: number,
  keep: readonly number[],
  more?: Float64Array,
): Float64Array {
  const out = new Float64Array(keep.length * length + (more?.length ?? 0));
  keep.forEach((bone, index) => {
    out.set(bones.subarray(bone * length, (bone + 1) * length), index * length);
  });
  if (more) out.set(more, keep.length * length);
  return out;
}

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
