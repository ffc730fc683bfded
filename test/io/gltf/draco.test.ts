import { describe, expect, it } from 'vitest';
import { dracoGlb } from '../../../bench/engines/compressed.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { splitVertices } from '../../../src/mesh/seams.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { binOf, glbOf, jsonOf, readGlb, tubeModel } from './fixtures.ts';

const model = tubeModel();
const plain = (await writeModelGlb(model)).bytes;
const compressed = await dracoGlb(plain);

/** The corners of all triangles, sorted: Draco gives vertices and triangles another order. */
const corners = (mesh: Mesh): number[][] => {
  const { positions, triangles } = splitVertices(mesh);
  const rows = Array.from(triangles, (w) => [
    ...positions.subarray(3 * w, 3 * w + 3),
    ...mesh.uvs!.subarray(2 * w, 2 * w + 2),
  ]);
  const rounded = rows.map((row) => row.map((x) => Math.round(200 * x) / 200 + 0));
  return rounded.sort((a, b) => a.map((x, c) => x - b[c]).find((difference) => difference !== 0) ?? 0);
};

describe('Draco', () => {
  it('is read like the uncompressed file, but for its quantization', async () => {
    expect(jsonOf(compressed).extensionsRequired).toEqual(['KHR_draco_mesh_compression']);
    const [got] = (await readGlb(compressed)).models;
    const [expected] = (await readGlb(plain)).models;
    expect(got.mesh.triangles.length).toBe(expected.mesh.triangles.length);
    expect(got.mesh.groups).toEqual(expected.mesh.groups);
    const [a, b] = [corners(got.mesh), corners(expected.mesh)];
    const farthest = Math.max(...a.flatMap((row, r) => row.map((x, c) => Math.abs(x - b[r][c]))));
    expect(farthest / diagonalOf(model.mesh.positions)).toBeLessThan(0.01);
    expect(got.clips.map(({ name }) => name)).toEqual(expected.clips.map(({ name }) => name));
  });

  it('is passed over where the file has the same data uncompressed', async () => {
    const json = jsonOf(plain);
    for (const { primitives } of json.meshes!) {
      for (const primitive of primitives) {
        primitive.extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };
      }
    }
    const { models } = await readGlb(glbOf({ ...json, extensionsUsed: ['KHR_draco_mesh_compression'] }, binOf(plain)));
    expect(models[0].mesh.positions).toEqual((await readGlb(plain)).models[0].mesh.positions);
  });

  it('that is damaged or lies about its size is one error', async () => {
    type Change = (json: ReturnType<typeof jsonOf>, bin: Uint8Array) => void;
    const view = (json: ReturnType<typeof jsonOf>) => {
      const { extensions, attributes } = json.meshes![0].primitives[0];
      const draco = extensions!.KHR_draco_mesh_compression as {
        bufferView: number;
        attributes: Record<string, number>;
      };
      return { draco, attributes, ...json.bufferViews![draco.bufferView] };
    };
    const changes: Change[] = [
      (json, bin) => bin.fill(0, view(json).byteOffset ?? 0, (view(json).byteOffset ?? 0) + 16),
      (json, bin) => bin.fill(255, (view(json).byteOffset ?? 0) + 11, (view(json).byteOffset ?? 0) + 60),
      (json) => json.accessors![view(json).attributes.POSITION].count--,
      (json) => Object.assign(view(json).draco.attributes, { POSITION: 77 }),
      (json) => Object.assign(view(json).draco, { bufferView: 999 }),
      (json) => Object.assign(json.bufferViews![view(json).draco.bufferView], { byteLength: 20 }),
    ];
    for (const change of changes) {
      const [json, bin] = [jsonOf(compressed), binOf(compressed)];
      change(json, bin);
      await expect(readGlb(glbOf(json, bin))).rejects.toMatchObject({ code: 'bad-file', file: 'folder/file.glb' });
      // The decoder still works afterwards.
      expect((await readGlb(compressed)).models.length).toBe(1);
    }
  });
});
