import { describe, expect, it, vi } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { type ClothPairOptions, clothPair } from '../../src/verbs/cloth-pair.ts';
import { expectRefusal } from '../refusal.ts';

const figure = sampleFigure(2500, 3, 30);
const cape = sheet('cape', 100, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
const QUICK: ClothPairOptions = { settle: 0, coarseVertices: 20, pinVertices: '0-5' };

describe('clothPair', () => {
  it('simulates a garment in several motions of a rig, on one coarse mesh', async () => {
    const { pairs, rig, report } = await clothPair(cape, { ...QUICK, body: figure, clip: 'walk, dance' });
    expect(pairs.map(({ name }) => name)).toEqual(['walk', 'dance']);
    expect(rig?.clips.map(({ name }) => name)).toEqual(['walk', 'dance']);
    expect(pairs[1].coarse.rest).toBe(pairs[0].coarse.rest);
    expect(pairs[0].body?.sequence.frameCount).toBe(3);
    expect(report.detail).toEqual({ motions: [{ name: 'walk' }, { name: 'dance' }] });
    expect(report.figures).toMatchObject({ frames: 6, pinnedVertices: 6 });
    expect(report.clips.map(({ figures }) => figures?.frames)).toEqual([3, 3]);
  });

  it('takes all clips, a sequence, or no body at all', async () => {
    const all = await clothPair(cape, { ...QUICK, body: { ...figure, clips: figure.clips.slice(0, 2) } });
    expect(all.pairs.map(({ name }) => name)).toEqual(['exercise', 'jumping-jacks']);
    const worn = await clothPair(cape, { ...QUICK, body: posedSequence(figure, 'walk') });
    expect(worn.pairs[0].body?.rig).toBeUndefined();
    const blown = await clothPair(cape, { ...QUICK, wind: '2,0,1', seconds: 0.1 });
    expect(blown.pairs.map(({ name, fine }) => [name, fine.frameCount])).toEqual([['wind', 3]]);
  });

  it('hands pairs over one by one, and then lets go of the body', async () => {
    const dispose = vi.spyOn(Skinner.prototype, 'dispose');
    const names: string[] = [];
    const { pairs, report } = await clothPair(cape, {
      ...QUICK,
      body: figure,
      clip: 'walk,dance',
      async onPair({ pair, figures, rig }) {
        await pair.body!.sequence.readFrame(2);
        names.push(`${pair.name} ${figures.frames} of ${rig!.clips.length}`);
      },
    });
    expect(names).toEqual(['walk 3 of 2', 'dance 3 of 2']);
    expect(pairs).toEqual([]);
    expect(report.figures.frames).toBe(6);
    expect(report.parts.map(({ name }) => name)).toEqual(['fine', 'coarse']);
    expect(dispose).toHaveBeenCalledTimes(2);
    await expectRefusal(clothPair(cape, { ...QUICK, body: figure, clip: 'walk', pinVertices: '999' }), 'bad-option');
    expect(dispose).toHaveBeenCalledTimes(3);
    dispose.mockRestore();
  });

  it('tells of cloth that falls, and of a garment that is no finer than its coarse mesh', async () => {
    const codes = async (options: ClothPairOptions) =>
      (await clothPair(cape, { settle: 0, seconds: 0.1, ...options })).report.notes.map(({ code }) => code);
    expect(await codes({ coarseVertices: 20 })).toEqual(['falls-freely']);
    expect(await codes({ coarse: cape, pinVertices: '0-5' })).toEqual(['pair-not-finer']);
  });

  it('takes a coarse mesh, pinned where the garment is', async () => {
    const coarse = sheet('coarse', 24, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
    const { pairs } = await clothPair(cape, { ...QUICK, coarse, seconds: 0.1 });
    expect(pairs[0].coarse.rest.positions).toEqual(coarse.positions);
    expect(pairs[0].pinned!.coarse.length).toBeGreaterThan(1);
    const far = { ...coarse, positions: coarse.positions.map((x) => x + 2) };
    await expectRefusal(clothPair(cape, { ...QUICK, coarse: far, seconds: 0.1 }), 'bad-input');
  });

  it('plays scenes by name, and leaves the motion to report for later', async () => {
    const { pairs, report } = await clothPair('flag', {
      vertices: 60,
      coarseVertices: 12,
      settle: 0,
      framesPerSecond: 5,
    });
    expect(report.detail.scene).toBe('flag');
    expect(pairs.map(({ use }) => use)).toEqual(['train', 'train', 'train', 'choose']);
    const { pairs: asked } = await clothPair('flag', {
      vertices: 60,
      coarseVertices: 12,
      settle: 0,
      clip: 'bluster',
      framesPerSecond: 2,
    });
    expect(asked.map(({ use }) => use)).toEqual(['report']);
  });

  it('refuses options that mean nothing', async () => {
    await expectRefusal(clothPair('drag', { wind: '1,0,0' }), 'bad-option', { option: 'wind' });
    await expectRefusal(clothPair('drag', { body: figure }), 'bad-option', { option: 'body' });
    await expectRefusal(clothPair('drag', { clip: 'fly' }), 'not-found', { option: 'clip' });
    await expectRefusal(clothPair(cape, { vertices: 100 }), 'bad-option', { option: 'vertices' });
    await expectRefusal(clothPair(cape, { clip: 'walk' }), 'bad-option', { option: 'clip' });
    await expectRefusal(clothPair(cape, { body: figure, seconds: 1 }), 'bad-option', { option: 'seconds' });
    await expectRefusal(clothPair(cape, { body: figure, clip: 'walk,fly' }), 'not-found', { option: 'clip' });
  });
});
