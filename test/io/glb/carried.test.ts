import { describe, expect, it } from 'vitest';
import { writeMeshGlb } from '../../../src/io/write-glb.ts';
import { transformMesh } from '../../../src/mesh/transform-mesh.ts';
import { readBytes } from '../../../src/model/bytes.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { Bin, binOf, jsonOf, PNG, readGlb, richTube, tubeMesh, tubeModel } from '../gltf/fixtures.ts';
import { expectSameMesh, written } from './round-trip.ts';

/** What materials and vertices of a glTF can say, through the nouns and back. */

const richModel = () => ({ ...tubeModel(), mesh: richTube() });

describe('materials', () => {
  it('come back as they were, with all textures, samplers, extensions and extras', async () => {
    const model = richModel();
    const { bytes, asset } = await written(model);
    expectSameMesh(asset.models[0].mesh, model.mesh);
    const { images, textures, extensionsUsed, extensionsRequired } = jsonOf(bytes);
    expect([images?.length, textures?.length]).toEqual([4, 5]);
    expect(extensionsUsed).toEqual(['KHR_texture_transform', 'KHR_materials_clearcoat', 'KHR_materials_ior']);
    expect(extensionsRequired).toBeUndefined();
    expect(asset.notes).toEqual([]);
  });

  it('are the same file when written, read and written again', async () => {
    const { bytes, asset } = await written(richModel());
    expect((await written(asset.models)).bytes).toEqual(bytes);
  });

  it('share pictures, textures and samplers, as long as bytes are the same', async () => {
    const mesh = richTube();
    const copy = { ...mesh, materials: structuredClone(mesh.materials) };
    const other = { ...mesh, materials: mesh.materials!.map((each) => ({ ...each, name: `${each.name} 2` })) };
    const { bytes } = await writeMeshGlb([mesh, other, copy]);
    const { images, textures, samplers, materials } = jsonOf(bytes);
    expect([images?.length, materials?.length]).toEqual([8, 6]);
    expect([textures?.length, samplers?.length]).toEqual([10, 2]);
  });

  it('keep changes of the fields that all materials have', async () => {
    const mesh = richTube();
    const [skin, paint] = mesh.materials!;
    const changed = {
      ...skin,
      baseColor: [1, 0, 0, 1],
      roughness: 0,
      doubleSided: false,
      alphaMode: undefined,
    } as const;
    const { bytes } = await writeMeshGlb({ ...mesh, materials: [{ ...changed, baseColorTexture: undefined }, paint] });
    await expectValidGlb(bytes);
    const [material] = jsonOf(bytes).materials!;
    const { baseColorTexture, ...pbr } = material.pbrMetallicRoughness!;
    expect(pbr).toMatchObject({ baseColorFactor: [1, 0, 0, 1], roughnessFactor: 0 });
    expect(baseColorTexture).toBeUndefined();
    expect(material).toMatchObject({ doubleSided: false, alphaMode: 'OPAQUE', normalTexture: { scale: 0.5 } });
    expect(jsonOf(bytes).images?.length).toBe(4);
  });

  it('keep pictures of other formats byte for byte, and say who must know them', async () => {
    const ktx = Uint8Array.from([0xab, ...new TextEncoder().encode('KTX 20'), 0xbb, 13, 10, 26, 10, 1, 2, 3]);
    const webp = new TextEncoder().encode('RIFF0000WEBPVP8 ');
    const bin = new Bin();
    const POSITION = bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), { min: [0, 0, 0], max: [1, 1, 0] });
    const TEXCOORD_0 = bin.add('VEC2', Float32Array.of(0, 0, 1, 0, 0, 1));
    const views = [ktx, PNG, webp].map((bytes) => ({ bufferView: bin.view(bytes) }));
    const file = bin.glb({
      extensionsUsed: ['KHR_texture_basisu', 'EXT_texture_webp'],
      extensionsRequired: ['KHR_texture_basisu'],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION, TEXCOORD_0 }, material: 0 }] }],
      materials: [{ name: 'm', emissiveTexture: { index: 0 }, normalTexture: { index: 1 } }],
      textures: [
        { extensions: { KHR_texture_basisu: { source: 0 } } },
        { source: 1, extensions: { EXT_texture_webp: { source: 2 } } },
      ],
      images: views.map((view, i) => ({ ...view, mimeType: ['image/ktx2', 'image/png', 'image/webp'][i] })),
    });
    const { meshes } = await readGlb(file);
    const { images } = meshes[0].materials![0].gltf!;
    const pictures = await Promise.all(images.map(({ bytes }) => readBytes(bytes)));
    expect(pictures.map((bytes) => [...bytes])).toEqual([ktx, PNG, webp].map((bytes) => [...bytes]));
    // Parts of the file, not copies.
    expect(new Set(pictures.map(({ buffer }) => buffer)).size).toBe(1);

    const { bytes } = await writeMeshGlb(meshes);
    const json = jsonOf(bytes);
    expect([json.extensionsUsed, json.extensionsRequired]).toEqual([
      ['KHR_texture_basisu', 'EXT_texture_webp'],
      ['KHR_texture_basisu'],
    ]);
    const again = await readGlb(bytes);
    expect(again.meshes[0].materials).toEqual(meshes[0].materials);
    expect(binOf(bytes).join()).toContain(ktx.join());
  });

  it('leave out a texture whose picture is missing, and extensions that name other things', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
    const extensions = { MSFT_lod: { ids: [0] }, KHR_materials_ior: { ior: 1.5 } };
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION }, material: 0 }] }],
      materials: [{ name: 'm', normalTexture: { index: 0 }, extensions }],
      textures: [{ source: 0 }],
      images: [{ uri: 'gone.png' }],
    });
    const { meshes, notes } = await readGlb(file);
    expect(meshes[0].materials![0].gltf!.material).toEqual({
      name: 'm',
      extensions: { KHR_materials_ior: { ior: 1.5 } },
    });
    expect(notes).toEqual([note('image-missing', { image: 0, file: 'gone.png' })]);
  });

  it('refuse a texture that the file does not have, wherever it is named', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
    for (const material of [
      { normalTexture: { index: 1 } },
      { extensions: { KHR_materials_sheen: { sheenColorTexture: { index: -1 } } } },
    ]) {
      const file = bin.glb({
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION }, material: 0 }] }],
        materials: [material],
        textures: [{ source: 0 }],
        images: [{ uri: 'a.png' }],
      });
      await expect(readGlb(file)).rejects.toMatchObject({ code: 'bad-file' });
    }
  });
});

describe('vertex attributes', () => {
  it('keep how they are stored, unless they are to be quantized', async () => {
    const model = richModel();
    const plain = await written(model);
    expect(plain.asset.models[0].mesh.attributes).toEqual(model.mesh.attributes);

    for (const compress of ['none', 'meshopt'] as const) {
      const small = await written(model, { quantize: true, compress });
      const got = small.asset.models[0].mesh.attributes!;
      expect(got.COLOR_0).toEqual(model.mesh.attributes!.COLOR_0);
      expect(got.TEXCOORD_1).toEqual(model.mesh.attributes!.TEXCOORD_1);
      expect(got.COLOR_1.values).toEqual(
        Uint8Array.from(model.mesh.attributes!.COLOR_1.values, (x) => Math.round(255 * x)),
      );
    }
  });

  it('follow vertices into another order', async () => {
    const model = richModel();
    const { asset, bytes } = await written(model, { reorder: true });
    const order = new Map<string, number>();
    const key = ({ uvs, normals }: Mesh, w: number) =>
      [...uvs!.subarray(2 * w, 2 * w + 2), ...normals!.subarray(3 * w, 3 * w + 3)].map((x) => x.toFixed(4)).join();
    const { mesh } = model;
    for (let w = 0; w < mesh.uvs!.length / 2; w++) order.set(key(mesh, w), w);
    const got = asset.models[0].mesh;
    for (let w = 0; w < got.uvs!.length / 2; w++) {
      const from = order.get(key(got, w))!;
      expect(got.attributes!._HEAT.values[w]).toBe(mesh.attributes!._HEAT.values[from]);
    }
    expect(bytes.length).toBeGreaterThan(0);
  });

  it('that only some primitives have are 0 elsewhere, colours white, tangents gone', async () => {
    const bin = new Bin();
    const positions = () =>
      bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), { min: [0, 0, 0], max: [1, 1, 0] });
    const more = {
      COLOR_0: bin.add('VEC3', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), { normalized: true }),
      TANGENT: bin.add('VEC4', Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1)),
      _A: bin.add('SCALAR', Uint16Array.of(7, 8, 9)),
      _M: bin.add('MAT4', new Float32Array(48)),
    };
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      meshes: [
        {
          primitives: [
            { attributes: { POSITION: positions(), ...more } },
            { attributes: { POSITION: positions(), COLOR_0: bin.add('VEC4', new Float32Array(12).fill(0.5)) } },
            { attributes: { POSITION: positions() } },
          ],
        },
      ],
    });
    const { meshes, notes } = await readGlb(file);
    const { COLOR_0, _A, ...others } = meshes[0].attributes!;
    expect(others).toEqual({});
    expect(_A).toEqual({ size: 1, values: Uint16Array.of(7, 8, 9, 0, 0, 0, 0, 0, 0) });
    const bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((x) => x / 255);
    const first = [0, 1, 2].flatMap((i) => [...bytes.slice(3 * i, 3 * i + 3), 1]);
    expect(COLOR_0).toEqual({
      size: 4,
      values: Float32Array.from([...first, ...new Array(12).fill(0.5), ...new Array(12).fill(1)]),
    });
    expect(notes).toEqual([note('not-read', { what: 'vertex-attributes', names: ['TANGENT', '_M'] }, 'mesh 0')]);
  });

  it('show as they are on triangles without a material', async () => {
    const { materials: _, groups: __, ...mesh } = richTube();
    const { bytes } = await writeMeshGlb([mesh, { ...mesh, attributes: undefined }]);
    const colours = jsonOf(bytes).materials!.map(({ pbrMetallicRoughness }) => pbrMetallicRoughness?.baseColorFactor);
    expect(colours).toEqual([undefined, [0.6, 0.6, 0.6, 1]]);
    expect((await readGlb(bytes)).meshes.map(({ materials }) => materials)).toEqual([[], []]);
  });

  it('turn with the mesh where they are tangents', () => {
    const mesh = tubeMesh();
    const w = mesh.uvs!.length / 2;
    const values = Float32Array.from({ length: 4 * w }, (_, c) => [1, 0, 0, 1][c % 4]);
    const turned = transformMesh(
      { ...mesh, attributes: { TANGENT: { size: 4, values } } },
      [0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0],
    );
    // A mirror: the tangent goes along, the bitangent changes sides.
    expect([...turned.attributes!.TANGENT.values.subarray(0, 4)]).toEqual([0, 1, 0, -1]);
  });
});
