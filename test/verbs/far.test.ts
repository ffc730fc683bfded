import { describe, expect, it } from 'vitest';
import { fit, memorySequence, readAsset, writeMeshGlb, writeObj, writeSequenceGlb } from '../../src/index.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { binOf, glbOf, jsonOf, readGlb, tubeMesh } from '../io/gltf/fixtures.ts';
import { memoryFiles } from '../io/support.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';

/** A tube of size 1 or so that bends, as far away as some surveys are. */
const AWAY = [1e5, 0, -7e4];
const near = tubeMesh();
const bent = (k: number) => near.positions.map((x, c) => (c % 3 === 0 ? x + 0.05 * k * near.positions[c + 1] ** 2 : x));
const moved = (points: Float32Array) => points.map((x, c) => x + AWAY[c % 3]);
const mesh = { ...near, positions: moved(near.positions) };
const frames = [0, 1, 2, 3].map((k) => moved(bent(k)));
const sequence = memorySequence('tube', mesh, frames);

const largest = (a: Float32Array, b: Float32Array) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

describe('a mesh far from the origin', () => {
  it('is noted when it is read', async () => {
    const files = memoryFiles({ 'tube.obj': writeObj(mesh), 'near.obj': writeObj(near) });
    const { notes } = await readAsset(files, ['tube.obj']);
    expect(notes).toContainEqual(expect.objectContaining({ code: 'far-from-origin' }));
    expect(codesOf((await readAsset(files, ['near.obj'])).notes)).not.toContain('far-from-origin');
  });

  it('is fitted around the origin, below a node that stands where it was', async () => {
    const { file, report, models } = await fit(sequence, { bones: 4, preset: 'fast', baseline: false, glb: {} });
    await expectValidGlb(file!);
    expect(codesOf(report.notes)).toContain('origin-in-node');
    // What float32 left of the motion, and no more.
    const step = 2 ** -7;
    const json = jsonOf(file!);
    const root = json.nodes!.find(({ translation = [0] }) => Math.abs(translation[0]) > 1e4)!;
    expect(root.translation!.map((x, c) => Math.abs(x - AWAY[c]) < 10)).toEqual([true, true, true]);
    const origin = root.translation!;
    delete root.translation;
    const [centred] = (await readGlb(glbOf(json, binOf(file!)))).models;
    const posed = posedSequence(centred, 0, { operator: 'lbs' });
    for (const [k, frame] of frames.entries()) {
      const expected = frame.map((x, c) => x - origin[c % 3]);
      expect(largest(await posed.readFrame(k), expected)).toBeLessThan(3 * step);
    }
    // Models stand where the sequence does.
    const back = posedSequence(models[0], 0, { operator: 'lbs' });
    for (const [k, frame] of frames.entries()) expect(largest(await back.readFrame(k), frame)).toBeLessThan(8 * step);
  });

  it('is written around the origin, and read back equal', async () => {
    const still = await writeMeshGlb(mesh);
    await expectValidGlb(still.bytes);
    expect(codesOf(still.report.notes)).toContain('origin-in-node');
    expect((await readGlb(still.bytes)).meshes[0].positions).toEqual(mesh.positions);
    const moving = await writeSequenceGlb(sequence);
    await expectValidGlb(moving.bytes);
    const [back] = (await readGlb(moving.bytes)).sequences;
    for (const [k, frame] of frames.entries()) expect(await back.readFrame(k)).toEqual(frame);
    const { accessors, meshes } = jsonOf(moving.bytes);
    const { max, min } = accessors![meshes![0].primitives[0].attributes.POSITION];
    expect(Math.max(...max!, ...min!.map(Math.abs))).toBeLessThan(10);
  });
});
