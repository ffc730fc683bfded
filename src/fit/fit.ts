import { measureSequences, type SequenceErrors } from '../measure/measure.ts';
import { resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { type FittedFrames, fittedSequence, framesToFit } from './clips.ts';
import { type FitContext, type FitRun, reduceFrames } from './context.ts';
import { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from './fit-options.ts';
import { type FitEnding, reportFit } from './fit-report.ts';
import type { InBetweenFigures } from './proxy/in-between.ts';
import { solveFor } from './solve.ts';
import { searchTarget } from './targets/search-target.ts';
import { type ProxyJoints, vertexRegions } from './thesis/proxy-joints.ts';

/**
 * The map: a mesh animation becomes proxy bones, weights and transforms.
 *
 *   frames ─ reduce ─▶ problem ─ decompose ─▶ bones, weights ─ proxyModel ─▶ skinned model ─ measure ─▶ report
 *
 * `decompose` places bones, refines and moves them; with a target error or size `searchTarget` calls it until the number
 * of bones is found.
 */
export interface FitResult {
  model: SkinnedModel;
  /** Over all frames of all clips, of the finished model in single precision; of its file, read back, where it is written. */
  errors: SequenceErrors;
  /** The frames that were fitted, as one sequence, in the order of `errors.perFrame`. */
  fitted: FittedFrames;
  kind: FitOptions['kind'];
  bones: number;
  /** The proxy joints and regions that it began with, where it began by deformation or evenly. */
  proxies?: ProxyJoints;
  /** N: the region, or the cluster, of each vertex that it began with; not where weights or transforms were given. */
  regions?: Int32Array;
  /** Why it ended. */
  ended: FitEnding;
  /** Whether it ended because nothing more was to be gained. */
  converged: boolean;
  /** What is played between frames, and the keys that were added for it. */
  inBetween: InBetweenFigures;
  report: Report;
}

/** Fits proxy bones, weights and transforms to a mesh animation: one sequence, or several clips of one mesh. */
export async function fit(
  input: MeshSequence | readonly MeshSequence[],
  options: Partial<FitOptions> & FitRun = {},
): Promise<FitResult> {
  const report = emptyReport('fit', options.given);
  const settings = settingsOf(options, report.given.length > 0);
  const lap = lapTimer(report.seconds);

  // (1) Frames → trajectories in a small basis.
  const fitted = await framesToFit(Array.isArray(input) ? input : [input as MeshSequence], settings);
  const context = await reduceFrames(fitted, settings, options);
  lap('reduce');

  // (2) Bones, weights and the model, with the bones asked for or as many as a target takes.
  const found =
    settings.bones > 0
      ? await solveFor(context, settings)
      : await searchTarget(context, settings, options.kind === undefined);
  lap('solve');

  // (3) What came out, measured on the finished model.
  const errors = await measureFit(context, found.model);
  lap('measure');
  const ended = reportFit(report, context, settings, found, errors);
  const { model, kind, inBetween } = found;
  const { boneCount: bones, proxies, clusters } = found.decomposition;
  const regions = proxies ? vertexRegions(proxies, fitted.sequence.rest.triangles) : clusters;
  const converged = ended === 'converged';
  return { model, errors, fitted, kind, bones, proxies, regions, ended, converged, inBetween, report };
}

/** Bones when neither a number nor a target is given. */
const USUAL_BONES = 40;

/** What was asked for, with the choices of its preset. Bones stay 0 where a target decides their number. */
function settingsOf(options: Partial<FitOptions> & FitRun, halfGiven: boolean): FitOptions {
  const settings = resolveOptions(FIT_OPTIONS, options, 'fit', {
    ...FIT_PRESETS[options.preset ?? FIT_OPTIONS.preset.default],
    // Matrices that are given may be of any kind.
    ...(options.given?.transforms && { kind: 'affine' }),
  });
  const searches = !halfGiven && (settings.maxError > 0 || settings.maxSize > 0);
  return { ...settings, bones: settings.bones || (searches ? 0 : USUAL_BONES) };
}

/** The errors of a model over all fitted frames. */
async function measureFit({ fitted, run }: FitContext, model: SkinnedModel): Promise<SequenceErrors> {
  const approximation = await (run.played?.(model, fitted) ?? fittedSequence(model, fitted));
  const { report, ...errors } = await measureSequences(fitted.sequence, approximation, {
    surfaceDistance: false,
    signal: run.signal,
    onProgress: run.onProgress,
  });
  await approximation.close?.();
  return errors;
}
