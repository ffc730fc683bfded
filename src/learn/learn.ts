import { PliantError } from '../error.ts';
import { meshEdges } from '../mesh/adjacency.ts';
import { boundsOf, diagonalOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import { type RunOptions, resolveOptions } from '../model/options.ts';
import {
  type KernelName,
  type Predictor,
  TRANSLATIONS,
  type TranslationMode,
  type TranslationSolve,
  targetSize,
} from '../model/predictor.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { boneCentroids } from './bones.ts';
import { kernelCca } from './cca.ts';
import { bestTranslations } from './choose-translations.ts';
import { chooseControlPoints, controlInputs } from './control-points.ts';
import { SurfaceDriver } from './drive.ts';
import { edgeWeights } from './edge-weights.ts';
import { collectExamples, type Examples } from './examples.ts';
import { bonesFor, fitBones } from './fit-bones.ts';
import { checkedAxes, checkedPoints, namesByBones, requireLimit, requireNames, requireRigid } from './given.ts';
import { trainKernel } from './kernel.ts';
import { LEARN_METHODS, LEARN_OPTIONS, type LearnOptions } from './learn-options.ts';
import { localResiduals, residualShapes } from './residual.ts';
import { leaveOneOut, ridgeInverse } from './ridge.ts';
import { stretchOf } from './strain.ts';
import { encodeTargets } from './targets.ts';
import { translationSolves } from './translation-solves.ts';

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
  given: Partial<LearnOptions> & RunOptions & { given?: LearnGiven } = {},
): Promise<LearnResult> {
  const report = emptyReport('learn');
  report.given.push(...Object.keys(given.given ?? {}));
  const ownNames = given.given?.names;
  const options = resolveOptions(
    LEARN_OPTIONS,
    { ...LEARN_METHODS[given.method ?? 'best'], ...(ownNames?.length && { points: ownNames.length }), ...asked(given) },
    'learn',
  );
  requireLimit(options.limit);
  if (ownNames) requireNames(ownNames, given.given?.points?.length ?? options.points);
  const lap = lapTimer(report.seconds);

  // (1) Examples, and the points that will steer.
  const examples = await collectExamples(sequences, options.examples, given);
  const { poses, rest } = examples;
  const e = poses.length;
  if (examples.duplicates > 0) report.notes.push(`${examples.duplicates} duplicate examples were left out`);
  lap('examples');
  // A mesh may have fewer vertices than the usual number of points; asking for more by name is a mistake.
  const wantedPoints = given.points ?? ownNames?.length ?? Math.min(options.points, vertexCount(rest));
  const points = given.given?.points
    ? checkedPoints(given.given.points, vertexCount(rest))
    : await chooseControlPoints(
        examples,
        wantedPoints,
        options.pointChoice,
        usualKernel(options),
        options.kappa,
        given,
      );
  const axes = checkedAxes(given.given?.axes, points.length);
  const found = given.given?.bones;
  const names = ownNames ? [...ownNames] : found?.names && namesByBones(points, found.weights, found.names);
  if (ownNames) requireNames(ownNames, points.length); // a mesh may offer fewer points than were named
  if (points.length < options.points && !given.given?.points) {
    report.notes.push(`${points.length} control points: the mesh offers no more that lie apart and move`);
  }
  lap('control points');

  // (2) Bones and their weights.
  if (found) validateWeights(found.weights, vertexCount(rest), 65536, 'learn');
  const { transforms, weights: skin } = found
    ? { weights: found.weights, transforms: found.transforms ?? (await bonesFor(examples, found.weights, given)) }
    : await fitBones(examples, options.bones, given);
  const count = transforms.length / (MATRIX_STRIDE * e);
  if (!Number.isInteger(count)) {
    throw new PliantError(
      'bad-input',
      'learn',
      `given transforms (got ${transforms.length} numbers for ${e} examples)`,
    );
  }
  if (found) {
    validateWeights(skin, vertexCount(rest), count, 'learn');
    requireRigid(transforms);
  } else if (count < options.bones) report.notes.push(`${plural(count, 'bone')}: more would move no differently`);
  const centroids = boneCentroids(rest.positions, skin, count);
  lap('bones');

  // (3) The kernel, and where translations come from: as asked, or whichever predicts each example best from the others.
  const inputs = steering(controlInputs(poses, points), axes);
  const { target, kappa, residual: wantsResidual } = options;
  const targets = encodeTargets(target, transforms, centroids, count);
  const solves = await possibleTranslations(options, { examples, skin, transforms, points, bones: count }, given);
  const trials = (options.kernel === 'auto' ? AUTO_KERNELS : [options.kernel]).map((name) => {
    const { kernel, matrix } = trainKernel(name, inputs, inputs.length / e);
    const inverse = ridgeInverse(matrix, e, kappa);
    const blend = leaveOneOut(inverse, e, kappa);
    const trial = {
      examples,
      skin,
      points,
      axes,
      centroids,
      target,
      targets,
      transforms,
      blend,
      residual: wantsResidual,
    };
    return { kernel, matrix, inverse, ...bestTranslations(trial, solves) };
  });
  const {
    kernel,
    matrix,
    inverse,
    solve: translations,
    error,
  } = trials.reduce((best, trial) => (trial.error < KERNEL_MARGIN * best.error ? trial : best));
  lap('kernel and translations');

  // (4) M: kernel CCA per bone.
  const { mean, operator } = await regress(matrix, inverse, targets, e, targetSize(target), options.bases, given);
  lap('regression');

  // (5) What the bones cannot say, after everything else has.
  const d = kernel.mean.length;
  const reach = Math.max(...poses.map((_, k) => Math.hypot(...kernel.points.subarray(k * d, (k + 1) * d))));
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
    reach,
    stretch: stretchOf(rest, poses),
    ...(names && { names }),
    // A linear kernel was chosen because motions carry on.
    ...(options.limit > 0 && kernel.name !== 'linear' && { limit: options.limit }),
  };
  if (wantsResidual) {
    const base = await drivenTransforms(predictor, examples, given);
    predictor.residual = residualShapes(localResiduals(examples, skin, base), e, inverse);
  }
  lap('residual');

  const { min, max } = boundsOf(rest.positions);
  const side = Math.max(...max.map((x, c) => x - min[c]));
  report.figures.push(
    { name: 'examples', value: e, unit: '' },
    { name: 'control points', value: points.length, unit: '' },
    { name: 'bones', value: count, unit: '' },
    { name: 'leave-one-out RMS error', value: error / side, unit: 'of the largest side' },
    { name: 'leave-one-out RMSE', value: (100 * error) / diagonalOf(rest.positions), unit: '%' },
  );
  report.notes.push(`kernel: ${kernel.name}; translations: ${translations.mode}`);
  return { predictor, examples, transforms, report };
}

/**
 * Kernels to choose from, the usual one first. A few examples along one bend are better served by a linear kernel, which
 * does not bulge between them.
 */
const AUTO_KERNELS = ['linear-gaussian', 'linear'] as const;
/** Another kernel than the usual one must be clearly better. */
const KERNEL_MARGIN = 0.97;

const usualKernel = ({ kernel }: LearnOptions): KernelName => (kernel === 'auto' ? AUTO_KERNELS[0] : kernel);

/** The paper solves (2.11) for meshes that deform much and says so case by case; moving the predicted ones is not in it. */
const AUTO_TRANSLATIONS: Record<LearnOptions['method'], readonly TranslationMode[]> = {
  best: TRANSLATIONS,
  paper: ['predicted', 'poisson'],
};

/** The operators of the ways to find translations that come into question. */
async function possibleTranslations(
  options: LearnOptions,
  known: { examples: Examples; skin: SkinWeights; transforms: Float64Array; points: Uint32Array; bones: number },
  run: RunOptions,
): Promise<TranslationSolve[]> {
  const { examples, skin, transforms, points, bones } = known;
  const { positions, triangles } = examples.rest;
  const modes = options.translations === 'auto' ? AUTO_TRANSLATIONS[options.method] : [options.translations];
  const edges = meshEdges(triangles, positions.length / 3);
  const edgeSkin = modes.includes('poisson')
    ? await edgeWeights(examples, { count: bones, transforms }, skin, edges, run)
    : undefined;
  return translationSolves(modes, { positions, edges, skin, edgeSkin, points, bones });
}

/** M of all bones beside each other, and the targets' mean. */
async function regress(
  matrix: Float64Array,
  inverse: Float64Array,
  targets: Float64Array,
  e: number,
  m: number,
  bases: number,
  run: RunOptions,
): Promise<{ mean: Float64Array; operator: Float64Array }> {
  const width = targets.length / e;
  const mean = new Float64Array(width);
  for (let k = 0; k < e; k++) for (let c = 0; c < width; c++) mean[c] += targets[k * width + c] / e;
  const operator = new Float64Array(targets.length);
  const own = new Float64Array(e * m);
  for (let first = 0; first < width; first += m) {
    if (first % (m * 16) === 0) await checkpoint(run, 'learn', first, width, 'regression');
    for (let k = 0; k < e; k++) {
      for (let c = 0; c < m; c++) own[k * m + c] = targets[k * width + first + c] - mean[first + c];
    }
    const predicted = kernelCca(matrix, inverse, own, m, bases === 0 ? m : Math.min(bases, m));
    for (let k = 0; k < e; k++) for (let c = 0; c < m; c++) operator[k * width + first + c] = predicted[k * m + c];
  }
  return { mean, operator };
}

/** E·B·12: where the predictor, still without residual, takes its bones for the examples' own control points. */
async function drivenTransforms(predictor: Predictor, { poses }: Examples, run: RunOptions): Promise<Float64Array> {
  // The control points' pull comes after the residual and would hide what is left.
  const plain = predictor.translations.mode === 'control-points' ? withoutPull(predictor) : predictor;
  const driver = new SurfaceDriver(plain);
  const size = 4 * predictor.centroids.length;
  const out = new Float64Array(poses.length * size);
  const inputs = controlInputs(poses, predictor.points);
  const d = 3 * predictor.points.length;
  for (let k = 0; k < poses.length; k++) {
    await checkpoint(run, 'learn', k, poses.length, 'residual');
    out.set(driver.drive(inputs.subarray(k * d, (k + 1) * d)).transforms, k * size);
  }
  return out;
}

const withoutPull = (predictor: Predictor): Predictor => ({
  ...predictor,
  translations: { mode: 'predicted', pull: new Float64Array(0) },
});

/** The coordinates that steer, of E × 3n_c. */
function steering(inputs: Float64Array, axes: Uint8Array): Float64Array {
  return inputs.filter((_, at) => axes[at % axes.length] === 1);
}

/** The options in what was given, so that a method's own choices stand where nothing was said. */
const asked = (given: Partial<LearnOptions>): Partial<LearnOptions> =>
  Object.fromEntries(
    Object.keys(LEARN_OPTIONS)
      .filter((name) => given[name as keyof LearnOptions] !== undefined)
      .map((name) => [name, given[name as keyof LearnOptions]]),
  );
