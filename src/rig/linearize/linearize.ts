import { PliantError } from '../../error.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import type { Clip } from '../../model/skeleton.ts';
import { type SkinnedModel, type SkinWeights, validateModel } from '../../model/skinned-model.ts';
import { plural } from '../../model/wording.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { placeAtRest } from '../place-at-rest.ts';
import { addBlendBones, dropUnused, type Linearization, startLinear, withBlendBones } from './algorithm.ts';
import { withLocals } from './bake.ts';
import { type ClipErrors, type Compared, clipErrors } from './clip-errors.ts';
import { type JointErrors, jointErrors } from './joint-errors.ts';
import { LINEARIZE_OPTIONS, type LinearizeOptions } from './linearize-options.ts';
import { halfWayBones } from './mohr-gleicher.ts';
import { bakeKeys, fewVertices, linearModel } from './output-model.ts';
import { envelopingPercent, makeProblem } from './problem.ts';
import { sparsify } from './sparsify.ts';
import { posesOf, requireRigid, type TrainingClip, trainingClip, trainingOf } from './training.ts';
import { totalOf } from './vertex-weights.ts';

/**
 * Document 002, "Automatic linearization of nonlinear skinning": a rig that wants dual quaternions becomes one that linear
 * blending shows nearly alike, by a few blend bones, which are samples of the nonlinear operator.
 *
 *   ../place-at-rest.ts  meshes that are kept mirrored or in other units
 *   training.ts       the poses that matter: a range of motion, or clips
 *   problem.ts        where the operator takes the vertices that follow more than one bone
 *   algorithm.ts      Algorithm 1: bones one by one
 *     bone-sets.ts      which masters, which weights to begin with     §4.1
 *     new-bone.ts       where a bone helps most                        §4.1
 *     vertex-weights.ts w'-weights of the vertices                     §4.2
 *     descent.ts        u-weights of the bones, and w' after them      §4.3, §4.4
 *     u-problem.ts      the problem that a step of u solves            (6), appendix A
 *   sparsify.ts       fewer influences where they are not missed
 *   bake.ts           bones, weights and clips as any player knows them
 *   clip-errors.ts    how close it came
 */
export interface LinearizeResult {
  /** Linear, with the blend bones behind the rig's own and all clips baked. */
  model: SkinnedModel;
  /** What it is compared with: the given model, its mesh moved where all its bones mirror or scale (place-at-rest.ts). */
  original: SkinnedModel;
  /** EE in % over the training frames with 0, 1, 2 … blend bones. */
  curve: number[];
  /** EE in % over the training frames: of the result, and of linear blending without blend bones. */
  envelopingError: number;
  envelopingErrorLbs: number;
  /** By how the w'-weights were solved, with the same blend bones: exactly, and as the document has it. */
  envelopingErrorBySolver: { exact: number; nnls: number };
  /** Mean number of bones that a vertex follows. */
  averageInfluences: { before: number; after: number };
  /** Why no more blend bones were added. */
  stopped: Linearization['stopped'];
  /** Of every clip of the model. */
  clips: ClipErrors[];
  joints: JointErrors[];
  /** The frames that were trained with, as a clip of the given skeleton; with antipodality off, what its turns mean. */
  training: TrainingClip;
  report: Report;
}

export interface LinearizeRun extends RunOptions {
  /** Clips of the model's skeleton to train with, instead of what the option `training` says. */
  given?: { trainingClips?: readonly Clip[] };
  /** False leaves the clips' errors unmeasured, and their keys as given. */
  measure?: boolean;
}

/**
 * ρ, see `makeProblem`. Clips show what matters, but not all of it: with 0.4 an unseen walk came out no better than linear
 * blending, with 1 at 0.78 of its error, while the error of training rose by 2 %. A range of motion stands for motions
 * that are mostly smaller: on three rigs, unseen clips came out with 0.4 at 0.45 to 1.5 times their error of linear
 * blending, with 4 at 0.40 to 0.99, while the error of training rose by 1 to 4 %.
 */
const REGULARIZATION = { clips: 1, given: 1, 'range-of-motion': 4 } as const;

/** Adds blend bones to a rig, so that linear blending shows what a nonlinear operator does. */
export async function linearize(
  given: SkinnedModel,
  options: Partial<LinearizeOptions> & LinearizeRun = {},
): Promise<LinearizeResult> {
  const settings = resolveOptions(LINEARIZE_OPTIONS, options, 'linearize');
  validateModel(given, 'linearize');
  if (given.blendBones) {
    const cause = `${given.name} has blend bones already (expected the rig that it was made from)`;
    throw new PliantError('bad-input', 'linearize', cause);
  }
  const report = emptyReport('linearize');
  const lap = lapTimer(report.seconds);

  // (1) The problem.
  const { model, place } = placeAtRest(given);
  const motion = trainingClip(model, settings, options.given?.trainingClips?.map(place));
  requireRigid(model, [...model.clips, motion.clip], settings.operator);
  const regularization = settings.regularization < 0 ? REGULARIZATION[motion.source] : settings.regularization;
  const problem = makeProblem(model, trainingOf(model, motion, settings), settings.influences, regularization);
  lap('training');

  // (2) Blend bones and weights.
  const found =
    settings.method === 'mohr-gleicher'
      ? withBlendBones(problem, halfWayBones(model))
      : await addBlendBones(problem, settings, options);
  const envelopingErrorBySolver = keepBetterWeights(found);
  sparsify(found.solver, found.state, settings.sparsity);
  dropUnused(found);
  lap('blend bones');

  // (3) The model.
  const { linearized, baking } = linearModel(model, found, settings);
  const { operator, antipodality } = settings;
  const compared: Compared = { original: model, linearized, operator, antipodality };
  const few = fewVertices(compared, problem.vertexOf);
  const clipsGiven = model.clips.map((clip) => withLocals(model, clip));
  for (const [c, clip] of clipsGiven.entries()) {
    await checkpoint(options, 'linearize', c, clipsGiven.length, 'baking clips');
    linearized.clips.push(await bakeKeys(few, clip, baking, settings, options));
  }
  validateModel(linearized, 'linearize');
  lap('baking');

  // (4) What came of it.
  const trained = trainedErrors(model, found, motion, settings);
  const clips: ClipErrors[] = [];
  for (const [c, clip] of clipsGiven.entries()) {
    if (options.measure === false) break;
    await checkpoint(options, 'linearize', c, clipsGiven.length, 'measuring clips');
    clips.push(await clipErrors(compared, clip, linearized.clips[c], options));
  }
  lap('measuring');
  const result: LinearizeResult = {
    model: linearized,
    original: model,
    curve: [...found.curve.slice(0, -1), envelopingPercent(problem, totalOf(found.state.motionErrors))],
    envelopingError: trained.linearized,
    envelopingErrorLbs: trained.lbs,
    envelopingErrorBySolver,
    averageInfluences: { before: averageInfluences(model.weights), after: averageInfluences(linearized.weights) },
    stopped: found.stopped,
    clips,
    joints: jointErrors(model, found),
    training: motion,
    report,
  };
  describe(result, found, settings, options);
  return result;
}

/** Solves the w'-weights as the document has them as well; of each vertex the better stay. */
function keepBetterWeights({ columns, solver, state }: Linearization): { exact: number; nnls: number } {
  const { problem } = columns;
  const softly = state.copy();
  if (columns.blends.length > 0) for (let i = 0; i < problem.count; i++) solver.solveSoftly(softly, i);
  const percent = (motionErrors: Float64Array): number => envelopingPercent(problem, totalOf(motionErrors));
  const out = { exact: percent(state.motionErrors), nnls: percent(softly.motionErrors) };
  for (let i = 0; i < problem.count; i++) if (softly.errors[i] < state.errors[i]) state.take(softly, i);
  return out;
}

/** EE over the training frames by the operator itself, where another was trained with: the same bones and weights. */
function trainedErrors(
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
  const training = { ...problem.training, poses: posesOf(model, motion), blend: BLENDS[operator] };
  const whole = makeProblem(model, training, influences, 0);
  const { columns, solver, state } = startLinear(whole, found.columns.blends.length);
  const lbs = envelopingPercent(whole, totalOf(state.motionErrors));
  for (const bone of found.columns.blends) columns.add(bone);
  state.assign(found.state);
  for (let i = 0; i < whole.count; i++) solver.evaluate(state, i);
  return { linearized: envelopingPercent(whole, totalOf(state.motionErrors)), lbs };
}

function averageInfluences({ weights, influences }: SkinWeights): number {
  let used = 0;
  for (const w of weights) if (w > 0) used++;
  return weights.length > 0 ? (used * influences) / weights.length : 0;
}

const STOPPED: Record<Linearization['stopped'], string> = {
  number: '',
  error: 'the enveloping error asked for was reached',
  plateau: 'another blend bone would have lowered the error by too little',
  'no gain': 'no further blend bone would lower the error',
};

function describe(
  result: LinearizeResult,
  found: Linearization,
  { method, operator, blendBones, maxEnvelopingError }: LinearizeOptions,
  { given }: LinearizeRun,
): void {
  const { report } = result;
  const note = (text: string): number => report.notes.push(`${result.model.name}: ${text}`);
  const { averageInfluences: influences, envelopingErrorBySolver: bySolver } = result;
  const count = result.model.blendBones?.bones.length ?? 0;
  report.figures = {
    blendBones: count,
    envelopingErrorLbsPercent: result.envelopingErrorLbs,
    envelopingErrorPercent: result.envelopingError,
    envelopingErrorExactPercent: bySolver.exact,
    envelopingErrorNnlsPercent: bySolver.nnls,
    averageInfluencesBefore: influences.before,
    averageInfluencesAfter: influences.after,
  };
  if (given?.trainingClips) report.given.push('training clips');
  report.iterations = found.steps;
  report.converged = found.converged;
  if (result.original.mixWeights) note(`the mix of this rig is ignored: linearized towards ${operator}`);
  const { problem } = found.columns;
  if (problem.count === 0) {
    note('no vertex follows more than one bone: linear blending is exact, and no blend bone is needed');
  } else if (!(problem.rigidErrorSquared > 0)) {
    note('nothing deforms in the training motion, so there is nothing to place blend bones by');
  } else if (STOPPED[found.stopped] && method === 'blend-bones' && count < blendBones) {
    note(STOPPED[found.stopped]);
  }
  if (maxEnvelopingError > 0 && result.envelopingError > maxEnvelopingError) {
    note(`an enveloping error of ${maxEnvelopingError} % takes more than ${plural(count, 'blend bone')}`);
  }
  for (const { name, linearized, lbs } of result.clips) {
    if (linearized === undefined || lbs === undefined || linearized <= lbs) continue;
    const advice = result.training.source === 'range-of-motion' ? ': train with the clips instead' : '';
    note(`in clip "${name}" linear blending alone is closer than with blend bones${advice}`);
  }
}
