import { gatherRows } from '../math/rows.ts';
import type { Clip } from '../model/skeleton.ts';

/** Some keys of a clip as the frames of a clip of their own. */
export function framesOf(clip: Clip, frames: ArrayLike<number>): Clip {
  const pick = (values: Float32Array): Float32Array => gatherRows(values, values.length / clip.times.length, frames);
  return {
    name: clip.name,
    times: gatherRows(clip.times, 1, frames),
    transforms: pick(clip.transforms),
    ...(clip.locals && { locals: pick(clip.locals) }),
    ...(clip.morphWeights && { morphWeights: pick(clip.morphWeights) }),
  };
}
