import type { Clip } from '../model/skeleton.ts';

/** Some keys of a clip as the frames of a clip of their own. */
export function framesOf(clip: Clip, frames: ArrayLike<number>): Clip {
  const pick = (values: Float32Array): Float32Array => {
    const stride = values.length / clip.times.length;
    const out = new Float32Array(stride * frames.length);
    for (let f = 0; f < frames.length; f++) {
      out.set(values.subarray(frames[f] * stride, (frames[f] + 1) * stride), f * stride);
    }
    return out;
  };
  return {
    name: clip.name,
    times: Float64Array.from(frames, (k) => clip.times[k]),
    transforms: pick(clip.transforms),
    ...(clip.locals && { locals: pick(clip.locals) }),
    ...(clip.morphWeights && { morphWeights: pick(clip.morphWeights) }),
  };
}
