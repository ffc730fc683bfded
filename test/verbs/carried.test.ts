import { describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { readBytes } from '../../src/model/bytes.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { pointNames } from '../../src/model/predictor.ts';
import { drive } from '../../src/verbs/drive.ts';
import { fit } from '../../src/verbs/fit.ts';
import { learn } from '../../src/verbs/learn.ts';
import { binOf, glbOf, jsonOf, readGlb, richTube, tubeModel } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';

/** A character with five textures, two sets of uvs, colours and tangents. */
const character = async () => readGlb((await writeModelGlb({ ...tubeModel(), mesh: richTube() })).bytes);

function expectSameLooks(got: Mesh, expected: Mesh): void {
  expect(got.materials).toEqual(expected.materials);
  expect(got.attributes).toEqual(expected.attributes);
  expect(got.uvs!.length).toBe(expected.uvs!.length);
  for (const [c, x] of got.uvs!.entries()) expect(x).toBeCloseTo(expected.uvs![c], 6);
}

describe('what materials and vertices say', () => {
  it('stays through fit, at its size and small', async () => {
    const asset = await character();
    const [{ mesh }] = asset.models;
    const { file, report } = await fit(asset, { bones: 3, preset: 'fast', glb: {}, baseline: false });
    await expectValidGlb(file!);
    expectSameLooks((await readGlb(file!)).models[0].mesh, mesh);
    expect(codesOf(report.notes)).not.toContain('tangents-left-out');

    const glb = { names: true, quantize: true, compress: 'meshopt', reorder: true } as const;
    const small = await fit(asset, { bones: 3, preset: 'fast', glb, baseline: false });
    await expectValidGlb(small.file!);
    const [again] = (await readGlb(small.file!)).models;
    expect(again.mesh.materials).toEqual(mesh.materials);
    expect(Object.keys(again.mesh.attributes!)).toEqual(Object.keys(mesh.attributes!));
  });

  it('stays without tangents in another rest pose, which a note says', async () => {
    const asset = await character();
    const { models, report } = await fit(asset, { bones: 3, preset: 'fast', restFrame: 2 });
    const { TANGENT: _, ...others } = asset.models[0].mesh.attributes!;
    expect(models[0].mesh.attributes).toEqual(others);
    expect(report.notes).toContainEqual(note('tangents-left-out', {}, models[0].name));
  });

  it('stays through learn and drive, with each picture once in the file', async () => {
    const asset = await character();
    const [{ mesh }] = asset.models;
    const { file } = await learn(asset, { points: 2, bones: 3, glb: {} });
    const json = jsonOf(file!);
    const { accessor } = json.extensions!.PLIANT_predictor as { accessor: number };
    await expectValidGlb(file!, [`/accessors/${accessor}`]);
    const learned = await readGlb(file!);
    expectSameLooks(learned.models[0].mesh, mesh);
    expectSameLooks(learned.predictors![0].mesh, mesh);
    expect(json.images?.length).toBe(4);
    const bytes = Array.from(file!).join();
    const [{ bytes: picture }] = mesh.materials![0].gltf!.images;
    // Four pictures of the same bytes, and none in the predictor.
    expect(bytes.split(Array.from(await readBytes(picture)).join()).length - 1).toBe(4);

    const [predictor] = learned.predictors!;
    const driven = await drive(predictor, { by: [{ name: pointNames(predictor)[0], offset: [0, 0.1, 0] }], glb: {} });
    expectSameLooks((await readGlb(driven.file!)).models[0].mesh, mesh);
  });

  it('is named where it does not stay', async () => {
    const { bytes } = await writeModelGlb({ ...tubeModel(), mesh: richTube() });
    const json = jsonOf(bytes);
    const [primitive] = json.meshes![0].primitives;
    primitive.extensions = { KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }] } };
    json.extensions = { KHR_materials_variants: { variants: [{ name: 'painted' }] } };
    json.materials![0].extensions!.VRMC_materials_mtoon = { shadeMultiplyTexture: { index: 0 } };
    json.extensionsUsed!.push('KHR_materials_variants', 'VRMC_materials_mtoon');
    const asset = await readGlb(glbOf(json, binOf(bytes)));
    const { models, report } = await fit(asset, { bones: 3, preset: 'fast' });
    const { extensions } = models[0].mesh.materials![0].gltf!.material as { extensions: object };
    expect(Object.keys(extensions)).toContain('VRMC_materials_mtoon');
    const [rebuilt] = report.notes.filter(({ code }) => code === 'rebuilt');
    expect(rebuilt.data).toMatchObject({ extensions: ['KHR_materials_variants'] });
  });

  it('stays with each of several parts', async () => {
    const asset = await character();
    const [model] = asset.models;
    const mesh = { ...model.mesh, materials: [], groups: undefined, attributes: undefined };
    const plain = { ...model, name: 'plain', mesh };
    const both = { ...asset, models: [model, plain], source: undefined };
    const { file } = await learn(both, { points: 2, bones: 3, glb: {} });
    const learned = await readGlb(file!);
    expect(learned.models.map(({ name }) => name)).toEqual([model.name, 'plain']);
    expectSameLooks(learned.models[0].mesh, model.mesh);
    expect(learned.predictors!.length).toBe(1);
  });
});
