import { IDENTITY34 } from '../../math/matrix34.ts';
import type { RunOptions } from '../../model/options.ts';
import type { Kernel, KernelName, TranslationSolve } from '../../model/predictor.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { trainKernel } from '../../regress/kernel.ts';
import { leaveOneOut, ridgeInverse } from '../../regress/ridge.ts';
import { controlInputs } from '../control-points.ts';
import type { Examples } from '../examples.ts';
import { AUTO_KERNELS, type LearnMethod, type LearnOptions } from '../learn-options.ts';
import type { Steering } from '../steering-points.ts';
import { possibleTranslations } from '../translations/possible-translations.ts';
import { bestKappa, halfFromOther } from './left-out-blends.ts';
import { leftOutError } from './left-out-error.ts';
import { encodeTargets } from './targets.ts';

/** A linear kernel is chosen because motions carry on: it has no limit. */
export const limitOf = (limit: number, kernel: KernelName): number => (kernel === 'linear' ? 0 : limit);

/** Errors below this fraction of the largest side are none. */
const EXACT = 3e-5;

/** Of a larger κ kernel CCA makes something else than what is tried here: its least squares scale predictions back up. */
const LARGEST_CCA_KAPPA = 1e-2;

/** Methods whose bones never move: the residual has everything, as principal components. */
const isShapes = (method: LearnMethod): boolean => method === 'pca' || method === 'ridge';

/** Widths of a Gaussian to choose from, in spreads of the examples. Bones have that of Feng 2010. */
const WIDTHS = [2, 4, 8, 1, 0.5];

/** A way to predict, and how far off it is where examples are left out. */
export interface Way {
  method: LearnMethod;
  options: LearnOptions;
  steering: Steering;
  kernel: Kernel;
  kappa: number;
  /** E × E: K, and (K + κI)⁻¹. */
  matrix: Float64Array;
  inverse: Float64Array;
  /** E × (B·m). */
  targets: Float64Array;
  solve: TranslationSolve;
  /** Root mean square distance when each example is predicted from the others. */
  leftOut: number;
  /** The same when each half of the examples is predicted from the other half; undefined for very few examples. */
  carriedOn: () => number | undefined;
}

/** What all ways share. */
export interface Problem {
  examples: Examples;
  /** The largest side of the rest pose. */
  side: number;
  bones: number;
  skin: SkinWeights;
  centroids: Float64Array;
  /** E·B·12: as fitted. */
  transforms: Float64Array;
  edgeSkin?: SkinWeights;
}

/** The ways of one method: every kernel with every source of translations that comes into question, simple ones first. */
export async function waysOf(
  method: LearnMethod,
  options: LearnOptions,
  steering: Steering,
  problem: Problem,
  run: RunOptions,
): Promise<Way[]> {
  const { examples, skin, centroids, bones, side } = problem;
  const { points, axes } = steering;
  const { target, residual } = options;
  const transforms = isShapes(method) ? atRest(problem.transforms.length) : problem.transforms;
  const targets = encodeTargets(target, transforms, centroids, bones);
  const solves = possibleTranslations(options, method, { ...problem, points });
  const trial = { examples, skin, points, axes, centroids, target, targets, transforms, residual };
  const e = examples.poses.length;
  const inputs = controlInputs(examples.poses, points).filter((_, at) => axes[at % axes.length] === 1);
  const d = inputs.length / e;
  const ways: Way[] = [];
  const kernels = (options.kernel === 'auto' ? AUTO_KERNELS : [options.kernel]).flatMap((name) =>
    (method === 'ridge' ? WIDTHS : [1]).map((width) => ({ name, width })),
  );
  for (const { name, width } of kernels) {
    const { kernel, matrix } = trainKernel(name, inputs, d, 'learn', width);
    const kappa = options.kappa || bestKappa(examples, matrix, isShapes(method) ? 1 : LARGEST_CCA_KAPPA, EXACT * side);
    const inverse = ridgeInverse(matrix, e, kappa, 'learn');
    const others = leaveOneOut(inverse, e, kappa);
    const halves = once(() => halfFromOther(name, inputs, d, kappa, limitOf(options.limit, name), width));
    for (const solve of solves) {
      await checkpoint(run, 'learn', 0, 1, 'leaving examples out');
      const errorOf = (blend: Float64Array): number => Math.hypot(leftOutError(trial, solve, blend), EXACT * side);
      const carriedOn = once(() => halves() && errorOf(halves()!));
      const leftOut = errorOf(others);
      ways.push({ method, options, steering, kernel, kappa, matrix, inverse, targets, solve, leftOut, carriedOn });
    }
  }
  return ways;
}

/** The first within a hair of the best is taken: ways are in order of simplicity. */
const HAIR = 1.01;

/**
 * The way that errs least where one example is left out, among those that carry motions on at least as well as blend shapes,
 * if these were tried.
 */
export function bestWay(ways: readonly Way[]): Way {
  const shapes = ways.find(({ method }) => method === 'pca');
  const carries = (way: Way): boolean => {
    const [own, theirs] = [way.carriedOn(), shapes?.carriedOn()];
    return way === shapes || own === undefined || theirs === undefined || own <= theirs;
  };
  const { leftOut } = [...ways].sort((a, b) => a.leftOut - b.leftOut).find(carries)!;
  return ways.find((way) => way.leftOut <= HAIR * leftOut && carries(way))!;
}

function atRest(length: number): Float64Array {
  const transforms = new Float64Array(length);
  for (let o = 0; o < length; o += MATRIX_STRIDE) transforms.set(IDENTITY34, o);
  return transforms;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
