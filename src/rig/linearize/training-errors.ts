import { diagonalOf } from '../../mesh/bounds.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { type Fit, type Linearization, startLinear } from './algorithm.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import { envelopingPercent, makeProblem } from './problem.ts';
import { posesOf, type TrainingClip } from './training.ts';
import { totalOf } from './vertex-weights.ts';

/** What became of one joint: of the vertices that follow mainly the two bones that meet there. */
export interface JointErrors {
  /** The bone that turns at it, by number and name. */
  bone: number;
  name: string;
  vertices: number;
  /** Root mean square distances from the operator over the training frames, % of the diagonal. */
  lbs: number;
  linearized: number;
  /** Its part of the sum of squares of linear blending, 0…1. */
  share: number;
  /** How many blend bones this bone drives. */
  blendBones: number;
}

/** Of every joint that has vertices, that with the largest error of linear blending first. */
export function jointErrors(
  { skeleton, mesh }: SkinnedModel,
  { columns, state, linearErrors }: Linearization,
): JointErrors[] {
  const { problem, blends } = columns;
  const { starts, masters, count, frames } = problem;
  const depth = new Int32Array(skeleton.parents.length);
  skeleton.parents.forEach((parent, j) => {
    depth[j] = parent < 0 ? 0 : depth[parent] + 1;
  });
  const sums = new Map<number, { vertices: number; lbs: number; linearized: number }>();
  let total = 0;
  for (let i = 0; i < count; i++) {
    // Of the two heaviest bones the one farther down the hierarchy turns at the joint between them.
    const [a, b] = [masters[starts[i]], masters[starts[i] + 1]];
    const joint = depth[a] > depth[b] ? a : b;
    const sum = sums.get(joint) ?? { vertices: 0, lbs: 0, linearized: 0 };
    sum.vertices++;
    sum.lbs += linearErrors[i];
    sum.linearized += state.motionErrors[i];
    total += linearErrors[i];
    sums.set(joint, sum);
  }
  const percent = 100 / (diagonalOf(mesh.positions) || 1);
  return [...sums]
    .map(([bone, { vertices, lbs, linearized }]) => ({
      bone,
      name: skeleton.names[bone],
      vertices,
      lbs: percent * Math.sqrt(lbs / (vertices * frames)),
      linearized: percent * Math.sqrt(Math.max(0, linearized) / (vertices * frames)),
      share: total > 0 ? lbs / total : 0,
      blendBones: blends.filter(({ masters: own, u }) => own.some((j, l) => j === bone && u[l] > 0)).length,
    }))
    .sort((a, b) => b.share - a.share || a.bone - b.bone);
}

/** EE over the training frames by the operator itself, where another was trained with: the same bones and weights. */
export function trainingErrors(
  model: SkinnedModel,
  found: Linearization,
  motion: TrainingClip,
  { operator, trainWith, influences }: LinearizeOptions,
): { linearized: number; lbs: number } {
  const { problem } = found.columns;
  if (trainWith === 'operator' || operator === 'dqs') {
    const percent = (errors: Float64Array): number => envelopingPercent(problem, totalOf(errors));
    return { linearized: percent(found.state.motionErrors), lbs: percent(found.linearErrors) };
  }
  return errorsOver(model, found, motion, { operator, influences });
}

/** EE of blend bones and weights that were found, and of linear blending, over the frames of any motion by the operator. */
export function errorsOver(
  model: SkinnedModel,
  found: Fit,
  motion: TrainingClip,
  { operator, influences }: Pick<LinearizeOptions, 'operator' | 'influences'>,
): { linearized: number; lbs: number } {
  const { problem } = found.columns;
  const roots = motion.weights.map(Math.sqrt);
  const training = { ...problem.training, poses: posesOf(model, motion), roots, blend: BLENDS[operator] };
  const whole = makeProblem(model, training, influences, 0);
  const { columns, solver, state } = startLinear(whole, found.columns.blends.length);
  const lbs = envelopingPercent(whole, totalOf(state.motionErrors));
  for (const bone of found.columns.blends) columns.add(bone);
  state.assign(found.state);
  for (let i = 0; i < whole.count; i++) solver.evaluate(state, i);
  return { linearized: envelopingPercent(whole, totalOf(state.motionErrors)), lbs };
}
