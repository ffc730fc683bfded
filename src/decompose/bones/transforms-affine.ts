import { PliantError } from '../../error.ts';
import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { IDENTITY3 } from '../../math/svd3.ts';
import type { FitProblem } from '../problem.ts';
import { expandToFrames, mapLinearParts, projectToBasis } from './bone-frames.ts';
import { toRotation } from './linear-parts.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';

/**
 * The affine bones (4B × r) that minimise ‖Z − X·M‖²: one Cholesky factorisation for all frames and coordinates.
 *
 * @param near 4B × r: what the data leave open stays as it was.
 * @param pull strength of that, as a fraction of the mean diagonal of each bone's own block of H.
 */
export function solveAffine(equations: NormalEquations, near: Float64Array, pull: number): Float64Array {
  const { boneCount, h, r } = equations;
  const size = 4 * boneCount;
  const rank = near.length / size;
  const lambda = new Float64Array(boneCount);
  let trace = 0;
  for (let d = 0; d < size; d++) {
    lambda[d >> 2] += (pull * h[d * size + d]) / 4;
    trace += h[d * size + d];
  }
  // A bone that no vertex follows keeps its place: its block is the pull alone.
  const idle = (1e-12 * trace) / size || 1e-30;
  for (let strength = 1; Number.isFinite(strength); strength *= 100) {
    const l = h.slice();
    const bones = r.slice();
    for (let d = 0; d < size; d++) {
      const own = strength * (lambda[d >> 2] + idle);
      l[d * size + d] += own;
      for (let c = 0; c < rank; c++) bones[d * rank + c] += own * near[d * rank + c];
    }
    if (!choleskyFactor(l, size)) continue;
    choleskySolve(l, size, bones, rank);
    return bones;
  }
  throw new PliantError('internal', 'fit', 'normal equations are not finite');
}

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
  const rotations = mapLinearParts(problem, expandToFrames(problem, bones), toRotation);
  return pulledTowards(equations, projectToBasis(problem, rotations), (b) => {
    const { k } = blockOf(equations, b);
    const weight = (strength * Math.max(0, k[0] + k[4] + k[8])) / 3;
    return IDENTITY3.map((x) => weight * x);
  });
}

/** The equations with tr((A_b − target_b)·W_b·(A_b − target_b)ᵀ) added for every bone b; `target` is 4B × r, W_b 3 × 3. */
export function pulledTowards(
  equations: NormalEquations,
  target: Float64Array,
  weightsOf: (bone: number) => Float64Array,
): NormalEquations {
  const { boneCount } = equations;
  const size = 4 * boneCount;
  const rank = target.length / size;
  const h = equations.h.slice();
  const r = equations.r.slice();
  for (let b = 0; b < boneCount; b++) {
    const weights = weightsOf(b);
    for (let s = 0; s < 3; s++) {
      for (let t = 0; t < 3; t++) {
        const weight = weights[3 * s + t];
        if (weight === 0) continue;
        h[(4 * b + s) * size + 4 * b + t] += weight;
        for (let c = 0; c < rank; c++) r[(4 * b + s) * rank + c] += weight * target[(4 * b + t) * rank + c];
      }
    }
  }
  return { boneCount, h, r };
}
