import type { FitProblem } from '../problem.ts';
import { expandToFrames, mapLinearParts, projectToBasis } from './bone-frames.ts';
import { toRotation } from './linear-parts.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';

/**
 * A soft pull of affine bones towards rotations. Where the data say little of a matrix (thin, flat or shared supports) the
 * best affine bone may be wild, mirrored even, and then interpolates badly between keys. To the error of the transform
 * step is added, per bone and frame,
 *
 *   strength · tr(K)/3 · ‖A − polar(A₀)‖²,   K = H_bb[0:3, 0:3] − hhᵀ/η the covariance of the bone's vertices,
 *
 * with A₀ the bone before the step: a diagonal and a right-hand side for the normal equations.
 *
 * @param bones 4B × r: A₀.
 * @returns equations for `solveAffine`; the input is unchanged.
 */
export function pullTowardsRotations(
  problem: FitProblem,
  equations: NormalEquations,
  bones: Float64Array,
  strength: number,
): NormalEquations {
  const { boneCount } = equations;
  const { rank } = problem;
  const size = 4 * boneCount;
  const h = equations.h.slice();
  const r = equations.r.slice();
  const rotations = mapLinearParts(problem, expandToFrames(problem, bones), toRotation);
  const target = projectToBasis(problem, rotations);
  for (let b = 0; b < boneCount; b++) {
    const { k } = blockOf(equations, b);
    const weight = (strength * Math.max(0, k[0] + k[4] + k[8])) / 3;
    for (let row = 4 * b; row < 4 * b + 3; row++) {
      h[row * size + row] += weight;
      for (let c = 0; c < rank; c++) r[row * rank + c] += weight * target[row * rank + c];
    }
  }
  return { boneCount, h, r };
}
