/**
 * When the samples of a property were taken. Uniform: one stored time and a time per cycle. Cyclic: the stored times of
 * one cycle, repeated. Acyclic: every time is stored.
 */
export interface TimeSampling {
  /** Seconds; `ACYCLIC` when every time is stored. */
  timePerCycle: number;
  /** At least one, increasing, in seconds. */
  stored: Float64Array;
}

/** The time per cycle that stands for none: the largest float64 over 32. */
export const ACYCLIC = Number.MAX_VALUE / 32;

/** What property headers mean by time sampling 0. */
export const IDENTITY: TimeSampling = { timePerCycle: 1, stored: Float64Array.of(0) };

/** How far times may be from an even spacing, as a fraction of it, and still count as even. */
const UNEVEN = 1e-6;

/** The times of the first `count` samples; an acyclic sampling must store as many. */
export function sampleTimes({ timePerCycle, stored }: TimeSampling, count: number): Float64Array {
  if (timePerCycle === ACYCLIC) return stored.slice(0, count);
  return Float64Array.from(
    { length: count },
    (_, k) => stored[k % stored.length] + timePerCycle * Math.floor(k / stored.length),
  );
}

/**
 * What is wrong with a time sampling, or undefined. Times must increase within a cycle. A cycle may end when the next
 * begins: a shutter that is open for a whole frame has two samples at that time.
 */
export function whyNotSampling({ timePerCycle, stored }: TimeSampling): string | undefined {
  if (stored.length === 0) return 'no times';
  if (!(timePerCycle > 0 && timePerCycle <= ACYCLIC)) return `time per cycle ${timePerCycle}`;
  const bad = stored.findIndex((time, k) => !Number.isFinite(time) || (k > 0 && !(time > stored[k - 1])));
  if (bad >= 0) return `time ${bad} is ${stored[bad]}`;
  const length = stored[stored.length - 1] - stored[0];
  return length <= timePerCycle * (1 + UNEVEN) ? undefined : `${length} s of times in a cycle of ${timePerCycle} s`;
}

/** Uniform where the times are evenly spaced, else acyclic. */
export function samplingOf(times: Float64Array): TimeSampling {
  const p = times.length;
  if (p < 2) return { timePerCycle: 1, stored: times.slice() };
  const step = (times[p - 1] - times[0]) / (p - 1);
  const even = times.every((time, k) => Math.abs(time - times[0] - k * step) <= UNEVEN * step);
  return even ? { timePerCycle: step, stored: times.slice(0, 1) } : { timePerCycle: ACYCLIC, stored: times.slice() };
}
