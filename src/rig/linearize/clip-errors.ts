import { envelopingErrors } from '../../measure/enveloping.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { boneCount, type Clip, clipFrameCount } from '../../model/skeleton.ts';
import type { BlendOperator, SkinnedModel } from '../../model/skinned-model.ts';
import { posedSequence } from '../../skin/posed-sequence.ts';
import { framesOf } from '../clip-frames.ts';
import { atTimes } from './bake.ts';
import { evenlyChosen, withVertices } from './few-vertices.ts';

/** How close the linearized model comes to the operator over a clip. */
export interface ClipErrors {
  name: string;
  /** Frames that were measured: all keys, or as many at even steps as can be afforded. */
  frames: number;
  /** Enveloping errors in % of linear blending alone, and of the linearized model. Absent where nothing deforms. */
  lbs?: number;
  linearized?: number;
  /** The same half-way between keys, where players interpolate blend bones that follow from others. */
  halfWay?: number;
  /** Keys of the clip as it was and as it is written. */
  keys: { given: number; written: number };
}

/** Vertices × bones × frames that a measurement may look at: a tenth of a second. */
const MOST_LOOKS = 4e6;
/** Of the vertices that follow several bones, about how many are measured: more change the error by less than 1 %. */
export const MEASURED = 2500;

export interface Compared {
  original: SkinnedModel;
  linearized: SkinnedModel;
  operator: BlendOperator;
  antipodality: boolean;
}

/** Both models with about `wanted` of the vertices that follow several bones. */
export function fewVertices(compared: Compared, vertexOf: Uint32Array, wanted: number): Compared {
  const { original, linearized } = compared;
  const chosen = evenlyChosen(vertexOf, wanted);
  return { ...compared, original: withVertices(original, chosen), linearized: withVertices(linearized, chosen) };
}

/** The clip with at most as many frames as can be afforded, at even steps. */
function affordable(model: SkinnedModel, clip: Clip): number[] {
  const frames = clipFrameCount(clip);
  const most = Math.max(2, Math.floor(MOST_LOOKS / (vertexCount(model.mesh) * boneCount(model.skeleton))));
  const count = Math.min(frames, most);
  return Array.from({ length: count }, (_, f) => Math.floor(((f + 0.5) * frames) / count));
}

/** EE of models in clips against the original posed by the operator. All clips have the same times. */
export async function errorsOver(
  { original, operator, antipodality }: Compared,
  own: Clip,
  approximations: readonly (readonly [SkinnedModel, Clip])[],
  run: RunOptions,
): Promise<(number | undefined)[]> {
  const exact = posedSequence({ ...original, clips: [own] }, 0, { operator, antipodality });
  const linear = approximations.map(([model, clip]) =>
    posedSequence({ ...model, clips: [clip] }, 0, { operator: 'lbs' }),
  );
  try {
    const errors = await envelopingErrors(exact, linear, original, own, { signal: run.signal });
    return errors.map(({ percent }) => percent);
  } finally {
    for (const sequence of [exact, ...linear]) await sequence.close?.();
  }
}

/**
 * Of every clip of the linearized model; `given` are those of the original, with local poses, and `vertexOf` the vertices
 * that follow several bones. The others have no error, nor a part in what errors are compared with.
 */
export async function clipErrors(
  compared: Compared,
  given: readonly Clip[],
  vertexOf: Uint32Array,
  run: RunOptions = {},
): Promise<ClipErrors[]> {
  const out: ClipErrors[] = [];
  const few = fewVertices(compared, vertexOf, MEASURED);
  for (const [c, clip] of given.entries()) {
    await checkpoint(run, 'linearize', c, given.length, 'measuring clips');
    out.push(await errorsOfClip(few, clip, compared.linearized.clips[c], run));
  }
  return out;
}

/**
 * @param given the clip of the original, with local poses.
 * @param written the same clip of the linearized model, at its own times.
 */
async function errorsOfClip(compared: Compared, given: Clip, written: Clip, run: RunOptions): Promise<ClipErrors> {
  const { original, linearized: blended } = compared;
  const own = atTimes(original.skeleton, given, written.times);
  const frames = affordable(original, written);
  const ownFrames = framesOf(own, frames);
  const pair = [
    [original, ownFrames],
    [blended, framesOf(written, frames)],
  ] as const;
  const [lbs, linearized] = await errorsOver(compared, ownFrames, pair, run);
  const out: ClipErrors = {
    name: given.name,
    frames: frames.length,
    lbs,
    linearized,
    keys: { given: clipFrameCount(given), written: clipFrameCount(written) },
  };
  if (clipFrameCount(written) > 1) out.halfWay = await halfWayError(compared, given, written, run);
  return out;
}

/** EE of the linearized model at the keys of a clip, which `own` has on the original. */
export async function keyError(
  compared: Compared,
  own: Clip,
  written: Clip,
  run: RunOptions = {},
): Promise<number | undefined> {
  const frames = affordable(compared.original, written);
  const theirs = [compared.linearized, framesOf(written, frames)] as const;
  return (await errorsOver(compared, framesOf(own, frames), [theirs], run))[0];
}

/** EE half-way between keys: the linearized model as players interpolate it, against the original as they do. */
export async function halfWayError(
  compared: Compared,
  given: Clip,
  written: Clip,
  run: RunOptions = {},
): Promise<number | undefined> {
  const { original, linearized } = compared;
  const middles = written.times.slice(1).map((time, k) => (time + written.times[k]) / 2);
  const times = affordable(original, { ...written, times: middles }).map((k) => middles[k]);
  const own = atTimes(original.skeleton, given, Float64Array.from(times));
  const theirs = atTimes(linearized.skeleton, written, Float64Array.from(times));
  return (await errorsOver(compared, own, [[linearized, theirs]], run))[0];
}
