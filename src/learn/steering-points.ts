import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { chooseControlPoints } from './control-points.ts';
import type { Examples } from './examples.ts';
import { checkedAxes, checkedPoints, type LearnGiven, namesByBones, requireNames } from './given.ts';
import type { LearnOptions } from './learn-options.ts';
import { usualKernel } from './regression/choose-kernel.ts';

/** The points that will steer: those given, or the most telling ones. `wanted` is what was asked for, if anything. */
export async function steeringPoints(
  examples: Examples,
  options: LearnOptions,
  wanted: number | undefined,
  given: LearnGiven,
  run: RunOptions,
): Promise<{ points: Uint32Array; axes: Uint8Array; names?: string[] }> {
  const n = vertexCount(examples.rest);
  const { pointChoice, kappa } = options;
  // A mesh may have fewer vertices than the usual number of points; asking for more by name is a mistake.
  const count = wanted ?? given.names?.length ?? Math.min(options.points, n);
  const points = given.points
    ? checkedPoints(given.points, n)
    : await chooseControlPoints(examples, count, pointChoice, usualKernel(options), kappa, run);
  const axes = checkedAxes(given.axes, points.length);
  if (given.names) requireNames(given.names, points.length); // a mesh may offer fewer points than were named
  const { names, weights } = given.bones ?? {};
  return { points, axes, names: given.names ? [...given.names] : names && namesByBones(points, weights!, names) };
}
