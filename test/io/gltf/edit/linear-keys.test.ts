import { describe, expect, it } from 'vitest';
import { comparePlayers, type Moment } from '../../../../bench/engines/moments.ts';
import { RIG_FILES } from '../../../../bench/engines/rig-files.ts';
import { threePlayer } from '../../../../bench/engines/three-player.ts';
import { openGlb } from '../../../../bench/engines/verbs.ts';
import { convert } from '../../../../src/verbs/convert.ts';
import { compareGltf, unexpected } from '../../../gltf-edit/compare-gltf.ts';
import { newIssues } from '../../../validate-glb.ts';
import { jsonOf } from '../fixtures.ts';

const splines = RIG_FILES.find(({ name }) => name.startsWith('cubic'))!.make();
const plain = RIG_FILES[0].make();

const straight = async (glb: Uint8Array, linearKeys: number) =>
  convert(await openGlb(glb), { format: 'glb', linearKeys });

/** Many times of every clip, which lie on no keys. */
const moments = jsonOf(splines).animations!.flatMap((_, clip) =>
  Array.from({ length: 97 }, (__, s): Moment => ({ clip, time: (s * Math.SQRT2) / 97, onKey: false })),
);

describe('cubic splines as linear keys', () => {
  it.each([0.1, 0.01])('play as the splines do, to %d %% of the diagonal', async (percent) => {
    const { file, report } = await straight(splines, percent);
    const { between } = await comparePlayers(await threePlayer(file!), await threePlayer(splines), moments);
    // A limit for each track alone; tracks of one chain add up, but none reaches as far as the diagonal.
    expect(between).toBeLessThan(percent);
    expect(between).toBeGreaterThan(percent / 100);
    expect(report.notes).toEqual([expect.objectContaining({ code: 'linear-keys' })]);
  });

  it('change nothing else', async () => {
    const { file } = await straight(splines, 0.05);
    const { animations } = jsonOf(file!);
    expect(animations!.flatMap(({ samplers }) => samplers).some((each) => each.interpolation === 'CUBICSPLINE')).toBe(
      false,
    );
    expect(jsonOf(splines).animations!.map(({ channels }) => channels)).toEqual(
      animations!.map((each) => each.channels),
    );
    const allowed = ['input', 'output', 'interpolation'].map((name) => `changed animations/*/samplers/*/${name}`);
    expect(unexpected(compareGltf(splines, file!), allowed)).toEqual([]);
    expect(await newIssues(splines, file!)).toEqual([]);
  });

  it('are the file itself where there are none', async () => {
    const { file, report } = await straight(plain, 0.05);
    expect(file).toEqual((await convert(await openGlb(plain), { format: 'glb' })).file);
    expect(report.notes).toEqual([expect.objectContaining({ data: { tracks: 0, keysBefore: 0, keysAfter: 0 } })]);
  });

  it('are refused where nothing is packed, and where they would be too many', async () => {
    const asset = await openGlb(splines);
    await expect(convert(asset, { format: 'abc', linearKeys: 0.1 })).rejects.toMatchObject({ option: 'linearKeys' });
    await expect(straight(splines, 1e-9)).rejects.toMatchObject({ code: 'bad-option', option: 'linearKeys' });
  });
});
