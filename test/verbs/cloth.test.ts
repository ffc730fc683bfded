import { describe, expect, it, vi } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { emptyAsset } from '../../src/model/asset.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { type ClothRunOptions, clothRun } from '../../src/verbs/cloth-run.ts';
import { readGlb } from '../io/gltf/fixtures.ts';
import { expectRefusal } from '../refusal.ts';

const figure = sampleFigure(2500, 4, 24);
const cape = sheet('cape', 120, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
const run = (options: Partial<ClothRunOptions>) =>
  clothRun(cape, { body: figure, settle: 0, coarseVertices: 40, ...options });
const codes = ({ report }: Awaited<ReturnType<typeof run>>) => report.notes.map(({ code }) => code);

describe('clothRun', () => {
  it('dresses a rig', async () => {
    const outcome = await run({ clip: 'walk', pinBone: 'chest, shoulder.L', pinDistance: 0.1, framesPerSecond: 24 });
    const { sequences, report } = outcome;
    expect(sequences).toHaveLength(1);
    expect(sequences[0]).toMatchObject({ frameCount: 4, rest: { triangles: cape.triangles } });
    expect(report.detail).toEqual({ clip: 'walk', collider: 'capsules', physics: 'alone' });
    expect(report.figures).toMatchObject({ vertices: cape.positions.length / 3, frames: 4 });
    expect(report.figures.pinnedVertices).toBeGreaterThan(3);
    expect(codes(outcome)).not.toContain('more-clips');
  });

  it('dresses a sequence, by its surface', async () => {
    const body = posedSequence(figure, 'walk');
    const outcome = await run({ body, pinVertices: '0-5' });
    expect(outcome.report.detail.collider).toBe('surface');
    await expectRefusal(run({ body, clip: 'walk' }), 'bad-option', { option: 'clip' });
    await expectRefusal(run({ body, collider: 'capsules' }), 'bad-option', { option: 'collider' });
    await expectRefusal(run({ body, pinBone: 'chest' }), 'bad-option', { option: 'pinBone' });
  });

  it('lasts as long as the clip, and is named after it', async () => {
    const { sequences } = await run({ clip: 'walk', framesPerSecond: 30 }); // 3/24 s are 3¾ frames
    const [{ times, clip }] = sequences;
    expect(clip).toBe('walk');
    expect(times).toHaveLength(5);
    expect(times[4]).toBeCloseTo(3 / 24, 9);
    const { bytes } = await writeSequenceGlb(sequences);
    const read = await readGlb(bytes);
    expect(read.sequences[0]).toMatchObject({ clip: 'walk', frameCount: 5 });
    expect(read.sequences[0].times[4]).toBeCloseTo(3 / 24, 6);
  });

  it('lets go of what poses a rig, and leaves a sequence to who opened it', async () => {
    const dispose = vi.spyOn(Skinner.prototype, 'dispose');
    await run({ clip: 'walk' });
    expect(dispose).toHaveBeenCalledTimes(1);
    await expectRefusal(run({ clip: 'walk', pinVertices: '5000' }), 'bad-option');
    expect(dispose).toHaveBeenCalledTimes(2);
    await run({ body: posedSequence(figure, 'walk') });
    expect(dispose).toHaveBeenCalledTimes(2);
    dispose.mockRestore();
  });

  it('pins faces by the name of their group or material', async () => {
    const material = { name: 'strap', baseColor: [1, 1, 1, 1], metallic: 0, roughness: 1, doubleSided: true } as const;
    const faces = cape.triangles.length / 3;
    const groups = [
      { name: 'top', start: 0, count: 2 },
      { name: 'rest', start: 2, count: 3, material: 0 },
      { name: 'hem', start: 5, count: faces - 5 },
    ];
    const garment = { ...cape, groups, materials: [material] };
    const options = { body: figure, settle: 0, coarseVertices: 40, clip: 'walk' };
    const { report } = await clothRun(garment, { ...options, pinGroup: 'top, strap' });
    expect(report.figures.pinnedVertices).toBe(new Set(cape.triangles.subarray(0, 15)).size);
    await expectRefusal(clothRun(garment, { ...options, pinGroup: 'sleeve' }), 'not-found', { option: 'pinGroup' });
  });

  it('reads garments in other units and axes', async () => {
    const space = { up: 'z', metresPerUnit: 0.01 } as const;
    const positions = cape.positions.map((_, c) => {
      const [x, y, z] = cape.positions.subarray(c - (c % 3), c - (c % 3) + 3);
      return 100 * [x, -z, y][c % 3];
    });
    const options = { body: figure, settle: 0, coarseVertices: 40, pinVertices: '0-5', clip: 'walk' };
    const [a, b] = [await clothRun(cape, options), await clothRun({ ...cape, positions, space }, options)];
    const [p, q] = [await a.sequences[0].readFrame(3), await b.sequences[0].readFrame(3)];
    expect(Math.max(...p.map((x, c) => Math.abs(x - q[c])))).toBeLessThan(0.05); // rounding decides some of the contractions
  });

  it('tells of clips that were not chosen, and of cloth that nothing holds', async () => {
    expect(codes(await run({}))).toEqual(expect.arrayContaining(['more-clips', 'no-pins']));
  });

  it('refuses pins, wind, clips and bodies that do not exist', async () => {
    await expectRefusal(run({ pinBone: 'nose' }), 'not-found', { option: 'pinBone', got: 'nose' });
    await expectRefusal(run({ pinBone: 'foot.L' }), 'bad-option', { option: 'pinBone' });
    await expectRefusal(run({ pinVertices: '5000' }), 'bad-option', { option: 'pinVertices' });
    await expectRefusal(run({ pinColor: 'red' }), 'bad-option', { option: 'pinColor' });
    await expectRefusal(run({ pinColor: '#ff0000' }), 'bad-option', { option: 'pinColor' });
    await expectRefusal(run({ wind: '1,2' }), 'bad-option', { option: 'wind' });
    await expectRefusal(run({ clip: 'fly' }), 'not-found', { option: 'clip', got: 'fly' });
    await expectRefusal(run({ body: { ...figure, clips: [] } }), 'not-found');
    await expectRefusal(run({ body: cape }), 'not-found');
    await expectRefusal(clothRun(emptyAsset('memory', 0), { body: figure }), 'not-found');
  });
});
