import { type Clip, frameTimes } from '../../../../src/model/skeleton.ts';
import type { Content } from './content.ts';

/** The names of all clips, each once. */
export const clipNames = ({ models, motions }: Content): string[] => [
  ...new Set([...models, ...motions].flatMap(({ clips }) => clips.map(({ name }) => name))),
];

/** P seconds of what plays: of the motion, of the first clip of that name, or the rest pose alone. */
export function timesOf({ sequences, models, motions }: Content, name: string): Float64Array {
  if (sequences.length > 0) return sequences[0].times;
  const clip = [...models, ...motions].flatMap(({ clips }) => clips).find((other) => other.name === name);
  return clip ? smoothTimes(clip) : Float64Array.of(0);
}

/** Frames per second at which clips with few keys are shown, and what is few. */
const SMOOTH_RATE = 60;
const LEAST_RATE = 20;

/** A clip's own keys where they are dense enough to look smooth, otherwise a steady rate. */
function smoothTimes(clip: Clip): Float64Array {
  const times = frameTimes(clip);
  const seconds = times[times.length - 1] - times[0];
  if (seconds === 0 || times.length / seconds >= LEAST_RATE) return times;
  const count = Math.max(2, Math.round(seconds * SMOOTH_RATE) + 1);
  return Float64Array.from({ length: count }, (_, k) => times[0] + (k * seconds) / (count - 1));
}
