import type { FittedFrames } from '../fit/clips.ts';
import { type Clip, frameKeys } from '../model/skeleton.ts';
import { number, plural } from './format.ts';

/** What files hold, in words: `pliant info` and the studio say the same. */

/** How far key times may be from even spacing, as a fraction of it, before we call them uneven: float32 rounding. */
const UNEVEN = 1e-2;

/** `70 frames, 24 per second, 2.875 s`. */
export function timesText(times: Float64Array): string {
  const p = times.length;
  if (p < 2) return plural(p, 'frame');
  const seconds = times[p - 1] - times[0];
  const step = seconds / (p - 1);
  const even = times.every((time, k) => Math.abs(time - times[0] - k * step) <= UNEVEN * step);
  const rate = number(Math.round(100 / step) / 100);
  return `${plural(p, 'frame')}, ${even ? '' : 'uneven, on average '}${rate} per second, ${number(seconds)} s`;
}

/** `18 frames, 0.7083 s`. */
export function clipLength(clip: Clip): string {
  const { times, frames } = clip;
  const keys = frames ? ` at ${times.length} keys` : '';
  const seconds = number(times[times.length - 1] - times[0]);
  return `${plural(frameKeys(clip).length, 'frame')}${keys}, ${seconds} s`;
}

/** `frame 135 of exercise`, counted within its clip where there are several; `frame 135` of a single one. */
export function frameText({ clips }: Pick<FittedFrames, 'clips'>, k: number): string {
  const clip = clips.findLast(({ first }) => first <= k);
  return clip === undefined || clips.length === 1 ? `frame ${k}` : `frame ${k - clip.first} of ${clip.name}`;
}
