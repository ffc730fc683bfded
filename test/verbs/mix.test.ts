import { describe, expect, it } from 'vitest';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { type MixVerbOptions, mix } from '../../src/verbs/mix.ts';
import { mixExperiment } from '../../src/verbs/mix-experiment.ts';
import { assetOf } from '../../src/verbs/verb.ts';

const tube = sampleTube(200, 6, 24);
const posesOf = async (options: MixVerbOptions) => (await mix(tube, options)).report.detail.parts[0].poses;

describe('mix', () => {
  it('mixes every rig, or the one that is named', async () => {
    const asset = { ...assetOf(tube), models: [tube, { ...tube, name: 'other' }] };
    const { models, parts, report } = await mix(asset, { poses: 2, object: 'other' });
    expect(models.map(({ operator }) => operator)).toEqual(['lbs', 'mix']);
    expect(parts.map(({ model }) => model.name)).toEqual(['other']);
    const { solved, rivals, keeps } = report.detail.parts[0];
    expect(keeps).toBe('volume');
    for (const { terms } of rivals) expect(solved.terms.energy).toBeLessThanOrEqual(terms.energy);
    expect(report.figures.energy).toBe(solved.terms.energy);
  });

  it('is judged by clips, joints that bend, and the range of motion', async () => {
    expect(await posesOf({ clips: ['bend'], poses: 3 })).toEqual(['bend, frame 0', 'bend, frame 3', 'bend, frame 5']);
    expect(await posesOf({ joints: ['bone3'], axis: 'x', poses: 2 })).toEqual(['bone3, frame 0', 'bone3, frame 1']);
    expect(await posesOf({ rangeOfMotion: true })).toHaveLength(12);
    expect(await posesOf({ poses: 1 })).toHaveLength(3);
  });

  it.each<[string, object, MixVerbOptions]>([
    [
      'a clip that is not there',
      { code: 'not-found', option: 'clip', candidates: expect.arrayContaining(['bend']) },
      { clips: ['bent'] },
    ],
    ['a joint that is not there', { code: 'not-found', option: 'joint' }, { joints: ['bone9'] }],
    ['areas of a surface', { code: 'bad-input' }, { keep: 'area' }],
  ])('refuses %s', async (_, error, options) => {
    await expect(mix(tube, options)).rejects.toMatchObject(error);
  });

  it('needs a motion', async () => {
    await expect(mix({ ...tube, clips: [] })).rejects.toMatchObject({ code: 'not-found', reason: 'needs-motion' });
  });

  it('bends a rectangle under all mixes', async () => {
    const { report } = await mixExperiment({ columns: 24, rows: 6, angleStep: Math.PI / 4 });
    expect(report.detail.degrees).toEqual([0, 45, 90, 135, 180]);
    expect(report.detail.studies.map(({ rig, smooth }) => [rig, smooth.length])).toEqual([
      ['points', 25],
      ['segments', 25],
    ]);
  });
});
