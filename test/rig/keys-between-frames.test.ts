import { describe, expect, it } from 'vitest';
import { envelopingError } from '../../src/measure/enveloping.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { frameKeys } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { splitKeys } from '../../src/rig/linearize/bake.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { LINEARIZE_OPTIONS } from '../../src/rig/linearize/linearize-options.ts';
import { trainingClip } from '../../src/rig/linearize/training-clip.ts';
import { mix } from '../../src/rig/mix/mix.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { smallSample } from './linearize-rigs.ts';

/** Keys that only guide players between frames, as `fit` adds them, are no poses of the motion. */

const FRAMES = 6;
const tube = await smallSample('tube', 150, FRAMES);
const denser: SkinnedModel = { ...tube, clips: tube.clips.map((clip) => splitKeys(tube.skeleton, clip, 3)) };

it('a clip with more keys has the same frames', () => {
  validateModel(denser);
  for (const [c, clip] of denser.clips.entries()) {
    expect(clip.times).toHaveLength(3 * (FRAMES - 1) + 1);
    expect(Array.from(frameKeys(clip), (key) => clip.times[key])).toEqual(Array.from(tube.clips[c].times));
  }
});

describe('with more keys', () => {
  it('a mix is judged by the same poses', async () => {
    const run = (model: SkinnedModel) => mix(model, { poses: 4, antipodality: false });
    const [plain, dense] = [await run(tube), await run(denser)];
    expect(dense.poses.map(({ label }) => label)).toEqual(plain.poses.map(({ label }) => label));
    expect(dense.solved.terms.energy).toBeCloseTo(plain.solved.terms.energy, 4);
  });

  it('blend bones are trained with the same poses', () => {
    for (const trainingFrames of [0, 7]) {
      const options = {
        ...defaultsOf(LINEARIZE_OPTIONS),
        training: 'clips',
        antipodality: false,
        trainingFrames,
      } as const;
      const [plain, dense] = [tube, denser].map((model) => trainingClip(model, options, undefined));
      expect(dense.clip.times).toHaveLength(trainingFrames || 3 * FRAMES);
      expect(dense.signs).toEqual(plain.signs);
      dense.clip.transforms.forEach((x, c) => {
        expect(x).toBeCloseTo(plain.clip.transforms[c], 4);
      });
    }
  });

  it('a linearized rig keeps the frames of its clips, however many keys it needs', async () => {
    // Blend bones hang from joints and rarely need more: here from one end of a bend to the other, in one step.
    const sparse = await smallSample('tube', 150, 2);
    const result = await linearize(sparse, { blendBones: 4, training: 'clips', operator: 'dib' });
    expect(result.clips.some(({ keys }) => keys.written > keys.given)).toBe(true);
    for (const clip of result.model.clips) expect(frameKeys(clip)).toHaveLength(2);
  });

  it('the enveloping error is the same', async () => {
    const errors = [];
    for (const model of [tube, denser]) {
      const [exact, linear] = (['dqs', 'lbs'] as const).map((operator) => posedSequence(model, 0, { operator }));
      errors.push((await envelopingError(exact, linear, model, model.clips[0])).percent);
    }
    expect(errors[1]).toBeCloseTo(errors[0]!, 3);
  });
});
