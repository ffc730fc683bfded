import { describe, expect, it } from 'vitest';
import { splitVertices } from '../../../src/mesh/seams.ts';
import { textureUvs } from '../../../src/mesh/texture-uvs.ts';
import { note } from '../../../src/model/note.ts';
import { Bin, largestDistance, PNG, readGlb } from './fixtures.ts';
import { TRIANGLE } from './triangle.ts';

describe('how numbers are stored', () => {
  it('sparse accessors, with and without a base', async () => {
    const bin = new Bin();
    const sparse = {
      count: 1,
      indices: { bufferView: bin.view(Uint8Array.of(2)), componentType: 5121 },
      values: { bufferView: bin.view(Float32Array.of(7, 8, 9)) },
    };
    const based = bin.add('VEC3', TRIANGLE, { sparse });
    const bare = bin.accessors.push({ componentType: 5126, count: 3, type: 'VEC3', sparse }) - 1;
    const read = async (POSITION: number) => {
      const json = { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION } }] }] };
      return [...splitVertices((await readGlb(bin.glb(json))).meshes[0]).positions];
    };
    expect(await read(based)).toEqual([0, 0, 0, 1, 0, 0, 7, 8, 9]);
    expect(await read(bare)).toEqual([0, 0, 0, 0, 0, 0, 7, 8, 9]);
  });

  it('quantised and normalised integers, interleaved', async () => {
    const bytes = new Uint8Array(3 * 12);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 3; i++) {
      [100 * i, 200, 300 + i].forEach((x, c) => {
        view.setInt16(12 * i + 2 * c, x, true);
      });
      [0, 127, 0].forEach((x, c) => {
        view.setInt8(12 * i + 8 + c, x);
      });
    }
    const bin = new Bin();
    const bufferView = bin.view(bytes, { byteStride: 12 });
    const POSITION = bin.accessors.push({ bufferView, componentType: 5122, count: 3, type: 'VEC3' }) - 1;
    const NORMAL =
      bin.accessors.push({ bufferView, byteOffset: 8, componentType: 5120, normalized: true, count: 3, type: 'VEC3' }) -
      1;
    const file = bin.glb({
      extensionsUsed: ['KHR_mesh_quantization'],
      extensionsRequired: ['KHR_mesh_quantization'],
      nodes: [{ mesh: 0, scale: [0.01, 0.01, 0.01] }],
      meshes: [{ primitives: [{ attributes: { POSITION, NORMAL } }] }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    expect(largestDistance(mesh.positions, [0, 2, 3, 1, 2, 3.01, 2, 2, 3.02])).toBeLessThan(1e-6);
    expect([...mesh.normals!]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('files beside the glTF, and data URIs', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', TRIANGLE);
    const data = bin.data();
    const base = {
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION }, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      textures: [{ source: 0 }],
    };
    const text = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
    const beside = text(
      bin.json({
        ...base,
        buffers: [{ uri: 'sub/mesh%201.bin', byteLength: data.length }],
        images: [{ uri: 'a.png' }],
      }),
    );
    const files = { 'folder/sub/mesh 1.bin': data, 'folder/a.png': PNG };
    const external = await readGlb(beside, files, 'folder/file.gltf');
    expect(external.format).toBe('glTF 2.0 (JSON)');
    expect(external.bytes).toBe(beside.length + data.length);
    expect(external.meshes[0].materials![0].baseColorTexture).toEqual({ mimeType: 'image/png', bytes: PNG });

    const base64 = btoa(String.fromCharCode(...data));
    const uri = `data:application/octet-stream;base64,${base64}`;
    const image = { uri: `data:image/png;base64,${btoa(String.fromCharCode(...PNG))}` };
    const inside = await readGlb(
      text(bin.json({ ...base, buffers: [{ uri, byteLength: data.length }], images: [image] })),
    );
    expect(inside.meshes).toEqual(external.meshes);

    const missing = await readGlb(beside, { 'folder/sub/mesh 1.bin': data }, 'folder/file.gltf');
    expect(missing.notes).toEqual([note('image-missing', { image: 0, file: 'a.png' })]);
    await expect(readGlb(beside, {}, 'folder/file.gltf')).rejects.toMatchObject({
      code: 'not-found',
      file: 'folder/file.gltf',
      message: expect.stringContaining('folder/sub/mesh 1.bin'),
    });
  });

  it('a texture transform, which other formats take from the uvs', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', TRIANGLE);
    const TEXCOORD_1 = bin.add('VEC2', Float32Array.of(0, 0, 1, 0, 0, 1));
    const transform = { offset: [0.5, 0.25], rotation: Math.PI / 2, scale: [2, 4], texCoord: 1 };
    const file = bin.glb({
      extensionsRequired: ['KHR_texture_transform'],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION, TEXCOORD_1 }, material: 0 }] }],
      materials: [
        { pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: transform } } } },
      ],
      textures: [{ source: 0 }],
      images: [{ bufferView: bin.view(PNG), mimeType: 'image/png' }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    // u' = c·2u + s·4v + 0.5, v' = −s·2u + c·4v + 0.25, and v up.
    const expected = [0.5, 0.75, 0.5, 2.75, 4.5, 0.75];
    expect([...textureUvs(mesh)!]).toEqual(expected.map((x) => expect.closeTo(x, 5)));
  });
});
