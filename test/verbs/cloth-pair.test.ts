import { describe, expect, it } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
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
      clip: 'weather',
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
