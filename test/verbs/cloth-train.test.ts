import { describe, expect, it, test, vi } from 'vitest';
import { parseContainer } from '../../src/io/gltf/container.ts';
import { emptyAsset } from '../../src/model/asset.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { clothRun } from '../../src/verbs/cloth-run.ts';
import { clothTrain } from '../../src/verbs/cloth-train.ts';
import { ballMotion } from '../cloth/ball.ts';
import { squeezedPair, wavy } from '../cloth/squeezed-pair.ts';
import { readGlb } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';

const assetOf = (...sequences: MeshSequence[]) => ({ ...emptyAsset('test', 0), sequences });
const { coarse, fine } = squeezedPair(wavy, 20);
const caches = { coarse: assetOf(coarse), fine: assetOf(fine) };

/** The same cloth lying elsewhere at rest. */
const restElsewhere = (sequence: MeshSequence): MeshSequence => ({
  ...sequence,
  rest: { ...sequence.rest, positions: sequence.rest.positions.map((x) => x + 5) },
});

describe('clothTrain', () => {
  it('trains on caches by another simulator, and clothRun folds other caches', async () => {
    const { file, report } = await clothTrain([caches], { examples: 8, glb: {} });
    expect(Object.keys(report.detail.heldOut)).toEqual([
      'embed',
      'linear',
      'learned',
      'still',
      'quiet',
      'lively',
      'alone',
    ]);
    expect(report.detail.best).toMatchObject({
      E: expect.any(Number),
      W: expect.any(Number),
      mode: expect.any(String),
    });
    const { json } = parseContainer(file!) as { json: { extensions: Record<string, { accessor: number }> } };
    await expectValidGlb(file!, [`/accessors/${json.extensions.PLIANT_cloth.accessor}`]);
    const trained = await readGlb(file!);
    const other = squeezedPair((t) => 0.1 + 0.05 * Math.cos(2 * t), 9);
    const { sequences, report: ran } = await clothRun(trained, { coarse: assetOf(other.coarse), physics: 'off' });
    expect(ran.detail).toMatchObject({ physics: 'off', method: report.detail.best.method });
    const [found, truth] = await Promise.all([sequences[0].readFrame(5), other.fine.readFrame(5)]);
    expect(Math.max(...found.map((x, c) => Math.abs(x - truth[c])))).toBeLessThan(0.03);
  });

  it('takes first frames where rest poses are far apart', async () => {
    const { report } = await clothTrain([{ coarse: assetOf(coarse), fine: assetOf(restElsewhere(fine)) }], {
      examples: 5,
    });
    expect(report.notes.map(({ code }) => code)).toContain('rest-from-first-frame');
    const moved = memorySequence('moved', fine.rest, [fine.rest.positions.map((x) => x + 5)]);
    const apart = { ...moved, rest: restElsewhere(fine).rest, frameCount: 20, times: fine.times };
    const far = { ...apart, readFrame: async () => moved.readFrame(0) };
    await expect(clothTrain([{ coarse: assetOf(coarse), fine: assetOf(far) }])).rejects.toMatchObject({
      code: 'bad-input',
    });
  });

  it('holds out the last of several motions', async () => {
    const other = squeezedPair((t) => 0.1 + 0.05 * Math.cos(2 * t), 9);
    const second = { coarse: assetOf(other.coarse), fine: assetOf({ ...other.fine, name: 'second' }) };
    const { report } = await clothTrain([caches, second], { examples: 8 });
    expect(report.detail).toMatchObject({ motions: [fine.name], heldOutMotion: 'second' });
    expect(report.figures.frames).toBe(20);
  });

  it('refuses caches without faces', async () => {
    const points = { ...coarse, rest: { ...coarse.rest, triangles: new Uint32Array(0) } };
    await expect(clothTrain([{ ...caches, coarse: assetOf(points) }])).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('leaves pairs open, whatever happens', async () => {
    const close = vi.fn(async () => {});
    const pair = { name: 'pair', coarse: { ...coarse, close }, fine: { ...fine, close } };
    await clothTrain([pair], { examples: 5 });
    await expect(clothTrain([pair], { holdOut: 'nothing' })).rejects.toMatchObject({ option: 'holdOut' });
    await expect(clothTrain([{ coarse: assetOf(pair.coarse), fine: assetOf() }])).rejects.toBeDefined();
    expect(close).not.toHaveBeenCalled();
  });

  it('refuses what is no pair', async () => {
    await expect(clothTrain([{ ...caches, fine: assetOf() }])).rejects.toMatchObject({ code: 'not-found' });
    const short = assetOf(squeezedPair(wavy, 9).fine);
    await expect(clothTrain([{ ...caches, fine: short }])).rejects.toThrow('20 coarse and 9 fine frames');
    await expect(clothTrain([{ ...caches, fine: assetOf(fine, fine) }])).rejects.toMatchObject({ option: 'object' });
  });
});

describe('clothRun with trained cloth', () => {
  const trained = clothTrain([caches], { examples: 5, glb: {} }).then(({ file }) => readGlb(file!));

  it('refuses caches of other meshes, and starts folds anew where one jumps', async () => {
    await expect(clothRun(await trained, { coarse: assetOf(fine) })).rejects.toMatchObject({ option: 'coarse' });
    await expect(clothRun(assetOf(fine), { coarse: assetOf(coarse) })).rejects.toMatchObject({ option: 'coarse' });
    await expect(clothRun(await trained, {})).rejects.toMatchObject({ option: 'body' });
    const useless = { coarse: assetOf(coarse), bending: 1e-5 };
    await expect(clothRun(await trained, useless)).rejects.toMatchObject({ code: 'bad-option', option: 'bending' });
    const jump = async (k: number) => (await coarse.readFrame(k)).map((x) => x + (k > 6 ? 30 : 0));
    const frames = await Promise.all(Array.from({ length: 12 }, (_, k) => jump(k)));
    const { sequences, report } = await clothRun(await trained, {
      coarse: assetOf(memorySequence('jump', coarse.rest, frames)),
      physics: 'quiet',
    });
    expect(report.notes).toMatchObject([{ code: 'coarse-jumps', data: { frames: 1, first: 7 } }]);
    const [before, after] = await Promise.all([fine.readFrame(8), sequences[0].readFrame(8)]);
    expect(Math.max(...after.map((x, c) => Math.abs(x - 30 - before[c])))).toBeLessThan(0.2);
    frames[3][0] = Number.NaN;
    const broken = assetOf(memorySequence('broken', coarse.rest, frames));
    await expect(clothRun(await trained, { coarse: broken })).rejects.toThrow('frame 3');
  });
});

test('clothRun tells where the body of the training is missing, and closes the one that it poses', async () => {
  const dispose = vi.spyOn(Skinner.prototype, 'dispose');
  const body = farFigure();
  const { file } = await clothTrain([{ ...caches, body, clip: 'walk' }], { examples: 5, glb: {} });
  expect(dispose).toHaveBeenCalledTimes(1);
  const trained = await readGlb(file!);
  const codes = async (options: object) =>
    (await clothRun(trained, { coarse: assetOf(coarse), ...options })).report.notes.map(({ code }) => code);
  expect(await codes({})).toContain('cloth-without-body');
  expect(await codes({ body, clip: 'walk' })).not.toContain('cloth-without-body');
  expect(dispose).toHaveBeenCalledTimes(2);
  await expect(codes({ body: farFigure(5), clip: 'walk' })).rejects.toMatchObject({ option: 'body' });
  expect(dispose).toHaveBeenCalledTimes(3);
  dispose.mockRestore();
});

/** A rig that the sheet does not meet. */
function farFigure(frames = 25) {
  const figure = sampleFigure(2500, frames, 24);
  const { mesh } = figure;
  return { ...figure, mesh: { ...mesh, positions: mesh.positions.map((x) => x + 30) } };
}

test('trained cloth without pins can be pinned when it is run', async () => {
  const { file } = await clothTrain([caches], { examples: 5, glb: {} });
  const path = Array.from({ length: 3 }, (_, k): [number, number, number] => [0, -0.5 + 0.01 * k, 0]);
  const body = { ...emptyAsset('test', 0), sequences: [ballMotion(path).sequence] };
  const run = (options: object) => readGlb(file!).then((asset) => clothRun(asset, { body, settle: 0, ...options }));
  const { report } = await run({ pinVertices: '0-17' });
  expect(report.figures).toMatchObject({ pinnedVertices: 18, frames: 3 });
  expect((await run({})).report.notes.map(({ code }) => code)).toContain('no-pins');
  await expect(run({ coarseVertices: 9 })).rejects.toMatchObject({ option: 'coarseVertices' });
});
