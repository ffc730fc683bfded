import { PliantError } from '../error.ts';
import { integerOption, type OptionSpecs, type OptionsOf, resolveOptions } from './options.ts';
import type { MeshSequence } from './sequence.ts';

/** Which frames of a sequence to use. */
export const FRAME_OPTIONS = {
  firstFrame: integerOption(0, { min: 0 }, 'first frame of each clip'),
  lastFrame: integerOption(-1, { min: -1 }, 'last frame; -1: the end'),
  frameStep: integerOption(1, { min: 1 }, 'use every n-th frame'),
} as const satisfies OptionSpecs;

export type FrameOptions = Partial<OptionsOf<typeof FRAME_OPTIONS>>;

/** The sequence with some of its frames, which keep their times. */
export function takeFrames(operation: string, sequence: MeshSequence, options: FrameOptions): MeshSequence {
  const { firstFrame, lastFrame, frameStep } = resolveOptions(FRAME_OPTIONS, options, operation);
  const last = lastFrameOf(sequence, { firstFrame, lastFrame }, operation);
  const count = Math.floor((last - firstFrame) / frameStep) + 1;
  return pickFrames(sequence, count, (k) => firstFrame + k * frameStep);
}

/** `count` frames of a sequence: the k-th is its frame `frame(k)`. */
export const pickFrames = (sequence: MeshSequence, count: number, frame: (k: number) => number): MeshSequence => ({
  ...sequence,
  frameCount: count,
  times: Float64Array.from({ length: count }, (_, k) => sequence.times[frame(k)]),
  readFrame: (k, out) => sequence.readFrame(frame(k), out),
});

/** The last of the frames from `first` to `last`, where −1 is the end. Throws `bad-option` where there are none such. */
function lastFrameOf(
  { name, frameCount }: MeshSequence,
  { firstFrame: first, lastFrame: last }: { firstFrame: number; lastFrame: number },
  operation: string,
): number {
  const fail = (option: 'firstFrame' | 'lastFrame', got: number, expected: string): never => {
    throw new PliantError('bad-option', operation, `(got ${got}, expected ${expected})`, { option });
  };
  const frames = `0 to ${frameCount - 1} of ${name}`;
  if (first >= frameCount) fail('firstFrame', first, frames);
  if (last >= frameCount) fail('lastFrame', last, frames);
  const end = last < 0 ? frameCount - 1 : last;
  if (first > end) fail('lastFrame', last, `${first} or later`);
  return end;
}
