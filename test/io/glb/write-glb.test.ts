import { describe, expect, it } from 'vitest';
import type { GlbOptions } from '../../../src/io/glb/options.ts';
import { writeMeshGlb, writeSequenceGlb } from '../../../src/io/write-glb.ts';
import { vertexNormals } from '../../../src/mesh/normals.ts';
import type { Material, Mesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import { memorySequence } from '../../../src/model/sequence.ts';
import { flipped, grid, icosphere } from '../../mesh/shapes.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { jsonOf, largestDistance, readGlb, tubeMesh } from '../gltf/fixtures.ts';
import { expectSameMesh } from './round-trip.ts';

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
    expect(report.figures).toMatchObject({ frames: 5 });
  });

  it('writes changes of normals when asked', async () => {
    const rest = tubeMesh();
    const sequence = memorySequence('bend', rest, bending(rest, 2));
    const { bytes } = await writeSequenceGlb(sequence, { morphNormals: true });
    await expectValidGlb(bytes);
    expect(Object.keys(jsonOf(bytes).meshes![0].primitives[0].targets![0])).toEqual(['POSITION', 'NORMAL']);
  });

  it('gives a sequence without normals some only where they follow the surface', async () => {
    const { normals: _, ...rest } = tubeMesh();
    const sequence = memorySequence('bend', rest, bending(rest, 2));
    const attributes = async (morphNormals: boolean) => {
      const { bytes } = await writeSequenceGlb(sequence, { morphNormals });
      await expectValidGlb(bytes);
      const [{ attributes, targets }] = jsonOf(bytes).meshes![0].primitives;
      return ['NORMAL' in attributes, 'NORMAL' in targets![0]];
    };
    expect(await attributes(false)).toEqual([false, false]);
    expect(await attributes(true)).toEqual([true, true]);
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
    expect(meshes[1].normals!.length).toBe(bare.positions.length);
    expect(meshes[1].materials).toEqual([]);
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
    expect(report.notes).toEqual([note('normals-replaced', { count: 2 }, 'tube')]);
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

describe('what players show of a mesh that says little', () => {
  const jsonAndBack = async (mesh: Mesh, options: Partial<GlbOptions> = {}) => {
    const { bytes } = await writeMeshGlb(mesh, options);
    await expectValidGlb(bytes);
    return { json: jsonOf(bytes), mesh: (await readGlb(bytes)).meshes[0] };
  };
  const plain = (doubleSided: boolean) => ({
    name: 'plain',
    pbrMetallicRoughness: { baseColorFactor: [0.6, 0.6, 0.6, 1], metallicFactor: 0, roughnessFactor: 0.8 },
    ...(doubleSided && { doubleSided }),
  });

  it.each([
    { what: 'open', mesh: grid(2, 2), doubleSided: true },
    { what: 'closed', mesh: icosphere(1), doubleSided: false },
    { what: 'inside out', mesh: flipped(icosphere(1)), doubleSided: true },
  ])('$what: a plain material, which is read as none', async ({ mesh, doubleSided }) => {
    const written = await jsonAndBack(mesh);
    expect(written.json.materials).toEqual([plain(doubleSided)]);
    expect(written.json.meshes![0].primitives[0].material).toBe(0);
    expect([written.mesh.materials, written.mesh.groups![0].material]).toEqual([[], undefined]);
    const nameless = await jsonAndBack(mesh, { names: false });
    expect(nameless.mesh.materials).toEqual([]);
    expect((await jsonAndBack(mesh, { materials: false })).json.materials).toBeUndefined();
  });

  it('keeps materials, and gives the plain one to groups without', async () => {
    const red: Material = { ...tubeMesh().materials![0], name: 'red', baseColorTexture: undefined };
    const groups = [
      { name: 'red', start: 0, count: 2, material: 0 },
      { name: 'bare', start: 2, count: 3 },
      { name: 'bare too', start: 5, count: 3 },
    ];
    const { json, mesh } = await jsonAndBack({ ...grid(2, 2), groups, materials: [red] });
    expect(json.meshes![0].primitives.map(({ material }) => json.materials![material!].name)).toEqual([
      'red',
      'plain',
      'plain',
    ]);
    expect(json.materials).toHaveLength(2);
    expect(mesh.groups).toEqual(groups);
    expect(mesh.materials).toMatchObject([{ name: 'red', doubleSided: red.doubleSided }]);
  });

  it('meshes share the plain material of their kind', async () => {
    const { bytes } = await writeMeshGlb([grid(1, 1), icosphere(0), grid(2, 1), icosphere(1)]);
    const { meshes, materials } = jsonOf(bytes);
    expect(meshes!.map(({ primitives }) => primitives[0].material)).toEqual([0, 1, 0, 1]);
    expect(materials).toEqual([plain(true), plain(false)]);
  });

  it('a plain material that somebody changed is a material', async () => {
    for (const change of [{ roughness: 0.5 }, { baseColor: [1, 0, 0, 1] as const }, { name: 'mine' }]) {
      const material: Material = {
        name: 'plain',
        baseColor: [0.6, 0.6, 0.6, 1],
        metallic: 0,
        roughness: 0.8,
        doubleSided: true,
      };
      const groups = [{ name: 'all', start: 0, count: 8, material: 0 }];
      const { mesh } = await jsonAndBack({ ...grid(2, 2), groups, materials: [{ ...material, ...change }] });
      expect(mesh.materials).toMatchObject([change]);
    }
  });

  it('smooth normals, unless told not to', async () => {
    const sphere = icosphere(1);
    const { mesh } = await jsonAndBack(sphere);
    expect(largestDistance(mesh.normals!, vertexNormals(sphere))).toBeLessThan(1e-6);
    expect((await jsonAndBack(sphere, { normals: false })).mesh.normals).toBeUndefined();
  });
});
