import { multiply } from '../../math/dense.ts';
import type { KernelName } from '../../model/predictor.ts';
import { KernelVector, trainKernel } from '../../regress/kernel.ts';
import { leaveOneOut, ridgeInverse } from '../../regress/ridge.ts';
import type { Examples } from '../examples.ts';
import { InputLimit } from './input-limit.ts';
import { sampledVertices } from './left-out-error.ts';

/** How examples that are left out are blended from the others, and the κ that does it best. */

/** κ to choose from, the usual one first. */
const KAPPAS = [1e-4, 1e-2, 1e-6, 1e-8, 1e-1, 1];
/** The first within a hair of the best is taken. */
const HAIR = 1.02;

/**
 * κ with which leaving one example out costs the vertices least, for a kernel matrix K.
 * @param most the largest to try.
 * @param exact an error that is none.
 */
export function bestKappa({ poses, rest }: Examples, matrix: Float64Array, most: number, exact: number): number {
  const e = poses.length;
  const watched = sampledVertices(rest.positions.length / 3);
  const sample = new Float64Array(e * 3 * watched.length);
  poses.forEach((pose, k) => {
    for (let at = 0; at < watched.length; at++) {
      const i = 3 * watched[at];
      sample.set(pose.subarray(i, i + 3), 3 * (k * watched.length + at));
    }
  });
  const offered = KAPPAS.filter((kappa) => kappa <= most);
  const errors = offered.map((kappa) => {
    const blend = leaveOneOut(ridgeInverse(matrix, e, kappa, 'learn'), e, kappa);
    const predicted = multiply(new Float64Array(sample.length), blend, sample, e, e, sample.length / e);
    const sum = predicted.reduce((total, x, at) => total + (x - sample[at]) ** 2, 0);
    return Math.hypot(Math.sqrt(sum / (e * watched.length)), exact);
  });
  const least = Math.min(...errors);
  return offered[errors.findIndex((error) => error <= HAIR * least)];
}

/**
 * E × E: the first half of the examples predicts the second, and the second the first, as kernel ridge regression does whose
 * coefficients sum to 1. Examples are in the order of their frames, so this is how well motions carry on. Undefined where a
 * half says too little.
 *
 * @param inputs E × d.
 */
export function halfFromOther(
  name: KernelName,
  inputs: Float64Array,
  d: number,
  kappa: number,
  limit: number,
  width = 1,
): Float64Array | undefined {
  const e = inputs.length / d;
  const middle = Math.floor(e / 2);
  const blend = new Float64Array(e * e);
  for (const [from, to] of [
    [0, middle],
    [middle, e],
  ]) {
    const known = inputs.slice(from * d, to * d);
    const count = to - from;
    if (count < 2 || known.every((x, at) => x === known[at % d])) return undefined;
    const { kernel, matrix } = trainKernel(name, known, d, 'learn', width);
    const inverse = ridgeInverse(matrix, count, kappa, 'learn');
    const vector = new KernelVector(kernel);
    const within = limit > 0 ? new InputLimit(kernel, limit) : undefined;
    for (let k = 0; k < e; k++) {
      if (k >= from && k < to) continue;
      const input = inputs.slice(k * d, (k + 1) * d);
      within?.apply(input);
      vector.set(input);
      const share = multiply(new Float64Array(count), vector.xi, inverse, 1, count, count);
      const left = share.reduce((rest, x) => rest - x, 1);
      for (let j = 0; j < count; j++) blend[k * e + from + j] = share[j] + left / count;
    }
  }
  return blend;
}
