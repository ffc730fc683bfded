import { edgeWeights } from '../decompose/translations/edge-weights.ts';
import { meshEdges } from '../mesh/adjacency.ts';
import { sideOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import { type Kernel, type Predictor, targetSize } from '../model/predictor.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { regress } from '../regress/regress.ts';
import { bonesOf, type LearnRun } from './bones/fit-bones.ts';
import { collectExamples, type Examples } from './examples.ts';
import { type LearnGiven, requireLimit, requireNames } from './given.ts';
import { type LearnOptions, methodsToTry } from './learn-options.ts';
import { type MethodTrial, reportLearning, trialsOf } from './learn-report.ts';
import { bestWay, limitOf, type Problem, type Way, waysOf } from './regression/ways.ts';
import { residualOf } from './residual.ts';
import { type Steering, steeringPoints } from './steering-points.ts';
import { stretchOf } from './strain.ts';
import { translationModes } from './translations/possible-translations.ts';

/**
 * The map (Feng 2010, chapter 2): examples become a predictor that turns a few control points into a whole surface.
 *
 *   examples ─▶ control points ─▶ kernel matrix ─┐
 *      └─▶ rigid bones ─▶ weights ─▶ targets ─────┴─▶ ways to predict ─▶ the best one ─▶ kernel CCA per bone ─▶ M
 *                           └─▶ edge weights ─▶ translations                               residual ─▶ predictor
 */
export interface LearnResult {
  predictor: Predictor;
  examples: Examples;
  /** E·B·12: the bones as fitted to the examples. */
  transforms: Float64Array;
  /** What each method that was tried can do at its best, the one that was taken first. */
  tried: MethodTrial[];
  report: Report;
}

/** Learns from examples how a surface follows a few control points. */
export async function learn(
  sequences: readonly MeshSequence[],
  options: Partial<LearnOptions> & LearnRun & { given?: LearnGiven } = {},
): Promise<LearnResult> {
  const { given = {}, ...run } = options;
  const methods = methodsOf(options, given);
  const [{ options: settings }] = methods;
  const report = emptyReport('learn', given);
  const lap = lapTimer(report.seconds);

  // (1) Examples, and the points that will steer.
  const examples = await collectExamples(sequences, settings.examples, run);
  lap('examples');
  const steering = new Map<string, Steering>();
  for (const { options: own } of methods) {
    if (steering.has(own.pointChoice)) continue;
    steering.set(own.pointChoice, await steeringPoints(examples, own, options.points, given, run));
  }
  lap('control points');

  // (2) Bones and their weights.
  const { count, transforms, skin, centroids } = await bonesOf(examples, settings.bones, given.bones, run);
  lap('bones');

  // (3) The method, the kernel, and where translations come from: whatever predicts examples best that are left out.
  const problem: Problem = {
    examples,
    side: sideOf(examples.rest.positions),
    bones: count,
    skin,
    centroids,
    transforms,
  };
  if (methods.some(({ method, options: own }) => translationModes(own, method).includes('poisson'))) {
    const edges = meshEdges(examples.rest.triangles, vertexCount(examples.rest));
    problem.edgeSkin = await edgeWeights(examples, { count, transforms }, skin, edges, run);
  }
  const ways: Way[] = [];
  for (const { method, options: own } of methods) {
    ways.unshift(...(await waysOf(method, own, steering.get(own.pointChoice)!, problem, run))); // blend shapes come first
  }
  const way = bestWay(ways);
  const { kernel, matrix, inverse, targets, solve } = way;
  const { target, residual, bases } = way.options;
  const { points, axes, names } = way.steering;
  lap('method, kernel and translations');

  // (4) M: kernel CCA per bone.
  const { mean, operator } = await regress({ matrix, inverse }, targets, targetSize(target), bases, run);
  lap('regression');

  // (5) What the bones cannot say, after everything else has.
  const limit = limitOf(way.options.limit, kernel.name);
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
    translations: solve,
    reach: reachOf(kernel),
    stretch: stretchOf(examples.rest, examples.poses),
    ...(names && { names }),
    ...(limit > 0 && { limit }),
  };
  if (residual) predictor.residual = await residualOf(predictor, examples, way, run);
  lap('residual');

  const tried = trialsOf(ways, way, examples.rest);
  reportLearning(report, settings, predictor, examples, way, tried);
  return { predictor, examples, transforms, tried, report };
}

/** What was asked for; a method's own choices where nothing was said. */
function methodsOf(options: Partial<LearnOptions>, { names, points }: LearnGiven): ReturnType<typeof methodsToTry> {
  const methods = methodsToTry(options, names?.length ? { points: names.length } : {});
  const [{ options: settings }] = methods;
  requireLimit(settings.limit);
  if (names) requireNames(names, points?.length ?? settings.points);
  return methods;
}

/** How far the farthest example is from the mean of all, in the units of the kernel. */
function reachOf({ points, mean }: Kernel): number {
  const d = mean.length;
  const lengths = Array.from({ length: points.length / d }, (_, k) =>
    Math.hypot(...points.subarray(k * d, (k + 1) * d)),
  );
  return Math.max(...lengths);
}
