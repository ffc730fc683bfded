import type { FittedFrames } from '../fit/clips.ts';

/** `frame 135 of exercise`, counted within its clip where there are several; `frame 135` of a single one. */
export function frameText({ clips }: Pick<FittedFrames, 'clips'>, k: number): string {
  const clip = clips.findLast(({ first }) => first <= k);
  return clip === undefined || clips.length === 1 ? `frame ${k}` : `frame ${k - clip.first} of ${clip.name}`;
}
