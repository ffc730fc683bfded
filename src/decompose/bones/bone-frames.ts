import { multiply, transpose } from '../../math/dense.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { FitProblem } from '../problem.ts';

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
