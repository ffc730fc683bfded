import { slerp } from '../../math/quaternion.ts';
import { type Clip, frameKeys } from '../../model/skeleton.ts';

/**
 * Clips whose keys are not all frames (`Clip.frames`). An animation says in `extras.pliant.between` how many keys lie
 * between each frame and the next, F − 1 numbers, so that reading gives the frames that were written. To players the keys
 * are all alike.
 */

export function keysBetween(clip: Clip): number[] | undefined {
  return clip.frames && Array.from(clip.frames.subarray(1), (key, k) => key - clip.frames![k] - 1);
}

/** The keys that are frames; undefined where all are, or where the note belongs to a clip with other keys. */
export function framesOfNote(between: unknown, keyCount: number): Uint32Array | undefined {
  if (!Array.isArray(between) || between.length >= keyCount) return undefined;
  const frames = new Uint32Array(between.length + 1);
  for (const [k, count] of between.entries()) {
    if (!(Number.isInteger(count) && count >= 0 && count < keyCount)) return undefined;
    frames[k + 1] = frames[k] + count + 1;
  }
  return frames[between.length] === keyCount - 1 && frames.length < keyCount ? frames : undefined;
}

/**
 * Whether a track is the same without the keys that are no frames: within the tolerance on the straight way, or for
 * rotations on the arc, from frame to frame. `values` has `stride` numbers for each key of the clip.
 */
export function followsFrames(clip: Clip, values: Float32Array, stride: number, tolerance: number): boolean {
  const frames = frameKeys(clip);
  const between = new Float64Array(stride);
  for (let k = 0; k + 1 < frames.length; k++) {
    const [a, b] = [frames[k], frames[k + 1]];
    for (let key = a + 1; key < b; key++) {
      const t = (clip.times[key] - clip.times[a]) / (clip.times[b] - clip.times[a]);
      if (stride === 4) slerp(between, 0, values, 4 * a, values, 4 * b, t);
      else for (let c = 0; c < stride; c++) between[c] = (1 - t) * values[stride * a + c] + t * values[stride * b + c];
      for (let c = 0; c < stride; c++) {
        if (Math.abs(between[c] - values[stride * key + c]) > tolerance) return false;
      }
    }
  }
  return true;
}
