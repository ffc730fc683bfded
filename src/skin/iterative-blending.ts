import { conjugateDual, DUAL_STRIDE, expDual, logDual, multiplyDuals, normalizeDual } from '../math/dual-quaternion.ts';
import type { Influences } from './bones.ts';

/**
 * Dual quaternion iterative blending (DIB, Kavan et al. 2008; Kavan 2009, §5): the intrinsic mean b of
 * rigid motions, where Σ w·log(b⁻¹·q̂) = 0. Each step moves b to b·exp(Σ w·log(b⁻¹·q̂)). The plain version, an oracle.
 *
 * The logarithm keeps q̂ and −q̂ apart, so without antipodality means of turns up to a whole one come out right.
 */

/** Steps stop when the mean of the logarithms is this small beside the mean of their lengths. */
const TOLERANCE = 1e-12;
/** Floor of the tolerance: rounding leaves this much, in radians and in units of b's own dual part. */
const ROUNDING = 1e-14;
/** More than ever needed for turns below 350°; closer to a whole turn the steps shrink. */
const MAX_STEPS = 200;

/** Moves b (8, unit) to the mean; `signs` has ±1 per influence. Returns the number of steps. */
export function iterate(b: Float64Array, at: Influences, duals: Float64Array, signs: readonly number[]): number {
  const { joints, weights, start, k } = at;
  for (let step = 1; step <= MAX_STEPS; step++) {
    conjugateDual(inverse, 0, b, 0);
    mean.fill(0);
    let turns = ROUNDING;
    let shifts = ROUNDING * Math.hypot(b[4], b[5], b[6], b[7]);
    for (let s = 0; s < k; s++) {
      const w = weights[start + s];
      for (let c = 0; c < DUAL_STRIDE; c++) relative[c] = signs[s] * duals[DUAL_STRIDE * joints[start + s] + c];
      multiplyDuals(relative, 0, inverse, 0, relative, 0);
      logDual(relative, 0, relative, 0);
      for (let c = 0; c < 6; c++) mean[c] += w * relative[c];
      turns += TOLERANCE * w * Math.hypot(relative[0], relative[1], relative[2]);
      shifts += TOLERANCE * w * Math.hypot(relative[3], relative[4], relative[5]);
    }
    const done = Math.hypot(mean[0], mean[1], mean[2]) <= turns && Math.hypot(mean[3], mean[4], mean[5]) <= shifts;
    expDual(mean, 0, mean, 0);
    multiplyDuals(b, 0, b, 0, mean, 0);
    normalizeDual(b);
    if (done) return step;
  }
  return MAX_STEPS;
}

const inverse = new Float64Array(DUAL_STRIDE);
const relative = new Float64Array(DUAL_STRIDE);
const mean = new Float64Array(DUAL_STRIDE);
