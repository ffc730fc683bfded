import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { chooseControlPoints } from './control-points.ts';
import type { Examples } from './examples.ts';
import { checkedAxes, checkedPoints, type LearnGiven, namesByBones, requireNames } from './given.ts';
import { type LearnOptions, USUAL_KAPPA, usualKernel } from './learn-options.ts';

/** Points, which of their coordinates steer, and what they are called. */
export interface Steering {
  points: Uint32Array;
  axes: Uint8Array;
  names?: string[];
}

/** The points that will steer: those given, or the most telling ones. `wanted` is what was asked for, if anything. */
export async function steeringPoints(
  examples: Examples,
  options: LearnOptions,
  wanted: number | undefined,
  given: LearnGiven,
  run: RunOptions,
): Promise<Steering> {
  const n = vertexCount(examples.rest);
  const { pointChoice, kappa } = options;
  // A mesh may have fewer vertices than the usual number of points; asking for more by name is a mistake.
  const count = wanted ?? given.names?.length ?? Math.min(options.points, n);
  const points = given.points
    ? checkedPoints(given.points, n)
    : await chooseControlPoints(examples, count, pointChoice, usualKernel(options), kappa || USUAL_KAPPA, run);
  const axes = checkedAxes(given.axes, points.length);
  if (given.names) requireNames(given.names, points.length); // a mesh may offer fewer points than were named
  const { names, weights } = given.bones ?? {};
  return { points, axes, names: given.names ? [...given.names] : names && namesByBones(points, weights!, names) };
}
