import { PliantError } from '../error.ts';
import type { FittedFrames } from '../fit/clips.ts';
import type { FitRun } from '../fit/context.ts';
import { type FitResult, fit as fitClips } from '../fit/fit.ts';
import { FIT_OPTIONS, type FitOptions } from '../fit/fit-options.ts';
import type { FitEnding } from '../fit/fit-report.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions, SMALL_WEIGHT_LEVELS } from '../io/glb/options.ts';
import type { Asset } from '../model/asset.ts';
import { vertexCount } from '../model/mesh.ts';
import { addNotes, type Note, note } from '../model/note.ts';
import { choiceOption, type OptionSpecs } from '../model/options.ts';
import { lapTimer } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { playedAsWritten } from './as-written.ts';
import { type Centred, centred } from './centre.ts';
import { BLEND_OPTIONS } from './choose.ts';
import { LOCKS, type Lock, lockedHalf } from './lock.ts';
import { type MorphBaseline, morphBaseline } from './morph-baseline.ts';
import { type SceneOptions, type Scenes, scenesOf } from './scenes.ts';
import { glbOf, modelPart, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** Options of `fit` in addition to `FIT_OPTIONS`. */
export const FIT_INPUT_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'object of the scene to fit [default all, together]' },
  ...BLEND_OPTIONS,
  lock: choiceOption(LOCKS[0], LOCKS, 'what to keep of the rig; the other half is solved'),
} as const satisfies OptionSpecs;

/** Options of `fit`. */
export interface FitVerbOptions extends Partial<FitOptions>, SceneOptions, Omit<FitRun, 'sizeOf' | 'played'> {
  /** A rig of which the half that `lock` names is kept. */
  rig?: Asset;
  lock?: Lock;
  /** How to write the GLB [default not at all]. As many influences are written as were fitted. */
  glb?: Partial<ModelGlbOptions>;
  /** Whether to compare the GLB with morph targets, which are written for it [default true]. */
  baseline?: boolean;
}

/** What `fit` returns. */
export interface FitOutcome {
  result: FitResult;
  /** One per mesh of the scene; all follow one skeleton. */
  models: SkinnedModel[];
  /** The GLB. */
  file?: Uint8Array;
  /** The same motion as morph targets, written the same way. */
  baseline?: MorphBaseline;
  report: VerbReport<FitDetail>;
}

/** What only `fit` reports. */
export interface FitDetail {
  /** The clip that a rig was posed by. */
  clip?: string;
  kind: FitOptions['kind'];
  ended: FitEnding;
  converged: boolean;
  iterations?: number;
  /** What the caller knew: weights or transforms. */
  given: string[];
  /** Whether `maxError` was asked for and is exceeded. */
  missed: boolean;
  /** Whether `morphBytes` is an estimate. */
  morphBytesEstimated?: boolean;
  /** One value per frame. */
  perFrame: { rmsePercent?: Float64Array; maxErrorPercent?: Float64Array };
}

/** Turns mesh animations into bones, weights and clips. Each input is a clip of the same meshes, or several. */
export async function fit(input: VerbInput | readonly VerbInput[], options: FitVerbOptions = {}): Promise<FitOutcome> {
  const { rig, lock, glb, signal, onProgress } = options;
  requireCompatible(options);
  const scenes = scenesOf('fit', input, options);
  const known = lockedHalf(lock, rig, scenes.clips[0].rest) ?? options.given;
  // What is known stands where it stands.
  const far = known ? undefined : centred(scenes.clips);
  const write = (model: SkinnedModel, report: VerbReport) =>
    glbOf(scenes.split(model), { ...glb, influences: model.weights.influences, origin: far?.origin }, report);
  const sizeOf = async (model: SkinnedModel) => (await write(model, verbReport({}))).file!.length;

  const clips = far?.clips ?? scenes.clips;
  const played =
    glb && ((model: SkinnedModel, fitted: FittedFrames) => playedAsWritten(model, fitted, scenes.split, glb));
  const solved = await fitClips(clips, {
    ...{ ...weightLevels(glb), ...options, given: known, sizeOf, played },
    onSoFar: whereTheyStood(options.onSoFar, far),
  });
  const result = far?.back(solved) ?? solved;
  const outcome = { result, models: scenes.split(result.model), report: reportOf(result, scenes, options) };
  addNotes(outcome.report.notes, ...scenes.lost(outcome.models));
  if (!glb) return outcome;
  const { figures, notes, seconds, detail } = outcome.report;
  const lap = lapTimer(seconds);
  await checkpoint(options, 'fit', 0, 1, 'writing');
  const { file } = await write(solved.model, outcome.report);
  await checkpoint(options, 'fit', 1, 1, 'writing');
  lap('write');
  if (options.baseline === false) return { ...outcome, file };
  const baseline = await morphBaseline(scenes.splitSequence(result.fitted.sequence), glb, { signal, onProgress });
  lap('compare');
  figures.morphBytes = baseline.bytes;
  detail.morphBytesEstimated = baseline.estimated;
  const fewerBones = !options.maxError && !options.maxSize && result.bones > 1;
  addNotes(notes, ...largerThanMorphs(file!.length, baseline, fewerBones));
  return { ...outcome, file, baseline };
}

function whereTheyStood(onSoFar: FitRun['onSoFar'], far: Centred | undefined): FitRun['onSoFar'] {
  if (!onSoFar || !far) return onSoFar;
  return (look) =>
    onSoFar(() => {
      const found = look();
      return { ...found, transforms: far.matricesBack(found.transforms) };
    });
}

/** Two targets would contradict each other. A rig brings its own bones and, with its weights, its influences. */
function requireCompatible(options: FitVerbOptions): void {
  const keepsWeights = options.rig && options.lock !== 'transforms';
  const names = ['rig', 'bones', 'maxError', 'maxSize', ...(keepsWeights ? (['influences'] as const) : [])] as const;
  const [first, second] = names.filter((name) => options[name]);
  if (second === undefined) return;
  throw new PliantError('bad-option', 'fit', `cannot be combined with {option:${first}}`, { option: second });
}

/** Bones that are solved for weights of few bits lose far less than weights that are merely rounded to them. */
export function weightLevels({ weights = MODEL_GLB_OPTIONS.weights.default }: Partial<ModelGlbOptions> = {}) {
  const levels = { u8: 255, float12: SMALL_WEIGHT_LEVELS, u16: 0, float: 0 }[weights];
  return levels > 0 ? { weightLevels: levels } : {};
}

/** A file that is larger by less is as large; an estimate may be off by more. */
const WORTH_A_NOTE = { measured: 1.1, estimated: 1.5 };

/** Short motions of small meshes may be better off without bones, or with fewer, where these can be chosen. */
function largerThanMorphs(after: number, { bytes, estimated }: MorphBaseline, fewerBones: boolean): Note[] {
  const worse = after > WORTH_A_NOTE[estimated ? 'estimated' : 'measured'] * bytes;
  return worse ? [note('larger-than-morphs', { bytes, estimated, fewerBones })] : [];
}

function reportOf(
  result: FitResult,
  { clip, notes }: Scenes,
  { maxError = 0, errorMeasure = FIT_OPTIONS.errorMeasure.default }: FitVerbOptions,
): VerbReport<FitDetail> {
  const { errors, fitted, model, kind, ended, converged, report } = result;
  const { diagonal, maxErrorFrame, maxErrorVertex, distortionPercent } = errors;
  const { rmsePercent, maxErrorPercent } = errors.perFrame;
  const { times, frameCount: frames, rest } = fitted.sequence;
  const { influences } = model.weights;
  const located = { maxErrorFrame, maxErrorVertex, distortionPercent, diagonal };
  const error = errorMeasure === 'rmse' ? errors.rmsePercent : errors.maxErrorPercent;
  const { iterations, given } = report;
  const missed = maxError > 0 && error !== undefined && error > maxError;
  const perFrame = { rmsePercent, maxErrorPercent };
  return verbReport(
    { clip, kind, ended, converged, iterations, given, missed, perFrame },
    {
      figures: { ...report.figures, influences, frames, vertices: vertexCount(rest), ...located },
      clips: fitted.clips.map(({ name, first, count }) => ({
        name,
        frames: count,
        duration: times[first + count - 1] - times[first],
      })),
      parts: [modelPart(model)],
      notes: [...notes, ...report.notes],
      seconds: report.seconds,
    },
  );
}
