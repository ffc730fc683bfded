import type { FrameRange } from '../core/view/frame-range.ts';

/** One frame of an animation. */
export interface Moment {
  /** Of the motion. */
  frame: number;
  /** 0…1: share of the orbit. */
  turn: number;
  /** Start in seconds. */
  start: number;
}

export interface Cut {
  moments: Moment[];
  /** Total length in seconds. */
  length: number;
}

/** Minimum frames per second for a moving camera. */
const RATE = 30;
const LEAST_RATE = 20;
/** Seconds of an orbit around a still object. */
const STILL_SECONDS = 4;

/**
 * The frames of an animation: every frame of the motion at its own time, the last as long as the others on average. With
 * `turntable` the camera orbits once.
 *
 * @param all P seconds. @param speed 2 is twice as fast.
 */
export function cutFilm(all: Float64Array, { from, to }: FrameRange, speed: number, turntable: boolean): Cut {
  const times = all.subarray(from, to + 1);
  const count = times.length;
  const own = count > 1 ? ((times[count - 1] - times[0]) * count) / (count - 1) / speed : 0;
  if (own > 0 && (!turntable || count / own >= LEAST_RATE)) {
    const moments = Array.from({ length: count }, (_, k) => ({
      frame: from + k,
      turn: turntable ? k / count : 0,
      start: (times[k] - times[0]) / speed,
    }));
    return { moments, length: own };
  }
  const seconds = own || (turntable ? STILL_SECONDS : 1 / RATE);
  const pictures = Math.max(1, Math.round(seconds * RATE));
  const moments = Array.from({ length: pictures }, (_, n) => ({
    frame: from + frameAt(times, times[0] + (n / RATE) * speed),
    turn: turntable ? n / pictures : 0,
    start: n / RATE,
  }));
  return { moments, length: pictures / RATE };
}

/** The last frame that has started. */
function frameAt(times: Float64Array, time: number): number {
  let k = 0;
  while (k + 1 < times.length && times[k + 1] <= time) k++;
  return k;
}
