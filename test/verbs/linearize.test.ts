import { describe, expect, it } from 'vitest';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { assetOf } from '../../src/verbs/verb.ts';
import { expectValidGlb } from '../validate-glb.ts';

const tube = sampleTube(120, 6, 24);

describe('linearize', () => {
  it('adds blend bones to every rig, and reports them together', async () => {
    const asset = { ...assetOf(tube), models: [tube, { ...tube, name: 'other' }], meshes: [tube.mesh] };
    const { models, parts, file, report } = await linearize(asset, { blendBones: 2, glb: {} });
    expect(models.map(({ blendBones }) => blendBones?.bones.length)).toEqual([2, 2]);
    expect(parts.map(({ model }) => model)).toEqual(models);
    await expectValidGlb(file!);
    expect(report.figures).toMatchObject({ blendBones: 4, bytes: file?.length });
    expect(report.figures.envelopingErrorPercent).toBeLessThan(report.figures.envelopingErrorLbsPercent!);
    // Two alike: their totals are those of each.
    for (const name of ['envelopingErrorPercent', 'averageInfluencesAfter'] as const) {
      expect(report.figures[name]).toBeCloseTo(report.parts[0].figures![name]!, 9);
    }
    expect(report.clips.map(({ part }) => part)).toEqual(['tube', 'tube', 'tube', 'other', 'other', 'other']);
    expect(report.detail.parts[0].curve).toHaveLength(3);
    expect(report.detail.parts[0].blendBones).toHaveLength(2);
    expect(report.notes).toContainEqual({ code: 'left-out-unskinned', data: { meshes: 1 } });
    expect((await linearize(asset, { object: 'other', blendBones: 1 })).models).toHaveLength(1);
  });

  it('lists clips that it did not measure', async () => {
    const { report } = await linearize(tube, { blendBones: 1, measure: false });
    expect(report.clips.map(({ name, figures }) => [name, figures])).toEqual(
      tube.clips.map(({ name }) => [name, undefined]),
    );
    for (const { duration } of report.clips) expect(duration).toBeGreaterThan(0);
  });

  it('trains with the clips of another asset', async () => {
    const { report } = await linearize(tube, { training: assetOf(tube), trainingFrames: 4, blendBones: 1 });
    expect(report.detail.parts[0].training).toEqual({ source: 'given', frames: 4 });
    const still = assetOf({ ...tube, clips: [] });
    await expect(linearize(tube, { training: still })).rejects.toMatchObject({ code: 'not-found' });
  });
});
