import { type OptionSpecs, type OptionsOf, resolveOptions } from '../model/options.ts';
import { lastFrameOf, type MeshSequence } from '../model/sequence.ts';

/** Which frames of a sequence to use. */
export const FRAME_OPTIONS = {
  firstFrame: { type: 'number', default: 0, min: 0, integer: true, description: 'first frame' },
  lastFrame: { type: 'number', default: -1, min: -1, integer: true, description: 'last frame; -1: the end' },
  frameStep: { type: 'number', default: 1, min: 1, integer: true, description: 'use every n-th frame' },
} as const satisfies OptionSpecs;

export type FrameOptions = Partial<OptionsOf<typeof FRAME_OPTIONS>>;

/** The sequence with some of its frames, which keep their times. */
export function takeFrames(verb: string, sequence: MeshSequence, options: FrameOptions): MeshSequence {
  const { firstFrame, lastFrame, frameStep } = resolveOptions(FRAME_OPTIONS, options, verb);
  const last = lastFrameOf(sequence, { firstFrame, lastFrame }, verb);
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
