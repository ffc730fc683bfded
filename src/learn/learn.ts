import { type RunOptions, resolveOptions } from '../model/options.ts';
import { type Kernel, type Predictor, targetSize } from '../model/predictor.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { regress } from '../regress/regress.ts';
import { bonesOf } from './bones/fit-bones.ts';
import { collectExamples, type Examples } from './examples.ts';
import { type LearnGiven, requireLimit, requireNames } from './given.ts';
import { LEARN_METHODS, LEARN_OPTIONS, type LearnOptions } from './learn-options.ts';
import { reportLearning } from './learn-report.ts';
import { chooseKernel } from './regression/choose-kernel.ts';
import { encodeTargets } from './regression/targets.ts';
import { residualOf } from './residual.ts';
import { steeringPoints } from './steering-points.ts';
import { stretchOf } from './strain.ts';
import { possibleTranslations } from './translations/possible-translations.ts';

/**
 * The map (Feng 2010, chapter 2): examples become a predictor that turns a few control points into a whole surface.
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

/** Learns from examples how a surface follows a few control points. */
export async function learn(
  sequences: readonly MeshSequence[],
  options: Partial<LearnOptions> & RunOptions & { given?: LearnGiven } = {},
): Promise<LearnResult> {
  const { given = {}, ...run } = options;
  const settings = settingsOf(options, given);
  const report = emptyReport('learn', given);
  const lap = lapTimer(report.seconds);

  // (1) Examples, and the points that will steer.
  const examples = await collectExamples(sequences, settings.examples, run);
  lap('examples');
  const { points, axes, names } = await steeringPoints(examples, settings, options.points, given, run);
  lap('control points');

  // (2) Bones and their weights.
  const { count, transforms, skin, centroids } = await bonesOf(examples, settings.bones, given.bones, run);
  lap('bones');

  // (3) The kernel, and where translations come from.
  const { target, residual } = settings;
  const targets = encodeTargets(target, transforms, centroids, count);
  const solves = await possibleTranslations(settings, { examples, skin, transforms, points, bones: count }, run);
  const trial = { examples, skin, points, axes, centroids, target, targets, transforms, residual };
  const { kernel, matrix, inverse, solve: translations, error } = chooseKernel(settings, trial, solves);
  lap('kernel and translations');

  // (4) M: kernel CCA per bone.
  const { mean, operator } = await regress({ matrix, inverse }, targets, targetSize(target), settings.bases, run);
  lap('regression');

  // (5) What the bones cannot say, after everything else has.
  const predictor: Predictor = {
    name: examples.name,
    mesh: examples.rest,
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
    stretch: stretchOf(examples.rest, examples.poses),
    ...(names && { names }),
    // A linear kernel was chosen because motions carry on.
    ...(settings.limit > 0 && kernel.name !== 'linear' && { limit: settings.limit }),
  };
  if (residual) predictor.residual = await residualOf(predictor, examples, inverse, run);
  lap('residual');

  reportLearning(report, settings, predictor, examples, error);
  return { predictor, examples, transforms, report };
}

/** What was asked for; a method's own choices where nothing was said. */
function settingsOf(options: Partial<LearnOptions>, { names, points }: LearnGiven): LearnOptions {
  const settings = resolveOptions(LEARN_OPTIONS, options, 'learn', {
    ...LEARN_METHODS[options.method ?? LEARN_OPTIONS.method.default],
    ...(names?.length && { points: names.length }),
  });
  requireLimit(settings.limit);
  if (names) requireNames(names, points?.length ?? settings.points);
  return settings;
}

/** How far the farthest example is from the mean of all, in the units of the kernel. */
function reachOf({ points, mean }: Kernel): number {
  const d = mean.length;
  const lengths = Array.from({ length: points.length / d }, (_, k) =>
    Math.hypot(...points.subarray(k * d, (k + 1) * d)),
  );
  return Math.max(...lengths);
}
