import type { Decomposition } from '../../decompose/decomposition.ts';
import type { FitProblem } from '../../decompose/problem.ts';
import type { FitOptions } from '../fit-options.ts';

/** What both searches for a number of bones go by. */

/** What quick fits of the search do without. */
export const QUICK: Partial<FitOptions> = { iterations: 15, tolerance: 1e-4, moves: 0, steadiness: 0, sample: 2000 };
/** The search ends when the bracket is this narrow, as a fraction of the number of bones. */
export const BRACKET = 0.04;
/** A search goes no further: the time of a fit grows with the cube of the bones. More can be asked for by number. */
const MOST_BONES = 400;
/** A bone stores as much per frame as three vertices: more than a third as many do not pay, except in tiny meshes. */
const ALWAYS_ALLOWED = 64;

export const mostBones = (vertexCount: number): number =>
  Math.min(vertexCount, MOST_BONES, Math.max(ALWAYS_ALLOWED, Math.ceil(vertexCount / 3)));

/** RMSE, in % of the diagonal. */
export const rmsePercent = ({ vertexCount, frameCount }: FitProblem, { error }: Decomposition): number =>
  100 * Math.sqrt(error / (vertexCount * frameCount));
