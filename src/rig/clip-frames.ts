import type { Clip } from '../model/skeleton.ts';

/** Some frames of a clip, as a clip of its own. */
export function framesOf(clip: Clip, frames: readonly number[]): Clip {
  const pick = (values: Float32Array): Float32Array => {
    const stride = values.length / clip.times.length;
    const out = new Float32Array(stride * frames.length);
    frames.forEach((k, f) => {
      out.set(values.subarray(k * stride, (k + 1) * stride), f * stride);
    });
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
