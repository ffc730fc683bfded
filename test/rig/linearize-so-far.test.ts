import { describe, expect, it } from 'vitest';
import { emptyAsset, type LinearizeSoFar } from '../../src/index.ts';
import { envelopingError } from '../../src/measure/enveloping.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { smallSample } from './linearize-rigs.ts';

describe('linearizing that is watched', () => {
  it('hands out rigs that get better, and ends as if nobody had looked', async () => {
    const whole = await smallSample('box', 150, 8);
    const box = { ...whole, clips: whole.clips.slice(0, 1) };
    const seen: LinearizeSoFar[][] = [];
    const options = { training: 'clips', blendBones: 2, measure: false, glb: {} } as const;
    const rigs = { ...emptyAsset('memory', 0), models: [box, box] };
    const watched = await linearize(rigs, { ...options, onSoFar: (look) => seen.push(look()) });
    const alone = await linearize(rigs, options);
    expect(watched.file).toEqual(alone.file);

    expect(seen.map((parts) => parts.map(({ model }) => model.blendBones!.bones.length))).toEqual([
      ...[[1], [2]],
      ...[1, 2].map((last) => [watched.models[0].blendBones!.bones.length, last]),
    ]);
    const errors = seen.slice(0, 2).map(([{ envelopingErrorPercent }]) => envelopingErrorPercent);
    expect(errors[1]).toBeLessThan(errors[0]);
    expect(watched.parts[0].envelopingError).toBeLessThan(1.1 * errors[1]);

    // What it says of its error is what it plays.
    const rig = { ...box, ...seen[1][0].model, operator: 'lbs' } as const;
    validateModel(rig, 'test');
    const [clip] = box.clips;
    const goal = posedSequence({ ...box, operator: 'dqs' }, 0);
    const { percent } = await envelopingError(goal, posedSequence(rig, 0), box, clip);
    expect(percent).toBeCloseTo(errors[1], 1);
  });
});
