import { beforeAll, describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { emptyAsset } from '../../src/model/asset.ts';
import { drive } from '../../src/verbs/drive.ts';
import { fit } from '../../src/verbs/fit.ts';
import { type LearnOutcome, learn } from '../../src/verbs/learn.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { memoryFiles } from '../io/support.ts';
import { codesOf } from '../notes.ts';

const sheet = bendingSheet(8, 5, 10);
const FEW = { bones: 5, given: { points: [0, 40], names: ['corner', 'edge'] } };
let learned: LearnOutcome;

beforeAll(async () => {
  learned = await learn(sheet, { ...FEW, glb: {} });
});

describe('learn', () => {
  it('reports its points, bones and error', async () => {
    const { report, file, models } = learned;
    expect(report.figures).toMatchObject({ bones: 5, controlPoints: 2, bytes: file!.length });
    expect(report.figures.leaveOneOutRmsePercent).toBeGreaterThan(0);
    expect(report.detail.controlPoints).toMatchObject([
      { name: 'corner', vertex: 0 },
      { name: 'edge', vertex: 40 },
    ]);
    expect(report.detail.given).toEqual(['points', 'names']);
    expect(report.clips).toMatchObject([{ frames: report.detail.exampleFrames.length }]);
    expect(models[0].clips).toHaveLength(1);
    expect(codesOf(report.notes)).not.toContain('names-in-order');
  });

  it('takes the bones of a rig, which bring their own number', async () => {
    const { models } = await fit(sheet, { bones: 4, kind: 'rigid', preset: 'fast' });
    const rig = { ...emptyAsset('memory', 0), models };
    const { report } = await learn(sheet, { rig, points: 2, given: { names: ['a', 'b'] } });
    expect(report.figures.bones).toBe(4);
    expect(codesOf(report.notes)).toContain('names-in-order');
    await expect(learn(sheet, { rig, bones: 3 })).rejects.toMatchObject({ code: 'bad-option', option: 'bones' });
    const two = { ...rig, name: 'two.glb', models: [...models, ...models] };
    await expect(learn(sheet, { rig: two })).rejects.toMatchObject({ code: 'bad-input', file: 'two.glb' });
    await expect(learn(sheet, { rig: emptyAsset('memory', 0) })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('drive', () => {
  it('follows moves, paths and sequences, in memory as from the file', async () => {
    const { predictor } = learned;
    const by = await drive(predictor, { by: [{ name: 'edge', offset: [0, 0, 0.1] }], framesPerSecond: 4 });
    expect(by.report.clips).toMatchObject([{ frames: 5, duration: 1 }]);
    const offsets = Array.from({ length: 5 }, (_, k) => [[0, 0, (0.1 * k) / 4]]);
    const path = { points: ['edge'], times: [0, 0.25, 0.5, 0.75, 1], offsets };
    const along = await drive(predictor, { points: path });
    expect(await along.sequences[0].readFrame(4)).toEqual(await by.sequences[0].readFrame(4));
    const motion = { ...emptyAsset('memory', 0), sequences: [sheet] };
    const asset = await readGltf(memorySource('sheet.glb', learned.file!), memoryFiles({}), 'sheet.glb');
    const driven = await drive(asset, { points: motion, clip: 'take', glb: {} });
    expect(driven.sequences[0].frameCount).toBe(10);
    expect(driven.models[0].clips[0].name).toBe('take');
    expect(codesOf(driven.report.notes)).toContain('players-blend-linearly');
    expect(driven.report.figures.bytes).toBe(driven.file!.length);
  });

  it('refuses no path, two, or one of another mesh', async () => {
    const { predictor } = learned;
    const refused = { code: 'bad-option', option: 'points' };
    await expect(drive(predictor)).rejects.toMatchObject(refused);
    await expect(drive(predictor, { by: [], points: {} })).rejects.toMatchObject(refused);
    const other = { ...emptyAsset('memory', 0), sequences: [bendingSheet(2, 2, 3)] };
    await expect(drive(predictor, { points: other })).rejects.toMatchObject({ code: 'bad-input', option: 'points' });
    await expect(drive(emptyAsset('memory', 0), {})).rejects.toMatchObject({ code: 'not-found' });
  });
});
