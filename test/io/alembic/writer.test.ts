import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/io/files.ts';
import { readAlembic } from '../../../src/io/read-alembic.ts';
import { writeAlembic } from '../../../src/io/write-alembic.ts';
import { vertexNormals } from '../../../src/mesh/normals.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import { type MeshSequence, memorySequence, steadyTimes, validateSequence } from '../../../src/model/sequence.ts';
import { expectRefusal } from '../../refusal.ts';
import { memorySink } from '../support.ts';

const POSITIONS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const TRIANGLES = Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3);
const TETRAHEDRON: Mesh = { positions: POSITIONS, triangles: TRIANGLES };

/** Every corner has a normal and uv of its own. */
const FACETED: Mesh = {
  ...TETRAHEDRON,
  seams: { vertexOf: TRIANGLES.slice(), triangles: TRIANGLES.map((_, c) => c) },
  uvs: Float32Array.from({ length: 24 }, (_, c) => c / 23),
};
FACETED.normals = vertexNormals(FACETED);

const shifted = (k: number): Float32Array => POSITIONS.map((value, c) => value + (c % 3 === 0 ? 0.1 * k : 0));

async function written(sequences: readonly MeshSequence[], options = {}): Promise<Uint8Array> {
  const sink = memorySink();
  const { report } = await writeAlembic(sequences, sink, options);
  const bytes = sink.bytes();
  expect(report.figures).toEqual({ bytes: bytes.length });
  return bytes;
}

async function roundTrip(sequence: MeshSequence, options = {}): Promise<MeshSequence> {
  const asset = await readAlembic(memorySource('a.abc', await written([sequence], options)));
  expect(asset.sequences).toHaveLength(1);
  await validateSequence(asset.sequences[0]);
  return asset.sequences[0];
}

describe('writeAlembic', () => {
  it('what is written is read again: frames, faces, names, even and uneven times', async () => {
    const frames = [0, 1, 2, 2, 3].map(shifted);
    for (const times of [steadyTimes(5, 30), Float64Array.of(0.5, 1, 1.25, 7, 8)]) {
      const back = await roundTrip(memorySequence('tetra', TETRAHEDRON, frames, times));
      expect(back.name).toBe('tetra');
      expect(back.rest.triangles).toEqual(TRIANGLES);
      expect(back.rest.positions).toEqual(frames[0]);
      back.times.forEach((time, k) => {
        expect(time).toBeCloseTo(times[k], 12);
      });
      for (const [k, frame] of frames.entries()) expect(await back.readFrame(k)).toEqual(frame);
    }
  });

  it('colours and further uvs, at vertices and at corners', async () => {
    for (const rest of [TETRAHEDRON, FACETED]) {
      const w = rest.seams?.vertexOf.length ?? 4;
      const values = (size: number) => Float32Array.from({ length: size * w }, (_, c) => (c % 8) / 8);
      const bytes = Uint8Array.from({ length: 4 * w }, (_, c) => c);
      const attributes = {
        COLOR_0: { size: 4, values: bytes, normalized: true },
        COLOR_1: { size: 3, values: values(3) },
        TEXCOORD_1: { size: 2, values: values(2) },
      };
      const { rest: back } = await roundTrip(memorySequence('tetra', { ...rest, attributes }, [0, 1].map(shifted)));
      expect(Object.keys(back.attributes!)).toEqual(['COLOR_0', 'COLOR_1', 'TEXCOORD_1']);
      for (let c = 0; c < TRIANGLES.length; c++) {
        const [from, to] = [rest, back].map((mesh) => (mesh.seams?.triangles ?? mesh.triangles)[c]);
        const row = (array: ArrayLike<number>, size: number, at: number) =>
          Array.from({ length: size }, (_, k) => array[size * at + k]);
        expect(row(back.attributes!.COLOR_1.values, 3, to)).toEqual(row(attributes.COLOR_1.values, 3, from));
        expect(row(back.attributes!.TEXCOORD_1.values, 2, to)).toEqual(row(attributes.TEXCOORD_1.values, 2, from));
        expect(row(back.attributes!.COLOR_0.values, 4, to)).toEqual(
          row(bytes, 4, from).map((x) => expect.closeTo(x / 255, 6)),
        );
      }
    }
  });

  it('uvs and normals, at vertices and at corners', async () => {
    const smooth: Mesh = { ...TETRAHEDRON, uvs: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1) };
    smooth.normals = vertexNormals(smooth);
    for (const rest of [smooth, FACETED]) {
      const frames = [0, 1].map(shifted);
      const back = await roundTrip(memorySequence('m', rest, frames));
      const split = (mesh: Mesh) => mesh.seams?.triangles ?? mesh.triangles;
      expect(back.rest.seams === undefined).toBe(rest.seams === undefined);
      for (let c = 0; c < TRIANGLES.length; c++) {
        const [a, b] = [split(rest)[c], split(back.rest)[c]];
        expect([...back.rest.uvs!.subarray(2 * b, 2 * b + 2)]).toEqual([...rest.uvs!.subarray(2 * a, 2 * a + 2)]);
        for (let x = 0; x < 3; x++) expect(back.rest.normals![3 * b + x]).toBeCloseTo(rest.normals![3 * a + x], 6);
      }
    }
    const without = await roundTrip(memorySequence('m', FACETED, [0, 1].map(shifted)), { normals: false });
    expect(without.rest.normals).toBeUndefined();
  });

  it('groups are face sets', async () => {
    const rest: Mesh = {
      ...TETRAHEDRON,
      groups: [
        { name: 'skin', start: 0, count: 3 },
        { name: 'eye/left', start: 3, count: 1 },
      ],
    };
    const back = await roundTrip(memorySequence('m', rest, [0, 1].map(shifted)));
    expect(back.rest.groups?.map(({ name, start, count }) => [name, start, count])).toEqual([
      ['skin', 0, 3],
      ['eye_left', 3, 1],
    ]);
    expect(back.rest.triangles).toEqual(TRIANGLES);
  });

  it('several sequences, with names that differ', async () => {
    const names = ['a', 'a', '', 'x/y'];
    const bytes = await written(names.map((name) => memorySequence(name, TETRAHEDRON, [0, 1].map(shifted))));
    const { sequences } = await readAlembic(memorySource('a.abc', bytes));
    expect(sequences.map(({ name }) => name)).toEqual(['a', 'a-2', 'mesh', 'x_y']);
  });

  it('equal frames, and equal faces of several meshes, are written once', async () => {
    const positions = new Float32Array(30_000).map((_, c) => Math.sin(c));
    const mesh: Mesh = { positions, triangles: Uint32Array.from({ length: 30_000 }, (_, c) => c % 10_000) };
    const one = await written([memorySequence('a', mesh, [positions])]);
    const frames = Array.from({ length: 50 }, () => positions);
    const two = await written([memorySequence('a', mesh, frames), memorySequence('b', mesh, frames)]);
    expect(two.length - one.length).toBeLessThan(2_000);
  });

  it('the same input gives the same bytes', async () => {
    const sequence = memorySequence('m', FACETED, [0, 1, 2].map(shifted));
    expect(await written([sequence])).toEqual(await written([sequence]));
  });

  it('counts as unfinished until the end, and can be cancelled', async () => {
    const sink = memorySink();
    const controller = new AbortController();
    const sequence = memorySequence('m', TETRAHEDRON, [0, 1, 2].map(shifted));
    const onProgress = (done: number) => done === 2 && controller.abort();
    await expectRefusal(writeAlembic([sequence], sink, { signal: controller.signal, onProgress }), 'cancelled');
    const bytes = await written([sequence]);
    bytes[5] = 0;
    await expectRefusal(readAlembic(memorySource('a.abc', bytes)), 'bad-file', { file: 'a.abc', offset: 5 });
  });

  it('says which axis is up where programs would guess wrongly', async () => {
    const rest: Mesh = { ...TETRAHEDRON, space: { up: 'z', metresPerUnit: 1 } };
    const { report } = await writeAlembic([memorySequence('m', rest, [POSITIONS])], memorySink());
    expect(report.notes).toEqual([note('space-lost', { format: 'abc', space: rest.space! }, 'm')]);
  });

  it('refuses to write nothing', async () => {
    await expectRefusal(writeAlembic([], memorySink()), 'bad-input');
  });
});
