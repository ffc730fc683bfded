import { describe, expect, it } from 'vitest';
import { boneCount, clipFrame } from '../../src/model/skeleton.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { BlendBoneMatrices } from '../../src/skin/blend-bones.ts';
import { refusal } from '../refusal.ts';
import { smallSample } from '../rig/linearize-rigs.ts';

const tube = await smallSample('tube', 100, 6);

describe('BlendBoneMatrices', () => {
  it.each(['dqs', 'sdqs', 'dib'] as const)(
    '%s: gives the matrices that the clips were baked with',
    async (operator) => {
      const { model } = await linearize(tube, { operator, blendBones: 3, measure: false, keys: 'given' });
      const blendBones = new BlendBoneMatrices(model);
      const masters = boneCount(tube.skeleton);
      for (const clip of model.clips) {
        const baked = clipFrame(clip, 5);
        const driven = new Float32Array(baked.length);
        driven.set(baked.subarray(0, 12 * masters));
        blendBones.fill(driven);
        for (const { bone } of model.blendBones!.bones) {
          for (let c = 12 * bone; c < 12 * (bone + 1); c++) expect(driven[c]).toBeCloseTo(baked[c], 4);
        }
      }
    },
  );

  it('leaves a model without blend bones alone', () => {
    const transforms = clipFrame(tube.clips[0], 1).slice();
    expect(new BlendBoneMatrices(tube).fill(transforms.slice())).toEqual(transforms);
  });
});

describe('blend bones of a model', () => {
  it('that break their contract are refused', async () => {
    const { model } = await linearize(tube, { blendBones: 2, measure: false });
    const [first, second] = model.blendBones!.bones;
    const broken = [
      { ...first, bone: 999 },
      { ...first, bone: second.bone },
      { ...first, masters: Uint16Array.of(second.bone, 0) },
      { ...first, masters: new Uint16Array(0), weights: new Float32Array(0) },
      { ...first, masters: Uint16Array.of(0, 1), weights: Float32Array.of(0.2, 0.8) },
      { ...first, masters: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.4) },
    ];
    validateModel(model);
    for (const bone of broken) {
      const blendBones = { ...model.blendBones!, bones: [bone, second] };
      expect(() => validateModel({ ...model, blendBones })).toThrow(refusal('bad-input'));
    }
  });
});
