import { describe, expect, it } from 'vitest';
import { emptyAsset } from '../../src/model/asset.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { type FitVerbOptions, fit } from '../../src/verbs/fit.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';

const sheet = bendingSheet(8, 5, 6);
const tube = { ...emptyAsset('memory', 0), name: 'tube.glb', models: [sampleTube(120, 4, 24)] };
const twoRigs = { ...tube, name: 'two.glb', models: [...tube.models, ...tube.models] };
const QUICK = { preset: 'fast', bones: 4 } as const;

describe('fit', () => {
  it('takes a sequence, and reports figures, clips and parts', async () => {
    const { models, file, result, report } = await fit(sheet, QUICK);
    expect(file).toBeUndefined();
    expect(models).toHaveLength(1);
    const { rmsePercent } = result.errors;
    const vertices = vertexCount(sheet.rest);
    expect(report.figures).toMatchObject({ bones: 4, influences: 4, frames: 6, vertices, rmsePercent });
    expect(report.clips).toEqual([{ name: sheet.name, frames: 6, duration: sheet.times[5] - sheet.times[0] }]);
    expect(report.parts).toMatchObject([{ vertices, bones: 4, influences: 4 }]);
    expect(report.detail).toMatchObject({ kind: 'trs', missed: false });
    expect(report.detail.perFrame.rmsePercent).toHaveLength(6);
  });

  it('writes the GLB when asked to, and compares it with morph targets', async () => {
    const { file, baseline, report } = await fit(sheet, { ...QUICK, glb: {} });
    await expectValidGlb(file!);
    expect(report.figures).toMatchObject({ bytes: file!.length, morphBytes: baseline!.bytes });
    expect(report.detail.morphBytesEstimated).toBe(false);
    const small = await fit(sheet, { ...QUICK, glb: { weights: 'u8', compress: 'meshopt' }, baseline: false });
    expect(small).not.toHaveProperty('baseline');
    expect(small.report.figures.bytes).toBe(small.file!.length);
    expect(small.report.figures).not.toHaveProperty('morphBytes');
    expect(small.file!.length).toBeLessThan(file!.length);
    expect(Object.keys(report.seconds)).toEqual(expect.arrayContaining(['solve', 'write', 'compare']));
  });

  it('fits several inputs together, and the clips of a rig', async () => {
    const two = await fit([sheet, { ...sheet, name: 'again' }], QUICK);
    expect(two.report.clips.map(({ name }) => name)).toEqual([sheet.name, 'again']);
    const first = await fit(tube, QUICK);
    expect(first.report.detail.clip).toBe('bend');
    expect(codesOf(first.report.notes)).toContain('more-clips');
    const named = await fit(tube, { ...QUICK, clips: ['bend', 'twist'] });
    expect(named.report.clips.map(({ name }) => name)).toEqual(['bend', 'twist']);
    expect(codesOf(named.report.notes)).not.toContain('more-clips');
  });

  it('fits the meshes of a scene together, and gives each its own model', async () => {
    const other = { ...bendingSheet(4, 3, 6), name: 'other' };
    const still = { ...sheet.rest, name: 'floor' };
    const scene = { ...emptyAsset('memory', 0), sequences: [sheet, other], meshes: [still] };
    const { models, report } = await fit(scene, QUICK);
    expect(models.map(({ name }) => name)).toEqual([sheet.name, 'other']);
    expect(models[0].skeleton).toBe(models[1].skeleton);
    expect(report.notes).toContainEqual({ code: 'left-out-still', data: {}, about: 'floor' });
    const one = await fit(scene, { ...QUICK, object: 'other' });
    expect(one.models.map(({ name }) => name)).toEqual(['other']);
  });

  it.each(['weights', 'transforms'] as const)('keeps the %s of a rig', async (lock) => {
    const { result, report } = await fit(tube, { rig: tube, lock, operator: 'lbs', kind: 'affine' });
    expect(result.report.given).toEqual([lock]);
    expect(report.figures.rmsePercent).toBeLessThan(0.01);
  });

  it('keeps the weights of a rig unless told otherwise', async () => {
    const { report } = await fit(tube, { rig: tube, operator: 'lbs', kind: 'affine' });
    expect(report.detail.given).toEqual(['weights']);
  });

  it('takes nothing as given that is undefined', async () => {
    const { report } = await fit(sheet, { ...QUICK, given: { weights: undefined } });
    expect(report.detail.given).toEqual([]);
  });

  const refusals: [string, FitVerbOptions, object][] = [
    ['two targets', { bones: 3, maxError: 1 }, { code: 'bad-option', option: 'maxError' }],
    ['bones beside a rig', { bones: 3, rig: tube }, { code: 'bad-option', option: 'bones' }],
    ['a target beside a rig', { maxSize: 1e6, rig: tube }, { code: 'bad-option', option: 'maxSize' }],
    ['influences beside weights', { influences: 2, rig: tube }, { code: 'bad-option', option: 'influences' }],
    ['a lock without a rig', { lock: 'weights' }, { code: 'bad-option', option: 'lock' }],
    ['a file with two rigs', { rig: twoRigs }, { code: 'bad-input', option: undefined, file: 'two.glb' }],
    ['a clip of a sequence', { clips: ['walk'] }, { code: 'bad-option', option: 'clip' }],
    ['a rig of another mesh', { rig: tube, lock: 'weights' }, { code: 'bad-input', file: 'tube.glb' }],
    ['an object that does not exist', { object: 'zzz' }, { code: 'not-found', option: 'object', got: 'zzz' }],
  ];
  it.each(refusals)('refuses %s', async (_, options, facts) =>
    expect(fit(sheet, options)).rejects.toMatchObject({ operation: 'fit', ...facts }),
  );

  it('refuses what does not move', async () => {
    await expect(fit(sheet.rest)).rejects.toMatchObject({ code: 'not-found', operation: 'fit' });
    const points = { ...sheet, rest: { ...sheet.rest, triangles: new Uint32Array() } };
    await expect(fit(points)).rejects.toMatchObject({ code: 'bad-input' });
  });
});
