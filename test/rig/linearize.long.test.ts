import { describe, expect, it } from 'vitest';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { clipOf, smallSample, twist } from './linearize-rigs.ts';

describe('linearize', () => {
  it('keeps the weights of joints that stand still in training', async () => {
    const figure = await smallSample('figure', 2500, 4);
    const arm = figure.skeleton.names.indexOf('foreArm.L');
    const only = clipOf(figure, 'arm', 4, (locals, k) => twist(locals, arm, 0.4 * (k + 1)));
    const { model } = await linearize({ ...figure, clips: [] }, { given: { trainingClips: [only] }, blendBones: 2 });
    const knee = figure.skeleton.names.indexOf('shin.R');
    const still = clipOf(figure, 'knee', 3, (locals, k) => twist(locals, knee, 0.3 * k));
    const before = posedSequence({ ...figure, clips: [still] }, 0, { operator: 'lbs' });
    const driven = { ...model, clips: [] };
    const after = posedSequence(
      { ...driven, clips: [clipOf(driven, 'knee', 3, (locals, k) => twist(locals, knee, 0.3 * k))] },
      0,
      { operator: 'lbs' },
    );
    const [a, b] = [await before.readFrame(2), await after.readFrame(2)];
    const farthest = a.reduce((most, x, c) => Math.max(most, Math.abs(x - b[c])), 0);
    expect(farthest).toBeLessThan(0.02);
  });
});
