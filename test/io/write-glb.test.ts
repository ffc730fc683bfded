import { describe, expect, it } from 'vitest';
import { writeMeshGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { expectSameMesh } from './glb-round-trip.ts';
import { jsonOf, largestDistance, readGlb, tubeMesh } from './gltf-fixtures.ts';

/** The tube, bending more and more: P frames. */
function bending(mesh: Mesh, frames: number): Float32Array[] {
  return Array.from({ length: frames }, (_, k) =>
    mesh.positions.map((x, c) => (c % 3 === 0 ? x + 0.1 * (k + 1) * mesh.positions[c + 1] ** 2 : x)),
  );
}

describe('writeSequenceGlb', () => {
  it.each(['none', 'meshopt'] as const)('write, then read, gives the same sequence: compress %s', async (compress) => {
    const rest = tubeMesh();
    const frames = bending(rest, 5);
    const times = Float64Array.of(0, 0.25, 0.5, 1, 2);
    const { bytes, report } = await writeSequenceGlb(memorySequence('bend', rest, frames, times), { compress });
    await expectValidGlb(bytes);
    const asset = await readGlb(bytes);
    expect(asset.notes).toEqual([]);
    const [got] = asset.sequences;
    expect(got.name).toBe('bend');
    expect(got.times).toEqual(times);
    expectSameMesh(got.rest, rest);
    for (let k = 0; k < 5; k++) expect(largestDistance(await got.readFrame(k), frames[k])).toBeLessThan(1e-6);
    expect(jsonOf(bytes).meshes![0].extras).toEqual({
      targetNames: ['frame 0', 'frame 1', 'frame 2', 'frame 3', 'frame 4'],
    });
    expect(report.figures).toContainEqual({ name: 'frames of bend', value: 5, unit: '' });
  });

  it('writes changes of normals when asked', async () => {
    const rest = tubeMesh();
    const sequence = memorySequence('bend', rest, bending(rest, 2));
    const { bytes } = await writeSequenceGlb(sequence, { morphNormals: true });
    await expectValidGlb(bytes);
    expect(Object.keys(jsonOf(bytes).meshes![0].primitives[0].targets![0])).toEqual(['POSITION', 'NORMAL']);
  });

  it('writes several sequences, converts their space, reports progress and can be cancelled', async () => {
    const rest: Mesh = { ...tubeMesh(), space: { up: 'z', metresPerUnit: 1 } };
    const frames = bending(rest, 3);
    const two = [memorySequence('a', rest, frames), memorySequence('b', tubeMesh(3), bending(tubeMesh(3), 3))];
    const seen: number[] = [];
    const { bytes } = await writeSequenceGlb(two, { onProgress: (done) => seen.push(done) });
    await expectValidGlb(bytes);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [a, b] = (await readGlb(bytes)).sequences;
    expect([a.name, b.name]).toEqual(['a', 'b']);
    const [x, y, z] = frames[1].subarray(27, 30);
    const point = (await a.readFrame(1)).subarray(27, 30);
    expect(largestDistance(point, [x, z, -y])).toBeLessThan(1e-6);
    await expect(writeSequenceGlb(two, { signal: { aborted: true } as AbortSignal })).rejects.toThrow(
      'writeSequenceGlb: cancelled',
    );
  });

  it('refuses what no GLB can hold', async () => {
    const huge = { ...memorySequence('huge', tubeMesh(), []), frameCount: 10_000_000 };
    await expect(writeSequenceGlb(huge)).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('writeMeshGlb', () => {
  it('write, then read, gives the same meshes: groups, materials, pictures, seams', async () => {
    const bare = { name: 'bare', positions: tubeMesh().positions, triangles: tubeMesh().triangles };
    const { bytes } = await writeMeshGlb([tubeMesh(), bare]);
    await expectValidGlb(bytes);
    const { meshes, notes } = await readGlb(bytes);
    expect(notes).toEqual([]);
    expectSameMesh(meshes[0], tubeMesh());
    expect(meshes[1].positions).toEqual(bare.positions);
    expect(meshes[1].normals).toBeUndefined();
  });

  it('leaves out what it is told to', async () => {
    const options = { normals: false, uvs: false, materials: false };
    const { bytes } = await writeMeshGlb(tubeMesh(), options);
    await expectValidGlb(bytes);
    const { meshes, materials, images } = jsonOf(bytes);
    expect(Object.keys(meshes![0].primitives[0].attributes)).toEqual(['POSITION']);
    expect([materials, images]).toEqual([undefined, undefined]);
  });

  it('writes a unit normal where a mesh has none, and says so', async () => {
    const mesh = tubeMesh();
    mesh.normals!.fill(0, 0, 6);
    const { bytes, report } = await writeMeshGlb(mesh);
    await expectValidGlb(bytes);
    expect(report.notes).toEqual(['tube: 2 normals had no length and were written as +z.']);
  });

  it('uses 32-bit indices only when it must', async () => {
    const indexKind = async (mesh: Mesh) => {
      const json = jsonOf((await writeMeshGlb(mesh)).bytes);
      return json.accessors![json.meshes![0].primitives[0].indices!].componentType;
    };
    expect(await indexKind(tubeMesh())).toBe(5123);
    expect(await indexKind(tubeMesh(700, 99))).toBe(5125);
  });
});
