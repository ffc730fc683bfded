import { PliantError } from '../error.ts';
import { boundsOf, diagonalOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import { type RunOptions, resolveOptions } from '../model/options.ts';
import { type Kernel, type Predictor, targetSize } from '../model/predictor.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { boneCentroids } from './bones/cluster-bones.ts';
import { bonesFor, fitBones } from './bones/fit-bones.ts';
import { chooseControlPoints } from './control-points.ts';
import { collectExamples, type Examples } from './examples.ts';
import { checkedAxes, checkedPoints, namesByBones, requireLimit, requireNames, requireRigid } from './given.ts';
import { LEARN_METHODS, LEARN_OPTIONS, type LearnOptions } from './learn-options.ts';
import { chooseKernel, usualKernel } from './regression/choose-kernel.ts';
import { regress } from './regression/regress.ts';
import { encodeTargets } from './regression/targets.ts';
import { residualOf } from './residual.ts';
import { stretchOf } from './strain.ts';
import { possibleTranslations } from './translations/possible-translations.ts';

/**
 * The map (document 001, chapter 2): examples become a predictor that turns a few control points into a whole surface.
 *
 *   examples ─▶ control points ─▶ kernel matrix ─┐
 *      └─▶ rigid bones ─▶ weights ─▶ targets ─────┴─▶ kernel CCA per bone ─▶ M
 *                           └─▶ edge weights ─▶ translations          residual ─▶ predictor
 */
export interface LearnResult {
  predictor: Predictor;
  examples: Examples;
  /** E·B·12: the bones as fitted to the examples. */
  transforms: Float64Array;
  report: Report;
}

/** What a caller may know already. */
export interface LearnGiven {
  /** Control points: vertices. */
  points?: ArrayLike<number>;
  /** What they are called, those that are chosen too; by default as the bones that they follow, if these have names. */
  names?: readonly string[];
  /** 3n_c: 1 where a coordinate steers; all do by default. */
  axes?: ArrayLike<number>;
  /** Bones, from `fit` (see `rigBones`) or anywhere: weights, and rigid E·B·12 transforms if they are known too. */
  bones?: { weights: SkinWeights; names?: readonly string[]; transforms?: Float64Array };
}

/** Learns from examples how a surface follows a few control points. */
export async function learn(
  sequences: readonly MeshSequence[],
  asked: Partial<LearnOptions> & RunOptions & { given?: LearnGiven } = {},
): Promise<LearnResult> {
  const { given = {}, ...run } = asked;
  const options = learnOptions(asked, given);
  const report = emptyReport('learn');
  report.given.push(...Object.keys(given));
  const lap = lapTimer(report.seconds);

  // (1) Examples, and the points that will steer.
  const examples = await collectExamples(sequences, options.examples, run);
  const { poses, rest } = examples;
  if (examples.duplicates > 0)
    report.notes.push(`${plural(examples.duplicates, 'duplicate example was', 'duplicate examples were')} left out`);
  lap('examples');
  const { points, axes, names } = await steeringPoints(examples, options, asked.points, given, run);
  if (points.length < options.points && !given.points) {
    report.notes.push(`${points.length} control points: the mesh offers no more that lie apart and move`);
  }
  lap('control points');

  // (2) Bones and their weights.
  const { count, transforms, skin, centroids } = await bonesOf(examples, options.bones, given.bones, run);
  if (!given.bones && count < options.bones) {
    report.notes.push(`${plural(count, 'bone')}: more would move no differently`);
  }
  lap('bones');

  // (3) The kernel, and where translations come from.
  const { target } = options;
  const targets = encodeTargets(target, transforms, centroids, count);
  const solves = await possibleTranslations(options, { examples, skin, transforms, points, bones: count }, run);
  const trial = { examples, skin, points, axes, centroids, target, targets, transforms, residual: options.residual };
  const { kernel, matrix, inverse, solve: translations, error } = chooseKernel(options, trial, solves);
  lap('kernel and translations');

  // (4) M: kernel CCA per bone.
  const { mean, operator } = await regress({ matrix, inverse }, targets, targetSize(target), options.bases, run);
  lap('regression');

  // (5) What the bones cannot say, after everything else has.
  const predictor: Predictor = {
    name: examples.name,
    mesh: rest,
    weights: skin,
    centroids,
    points,
    axes,
    kernel,
    target,
    mean,
    operator,
    translations,
    reach: reachOf(kernel),
    stretch: stretchOf(rest, poses),
    ...(names && { names }),
    // A linear kernel was chosen because motions carry on.
    ...(options.limit > 0 && kernel.name !== 'linear' && { limit: options.limit }),
  };
  if (options.residual) predictor.residual = await residualOf(predictor, examples, inverse, run);
  lap('residual');

  const { min, max } = boundsOf(rest.positions);
  const side = Math.max(...max.map((x, c) => x - min[c]));
  report.figures = {
    examples: poses.length,
    controlPoints: points.length,
    bones: count,
    leaveOneOutRms: error / side,
    leaveOneOutRmsePercent: (100 * error) / diagonalOf(rest.positions),
  };
  report.notes.push(`kernel: ${kernel.name}; translations: ${translations.mode}`);
  return { predictor, examples, transforms, report };
}

/** What was asked for; a method's own choices where nothing was said. */
function learnOptions(asked: Partial<LearnOptions>, { names, points }: LearnGiven): LearnOptions {
  const options = resolveOptions(LEARN_OPTIONS, asked, 'learn', {
    ...LEARN_METHODS[asked.method ?? LEARN_OPTIONS.method.default],
    ...(names?.length && { points: names.length }),
  });
  requireLimit(options.limit);
  if (names) requireNames(names, points?.length ?? options.points);
  return options;
}

/** The points that will steer: those given, or the most telling ones. `wanted` is what was asked for, if anything. */
async function steeringPoints(
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

/** Bones that were given, or that the examples ask for. */
async function bonesOf(
  examples: Examples,
  wanted: number,
  given: LearnGiven['bones'],
  run: RunOptions,
): Promise<{ count: number; transforms: Float64Array; skin: SkinWeights; centroids: Float64Array }> {
  const { rest, poses } = examples;
  if (given) validateWeights(given.weights, vertexCount(rest), 65536, 'learn');
  const { transforms, weights: skin } = given
    ? { weights: given.weights, transforms: given.transforms ?? (await bonesFor(examples, given.weights, run)) }
    : await fitBones(examples, wanted, run);
  const count = transforms.length / (MATRIX_STRIDE * poses.length);
  if (!Number.isInteger(count)) {
    const cause = `given transforms (got ${transforms.length} numbers for ${poses.length} examples)`;
    throw new PliantError('bad-input', 'learn', cause);
  }
  if (given) {
    validateWeights(skin, vertexCount(rest), count, 'learn');
    requireRigid(transforms);
  }
  return { count, transforms, skin, centroids: boneCentroids(rest.positions, skin, count) };
}

/** How far the farthest example is from the mean of all, in the units of the kernel. */
function reachOf({ points, mean }: Kernel): number {
  const d = mean.length;
  const lengths = Array.from({ length: points.length / d }, (_, k) =>
    Math.hypot(...points.subarray(k * d, (k + 1) * d)),
  );
  return Math.max(...lengths);
}
