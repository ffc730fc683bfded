import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { READ_OPTIONS } from '../io/read-asset.ts';
import { drivenClip, drivenSequence, type PointPath } from '../learn/drive-sequence.ts';
import { pointRanges } from '../learn/point-ranges.ts';
import { predictorModel } from '../learn/predictor-model.ts';
import { withinSliders } from '../learn/slider-range.ts';
import type { Asset } from '../model/asset.ts';
import type { RunOptions } from '../model/options.ts';
import type { Predictor } from '../model/predictor.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { type Move, movesPath, type PathData, pathOfData, pathOfSequence } from './point-path.ts';
import { clipReport, glbOf, meshPart, type VerbReport, verbReport } from './verb.ts';

/** Options of `drive`. */
export interface DriveVerbOptions extends RunOptions {
  /** Where the control points go: a path, or a sequence of the same mesh or of the points alone. */
  points?: PointPath | PathData | Asset;
  /** Instead of a path: how far points go from where they rest, in a second. */
  by?: readonly Move[];
  /** Frames per second of `by`. */
  framesPerSecond?: number;
  /** Name of the clip [default that of the predictor's motion]. */
  clip?: string;
  /** How to write a GLB of bones, and morph targets for what they cannot express [default not at all]. */
  glb?: Partial<ModelGlbOptions>;
}

/** What `drive` returns. */
export interface DriveOutcome {
  /** The surface; frames are predicted when they are read. */
  sequences: MeshSequence[];
  /** The same as bones and a few morph targets. */
  models: SkinnedModel[];
  /** The GLB of the models. */
  file?: Uint8Array;
  report: VerbReport<DriveDetail>;
}

/** What only `drive` reports. */
export interface DriveDetail {
  predictor: string;
}

/** Moves the control points of what `learn` made, and predicts how the surface follows. */
export async function drive(input: Asset | Predictor, options: DriveVerbOptions = {}): Promise<DriveOutcome> {
  const predictor = predictorOf(input);
  const path = await pathOf(predictor, options);
  const { clip: driven, report } = await drivenClip(predictor, path, options);
  const clip = { ...driven, name: options.clip ?? driven.name };
  const model = withinSliders(predictorModel(predictor, [clip], true));
  const told = verbReport(
    { predictor: predictor.name },
    { ...report, clips: [clipReport(clip)], parts: [meshPart(predictor.name, predictor.mesh)] },
  );
  const written = await glbOf([model], options.glb, told);
  return { sequences: [drivenSequence(predictor, path)], models: [model], ...written, report: told };
}

function predictorOf(input: Asset | Predictor): Predictor {
  if (!('format' in input)) return input;
  const predictor = input.predictors?.[0];
  if (predictor) return predictor;
  const cause = 'contains no predictor (expected a GLB from `pliant learn`)';
  throw new PliantError('not-found', 'drive', cause, { file: input.name });
}

function pathOf(predictor: Predictor, options: DriveVerbOptions): PointPath | Promise<PointPath> {
  const { points, by, framesPerSecond = READ_OPTIONS.framesPerSecond.default } = options;
  if ((points === undefined) === (by === undefined)) {
    const cause = points ? 'cannot be combined with {option:by}' : 'or {option:by} is required';
    throw new PliantError('bad-option', 'drive', cause, { option: 'points' });
  }
  if (by) return movesPath(by, pointRanges(predictor), framesPerSecond);
  if (points && 'format' in points) return pathOfSequence(points.sequences[0], predictor);
  return points && 'points' in points && points.points instanceof Float64Array
    ? (points as PointPath)
    : pathOfData(points, pointRanges(predictor));
}
