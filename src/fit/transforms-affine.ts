import { PliantError } from '../error.ts';
import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';
import type { NormalEquations } from './normal-equations.ts';

/** Pull towards the previous bones, as a fraction of the mean diagonal of H: decides what the data leave open. */
const DAMPING = 1e-7;

/** The affine bones (4B × r) that minimise ‖Z − X·M‖²: one Cholesky factorisation for all frames and coordinates. */
export function solveAffine(equations: NormalEquations, previous: Float64Array, damping = DAMPING): Float64Array {
  const size = 4 * equations.boneCount;
  const rank = previous.length / size;
  let trace = 0;
  for (let d = 0; d < size; d++) trace += equations.h[d * size + d];
  for (let lambda = (damping * trace) / size || 1e-30; ; lambda *= 100) {
    const l = equations.h.slice();
    for (let d = 0; d < size; d++) l[d * size + d] += lambda;
    if (!choleskyFactor(l, size)) {
      if (!Number.isFinite(lambda)) throw new PliantError('internal', 'fit', 'normal equations are not finite');
      continue;
    }
    const bones = new Float64Array(size * rank);
    for (let c = 0; c < bones.length; c++) bones[c] = equations.r[c] + lambda * previous[c];
    choleskySolve(l, size, bones, rank);
    return bones;
  }
}
