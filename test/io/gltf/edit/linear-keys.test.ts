import { Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import { comparePlayers, type Moment } from '../../../../bench/engines/moments.ts';
import { RIG_FILES } from '../../../../bench/engines/rig-files.ts';
import { threePlayer } from '../../../../bench/engines/three-player.ts';
import { openGlb } from '../../../../bench/engines/verbs.ts';
import { writeModelGlb } from '../../../../src/io/write-glb.ts';
import { convert } from '../../../../src/verbs/convert.ts';
import { linearize } from '../../../../src/verbs/linearize.ts';
import { compareGltf, unexpected } from '../../../gltf-edit/compare-gltf.ts';
import { smallSample } from '../../../rig/linearize-rigs.ts';
import { newIssues } from '../../../validate-glb.ts';
import { binOf, jsonOf } from '../fixtures.ts';

const splines = RIG_FILES.find(({ name }) => name.startsWith('cubic'))!.make();
const plain = RIG_FILES[0].make();

const straight = async (glb: Uint8Array, linearKeys: number) =>
  convert(await openGlb(glb), { format: 'glb', linearKeys });

/** Many times of every clip, which lie on no keys. */
const moments = jsonOf(splines).animations!.flatMap((_, clip) =>
  Array.from({ length: 97 }, (__, s): Moment => ({ clip, time: (s * Math.SQRT2) / 97, onKey: false })),
);

describe('linear keys', () => {
  it.each([0.1, 0.01])('play as the splines do, within %d percent of the diagonal', async (percent) => {
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

  it('are near enough for programs that blend quaternions by their components', async () => {
    const { file } = await straight(plain, 0.01);
    expect(largestLag(plain)).toBeGreaterThan(1e-3);
    expect(largestLag(file!)).toBeLessThan(1e-4);
    const { between } = await comparePlayers(await threePlayer(file!), await threePlayer(plain), moments.slice(0, 97));
    expect(between).toBeLessThan(1e-4);
  });

  it('are all frames, also where the file said which were', async () => {
    // Two poses far apart: blend bones need a key between them.
    const { bytes } = await writeModelGlb([await smallSample('tube', 150, 2)]);
    const { file: linearized } = await linearize(await openGlb(bytes), {
      operator: 'dib',
      blendBones: 4,
      training: 'clips',
      glb: {},
    });
    const saidOf = (glb: Uint8Array) => jsonOf(glb).animations![0].extras;
    expect(saidOf(linearized!)).toEqual({ pliant: { between: [1] } });
    const { file } = await straight(linearized!, 0.01);
    expect(saidOf(file!)).toEqual({ pliant: {} });
  });

  it('are the file itself where it has enough', async () => {
    const { file, report } = await straight(plain, 1);
    expect(file).toEqual((await convert(await openGlb(plain), { format: 'glb' })).file);
    expect(report.notes).toEqual([expect.objectContaining({ data: { tracks: 0, keysBefore: 0, keysAfter: 0 } })]);
  });

  it('are refused where nothing is packed, and where they would be too many', async () => {
    const asset = await openGlb(splines);
    await expect(convert(asset, { format: 'abc', linearKeys: 0.1 })).rejects.toMatchObject({ option: 'linearKeys' });
    await expect(straight(splines, 1e-9)).rejects.toMatchObject({ code: 'bad-option', option: 'linearKeys' });
  });
});

/**
 * How far blending of components, as in Blender, is from spherical blending on the tracks of rotations, at most, in radians.
 */
function largestLag(glb: Uint8Array): number {
  const json = jsonOf(glb);
  let largest = 0;
  for (const { channels, samplers } of json.animations!) {
    for (const { sampler, target } of channels) {
      if (target.path !== 'rotation') continue;
      const { bufferView, byteOffset = 0, count } = json.accessors![samplers[sampler].output];
      const start = byteOffset + (json.bufferViews![bufferView!].byteOffset ?? 0);
      const values = new Float32Array(binOf(glb).slice(start, start + 16 * count).buffer);
      for (let o = 0; o + 4 < values.length; o += 4) {
        const [a, b] = [new Quaternion().fromArray(values, o), new Quaternion().fromArray(values, o + 4)];
        for (const s of [0.1, 0.2, 0.3, 0.7]) {
          const blended = new Quaternion().fromArray(
            [0, 1, 2, 3].map((c) => (1 - s) * values[o + c] + s * values[o + 4 + c]),
          );
          const [p, q] = [blended.normalize().toArray(), a.clone().slerp(b, s).toArray()];
          largest = Math.max(largest, 2 * Math.hypot(...p.map((x, c) => x - q[c])));
        }
      }
    }
  }
  return largest;
}
