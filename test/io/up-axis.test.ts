import { describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { note } from '../../src/model/note.ts';
import { measure } from '../../src/verbs/measure.ts';
import { pc2File } from './cache-fixtures.ts';
import { largestDistance, readGlb } from './gltf/fixtures.ts';
import { memoryFiles } from './support.ts';

/** A pyramid that stands on z = 0, in centimetres, as Blender would write it. */
const STANDING = 'v -50 -50 0\nv 50 -50 0\nv 0 50 0\nv 0 0 180\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';
const FRAMES = [0, 1].map((by) => [-50, -50, by, 50, -50, by, 0, 50, by, 0, 0, 180 + by]);

const read = (options: object, files: Record<string, Uint8Array | string> = { 'a.obj': STANDING }) =>
  readAsset(memoryFiles(files), Object.keys(files), options);

describe('up axis and unit of a file that does not say', () => {
  it('are kept with every mesh and applied where glTF is written', async () => {
    const { meshes, space, notes } = await read({ up: 'z', scale: 0.01 });
    expect(space).toEqual({ up: 'z', metresPerUnit: 0.01 });
    expect(notes).toEqual([]);
    expect(meshes[0].positions[11]).toBe(180);
    const [written] = (await readGlb((await writeMeshGlb(meshes[0])).bytes)).meshes;
    expect(largestDistance(written.positions.subarray(9), [0, 1.8, 0])).toBeLessThan(1e-6);
  });

  it('are kept with a cache', async () => {
    const { sequences } = await read({ up: 'z' }, { 'a.obj': STANDING, 'a.pc2': pc2File(FRAMES) });
    expect(sequences[0].rest.space).toEqual({ up: 'z', metresPerUnit: 1 });
    expect((await sequences[0].readFrame(1))[11]).toBe(181);
  });

  it('come with a hint where a mesh seems to stand on z = 0', async () => {
    expect((await read({})).notes).toEqual([note('maybe-z-up', {})]);
    const upright = STANDING.replace(/v (\S+) (\S+) (\S+)/g, 'v $1 $3 $2');
    expect((await read({}, { 'a.obj': upright })).notes).toEqual([]);
  });

  it('are not taken from anyone but a file that says them', async () => {
    const { bytes } = await writeMeshGlb((await read({})).meshes[0]);
    const asset = await readAsset(memoryFiles({ 'a.glb': bytes }), ['a.glb'], { up: 'z' });
    expect(asset.notes).toEqual([note('own-space', { space: { up: 'y', metresPerUnit: 1 } })]);
    expect(asset.meshes[0].space).toEqual({ up: 'y', metresPerUnit: 1 });
  });

  it('let `measure` compare files that have different ones', async () => {
    const original = await read({ up: 'z', scale: 0.01 });
    const approximation = await readGlb((await writeMeshGlb(original.meshes[0])).bytes);
    const { report } = await measure([original, approximation]);
    expect(report.figures.maxErrorPercent).toBeLessThan(1e-4);
  });
});
