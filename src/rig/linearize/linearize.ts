import { PliantError } from '../../error.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer } from '../../model/report.ts';
import type { Clip } from '../../model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../model/skinned-model.ts';
import { placeAtRest } from '../place-at-rest.ts';
import { addBlendBones, dropUnused, type Fit, withBlendBones } from './algorithm.ts';
import { bakeClip, withLocals } from './bake.ts';
import { type Compared, clipErrors } from './clip-errors.ts';
import { crossfadeErrors } from './crossfades.ts';
import { heldOutErrors } from './held-out.ts';
import { LINEARIZE_OPTIONS, type LinearizeOptions } from './linearize-options.ts';
import { averageInfluences, describe, finalCurve, type LinearizeResult } from './linearize-report.ts';
import { halfWayBones } from './mohr-gleicher.ts';
import { bakeClips, linearModel } from './output-model.ts';
import { envelopingPercent, makeProblem } from './problem.ts';
import { sparsify } from './sparsify.ts';
import { regularizationOf, requireRigid, trainingOf } from './training.ts';
import { trainingClip } from './training-clip.ts';
import { jointErrors, trainingErrors } from './training-errors.ts';
import { totalOf } from './vertex-weights.ts';

export type { LinearizeResult };

/**
 * Kavan et al. 2009, "Automatic linearization of nonlinear skinning": a rig made for dual quaternions gets a few blend
 * bones, samples of the nonlinear operator, with which linear blending shows nearly the same.
 *
 *   ../place-at-rest.ts  meshes that are kept mirrored or in other units
 *   training-clip.ts  the frames that matter: of clips and of a range of motion
 *   training.ts       their poses, and the operator in them
 *   problem.ts        where the operator takes the vertices that follow more than one bone
 *   algorithm.ts      Algorithm 1: bones one by one
 *     bone-sets.ts      which masters, which weights to begin with     §4.1
 *     new-bone.ts       where a bone helps most                        §4.1
 *     vertex-weights.ts w'-weights of the vertices                     §4.2
 *     descent.ts        u-weights of the bones, and w' after them      §4.3, §4.4
 *     u-problem.ts      the problem that a step of u solves            (6), appendix A
 *   sparsify.ts       fewer influences where they are not missed
 *   output-model.ts   bones, weights and clips as any player knows them (blend-parents.ts, pivots.ts, bake.ts)
 *   training-errors.ts, clip-errors.ts   how close it came
 *   crossfades.ts, held-out.ts   and in poses between clips, and in clips that it was not trained with
 *
 * Where blend bones gain nothing, the model is returned as it came.
 */

export interface LinearizeRun extends RunOptions {
  /** Clips of the model's skeleton to train with, instead of what the option `training` says. */
  given?: { trainingClips?: readonly Clip[] };
  /** False leaves the clips' errors unmeasured, and their keys as given. */
  measure?: boolean;
  /** Called while blend bones are added; to look at the rig as it is then takes time. */
  onSoFar?: (look: () => LinearizeSoFar) => void;
}

/** A rig that is not finished. */
export interface LinearizeSoFar {
  /** What it has of its own; its clips have keys where those of the rig have them. */
  model: Pick<SkinnedModel, 'weights' | 'skeleton' | 'clips' | 'blendBones'>;
  envelopingErrorPercent: number;
}

/** Adds blend bones to a rig, so that linear blending shows what a nonlinear operator does. */
export async function linearize(
  model: SkinnedModel,
  options: Partial<LinearizeOptions> & LinearizeRun = {},
): Promise<LinearizeResult> {
  const settings = resolveOptions(LINEARIZE_OPTIONS, options, 'linearize');
  validateModel(model, 'linearize');
  if (model.blendBones) {
    const cause = `${model.name} already has blend bones (expected the original rig)`;
    throw new PliantError('bad-input', 'linearize', cause);
  }
  const report = emptyReport('linearize', options.given);
  const lap = lapTimer(report.seconds);

  // (1) The problem.
  const { model: original, place } = placeAtRest(model);
  const training = trainingClip(original, settings, options.given?.trainingClips?.map(place));
  requireRigid(original, [...original.clips, training.clip], settings.operator);
  const regularization = regularizationOf(training, settings);
  const problem = makeProblem(original, trainingOf(original, training, settings), settings.influences, regularization);
  const clipsGiven = original.clips.map((clip) => withLocals(original, clip));
  lap('training');

  // (2) Blend bones and weights.
  const { onSoFar } = options;
  const soFar = (found: Fit): LinearizeSoFar => {
    const { linearized, baking } = linearModel(original, found, settings);
    const { weights, skeleton, blendBones } = linearized;
    const clips = clipsGiven.map((clip) => bakeClip(original, skeleton, clip, baking));
    const envelopingErrorPercent = envelopingPercent(problem, totalOf(found.state.motionErrors));
    return { model: { weights, skeleton, clips, blendBones }, envelopingErrorPercent };
  };
  const found =
    settings.method === 'mohr-gleicher'
      ? withBlendBones(problem, halfWayBones(original))
      : await addBlendBones(problem, settings, {
          ...options,
          ...(onSoFar && { onBone: (look) => onSoFar(() => soFar(look())) }),
        });
  sparsify(found, settings.sparsity);
  dropUnused(found);
  const trained = trainingErrors(original, found, training, settings);
  const gains = found.columns.blends.length > 0 && trained.linearized < trained.lbs;
  lap('blend bones');

  // (3) The model.
  const { linearized, baking } = gains
    ? linearModel({ ...original, clips: clipsGiven }, found, settings)
    : { linearized: original };
  const { operator, antipodality } = settings;
  const compared: Compared = { original, linearized, operator, antipodality };
  if (baking) linearized.clips = await bakeClips(compared, clipsGiven, baking, problem.vertexOf, settings, options);
  validateModel(linearized, 'linearize');
  lap('baking');

  // (4) What came of it.
  const clips = options.measure === false ? [] : await clipErrors(compared, clipsGiven, problem.vertexOf, options);
  const mixed = options.measure === false ? undefined : await crossfadeErrors(compared, clipsGiven, problem.vertexOf);
  lap('measuring');
  const judged = gains && options.measure !== false && !options.given?.trainingClips;
  const heldOut =
    judged && training.source !== 'range-of-motion'
      ? await heldOutErrors(original, problem.vertexOf, settings, options)
      : [];
  lap('holding out');
  const result: LinearizeResult = {
    model: gains ? linearized : model,
    original: gains ? original : model,
    curve: gains ? finalCurve(found) : found.curve.slice(0, 1),
    envelopingError: gains ? trained.linearized : trained.lbs,
    envelopingErrorLbs: trained.lbs,
    envelopingErrorBySolver: found.bySolver,
    averageInfluences: { before: averageInfluences(original.weights), after: averageInfluences(linearized.weights) },
    stopped: found.stopped,
    clips,
    heldOut,
    crossfades: mixed,
    joints: jointErrors(original, found),
    training,
    rigidErrorSquared: problem.rigidErrorSquared,
    report,
  };
  describe(result, found, settings);
  return result;
}
