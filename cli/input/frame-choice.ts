import { defaultsOf, type OptionSpecs, type OptionsOf } from '../../src/model/options.ts';
import { lastFrameOf, type MeshSequence } from '../../src/model/sequence.ts';

/** Which frames of a sequence are meant. */
export const FRAME_OPTIONS = {
  firstFrame: { type: 'number', default: 0, min: 0, integer: true, description: 'first frame to take' },
  lastFrame: {
    type: 'number',
    default: -1,
    min: -1,
    integer: true,
    description: 'last frame to take; −1 is the last there is',
  },
  frameStep: { type: 'number', default: 1, min: 1, integer: true, description: 'take every n-th frame' },
} as const satisfies OptionSpecs;

export type FrameChoice = OptionsOf<typeof FRAME_OPTIONS>;

/** The sequence with some of its frames, which keep their times. */
export function takeFrames(operation: string, sequence: MeshSequence, choice: Partial<FrameChoice>): MeshSequence {
  const { firstFrame, lastFrame, frameStep } = { ...defaultsOf(FRAME_OPTIONS), ...choice };
  const { times } = sequence;
  const last = lastFrameOf(sequence, { firstFrame, lastFrame }, operation);
  const count = Math.floor((last - firstFrame) / frameStep) + 1;
  const frame = (k: number): number => firstFrame + k * frameStep;
  return {
    ...sequence,
    frameCount: count,
    times: Float64Array.from({ length: count }, (_, k) => times[frame(k)]),
    readFrame: (k, out) => sequence.readFrame(frame(k), out),
  };
}
