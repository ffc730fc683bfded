import { describe, expect, it } from 'vitest';
import { makeSample } from '../../src/samples.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { mix } from '../../src/verbs/mix.ts';
import { linearizeOutcome, mixOutcome } from '../../studio/src/core/rig/outcomes.ts';

describe('what a run on a rig has gained', () => {
  it('is told in figures', async () => {
    const { model } = await makeSample('tube', { resolution: 60, frames: 6 });
    const linearized = linearizeOutcome((await linearize(model!, { blendBones: 2, measure: false })).report);
    expect(linearized.nothing).toBeUndefined();
    const [before, after] = linearized.rows.map(([, error]) => Number(error));
    expect(after).toBeLessThan(before);
    const mixed = mixOutcome((await mix(model!, {})).report);
    expect(mixed.rows.map(([name]) => name)).toEqual(['LBS', 'DQS', 'Mix']);
  });

  it('says why it is nothing', async () => {
    const { model } = await makeSample('tube', { resolution: 60, frames: 2 });
    // A clip that rests.
    const [clip] = model!.clips;
    const still = { ...clip, transforms: clip.transforms.slice() };
    const stride = still.transforms.length / still.times.length;
    for (let k = 1; k < still.times.length; k++) still.transforms.copyWithin(k * stride, 0, stride);
    const rest = { ...model!, clips: [still] };
    expect(mixOutcome((await mix(rest, {})).report).nothing).toBeDefined();
    const figures = { envelopingErrorLbsPercent: 3, envelopingErrorPercent: 3, blendBones: 1 };
    expect(linearizeOutcome({ figures } as never).nothing).toBeDefined();
  });
});
