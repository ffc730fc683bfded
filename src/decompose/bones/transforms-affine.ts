import { PliantError } from '../../error.ts';
import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import type { NormalEquations } from './normal-equations.ts';

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
