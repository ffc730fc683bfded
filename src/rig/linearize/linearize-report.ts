import type { Figures } from '../../model/figures.ts';
import { note } from '../../model/note.ts';
import type { Report } from '../../model/report.ts';
import type { SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';
import type { Linearization } from './algorithm.ts';
import type { ClipErrors } from './clip-errors.ts';
import type { CrossfadeErrors } from './crossfades.ts';
import type { HeldOutErrors } from './held-out.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import { envelopingPercent } from './problem.ts';
import type { TrainingClip } from './training.ts';
import type { JointErrors } from './training-errors.ts';
import { totalOf } from './vertex-weights.ts';

/** A rig with blend bones, and how close it comes to the operator. */
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
  /** By how the w'-weights were solved, with the same blend bones: exactly, and as in Kavan 2009. */
  envelopingErrorBySolver: { exact: number; nnls: number };
  /** Mean number of bones that a vertex follows. */
  averageInfluences: { before: number; after: number };
  /** Why no more blend bones were added. */
  stopped: Linearization['stopped'];
  /** Of every clip of the model. */
  clips: ClipErrors[];
  /** Estimates for clips that training does not know: of every clip of a rig with several. */
  heldOut: HeldOutErrors[];
  /** Of poses between two clips, of a rig with several. */
  crossfades?: CrossfadeErrors;
  joints: JointErrors[];
  /** Σ ‖Φ(w)·v − C_r·v‖² over the training: what EE² is a share of, in square units. */
  rigidErrorSquared: number;
  /** The frames that were trained with, as a clip of the given skeleton; with antipodality off, what its turns mean. */
  training: TrainingClip;
  report: Report;
}

/** Mean number of bones that a vertex follows. */
export function averageInfluences({ weights, influences }: SkinWeights): number {
  let used = 0;
  for (const w of weights) if (w > 0) used++;
  return weights.length > 0 ? (used * influences) / weights.length : 0;
}

/** EE in % with 0, 1, 2 … blend bones; the last one as it is now, with fewer influences. */
export function finalCurve({ curve, columns, state }: Linearization): number[] {
  return [...curve.slice(0, -1), envelopingPercent(columns.problem, totalOf(state.motionErrors))];
}

/** Root mean squares over the clips: each counts by what it is a share of. */
function meansOf(what: 'HeldOut', errors: readonly { lbs: number; linearized: number }[]): Figures {
  if (errors.length === 0) return {};
  const rms = (of: (error: { lbs: number; linearized: number }) => number): number =>
    Math.sqrt(errors.reduce((sum, error) => sum + of(error) ** 2, 0) / errors.length);
  return {
    [`envelopingError${what}LbsPercent` as const]: rms(({ lbs }) => lbs),
    [`envelopingError${what}Percent` as const]: rms(({ linearized }) => linearized),
  };
}

/** Baked blend bones in crossfades may be farther off than computed ones by so much: as a factor, and in % of EE. */
const DRIFT = { factor: 1.25, percent: 1 };

/** Fills the report of a result. */
export function describe(
  { report, model, original, ...result }: LinearizeResult,
  { columns: { problem }, steps, converged, stopped }: Linearization,
  { method, operator, blendBones: asked, maxEnvelopingError }: LinearizeOptions,
): void {
  const { notes } = report;
  const { name } = model;
  const { crossfades } = result;
  const blendBones = model.blendBones?.bones.length ?? 0;
  report.figures = {
    blendBones,
    envelopingErrorLbsPercent: result.envelopingErrorLbs,
    envelopingErrorPercent: result.envelopingError,
    envelopingErrorExactPercent: result.envelopingErrorBySolver.exact,
    envelopingErrorNnlsPercent: result.envelopingErrorBySolver.nnls,
    ...meansOf('HeldOut', result.heldOut),
    ...(crossfades && {
      envelopingErrorCrossfadeLbsPercent: crossfades.lbs,
      envelopingErrorCrossfadePercent: crossfades.baked,
      envelopingErrorCrossfadeDrivenPercent: crossfades.driven,
    }),
    averageInfluencesBefore: result.averageInfluences.before,
    averageInfluencesAfter: result.averageInfluences.after,
  };
  report.iterations = steps;
  report.converged = converged;
  if (original.mixWeights) notes.push(note('mix-ignored', { operator }, name));
  if (problem.count === 0) notes.push(note('linear-is-exact', {}, name));
  else if (!(problem.rigidErrorSquared > 0)) notes.push(note('nothing-deforms', {}, name));
  else if (blendBones === 0) notes.push(note('blend-bones-gain-nothing', {}, name));
  else if (stopped !== 'number' && method === 'blend-bones' && blendBones < asked) {
    notes.push(note('blend-bones-stopped', { reason: stopped }, name));
  }
  if (maxEnvelopingError > 0 && result.envelopingError > maxEnvelopingError) {
    notes.push(note('enveloping-error-missed', { asked: maxEnvelopingError, blendBones }, name));
  }
  if (crossfades && (crossfades.baked ?? 0) > DRIFT.factor * (crossfades.driven ?? 0) + DRIFT.percent) {
    notes.push(
      note('crossfades-drift', { baked: crossfades.baked!, driven: crossfades.driven!, linear: crossfades.lbs! }, name),
    );
  }
  if (blendBones > 0 && model.clips.length === 0) notes.push(note('blend-bones-undriven', {}, name));
  for (const { name: clip, linearized, lbs } of result.clips) {
    if (linearized === undefined || lbs === undefined || linearized <= lbs) continue;
    notes.push(note('linear-is-closer', { clip, training: result.training.source }, name));
  }
}
