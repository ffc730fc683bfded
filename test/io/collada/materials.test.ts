import { describe, expect, it } from 'vitest';
import { readAsset } from '../../../src/io/read-asset.ts';
import { linearFromSrgb } from '../../../src/io/srgb.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { validateMesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { PNG, readGlb } from '../gltf/fixtures.ts';
import { memoryFiles } from '../support.ts';
import { colladaFile, fileWithEffect as fileWith } from './fixtures.ts';

const open = async (dae: string, files: Record<string, Uint8Array> = {}) => {
  const all = { 'f/a.dae': new TextEncoder().encode(dae), ...files };
  const { models, notes } = await readAsset(memoryFiles(all), ['f/a.dae']);
  const [model] = models;
  validateMesh(model.mesh);
  return { model, material: model.mesh.materials![0], notes };
};

describe('materials of a COLLADA file', () => {
  it('have the colours of their effects', async () => {
    const { material, notes } = await open(
      fileWith(`<emission><color>0 0.5 1 1</color></emission><diffuse><color>1 0.5 0 1</color></diffuse>
<transparent opaque="A_ONE"><color>1 1 1 1</color></transparent><transparency><float>0.25</float></transparency>`),
    );
    const half = expect.closeTo(linearFromSrgb(0.5), 6);
    expect(material).toMatchObject({ name: 'Linen', baseColor: [1, half, 0, 0.25], metallic: 0, alphaMode: 'BLEND' });
    expect(material.gltf!.material.emissiveFactor).toEqual([0, half, 1]);
    expect(notes).toEqual([]);
  });

  it('have pictures, by a sampler or directly, and keep them in a GLB', async () => {
    for (const name of ['p', 'picture']) {
      const dae = fileWith(`<diffuse><texture texture="${name}" texcoord="UV"/></diffuse>`);
      const { model, material, notes } = await open(dae, { 'f/red cloth.png': PNG });
      expect(material.baseColorTexture).toEqual({ name: 'red cloth.png', mimeType: 'image/png', bytes: PNG });
      expect(notes).toEqual([]);
      const { bytes } = await writeModelGlb(model);
      await expectValidGlb(bytes);
      expect((await readGlb(bytes)).models[0].mesh.materials).toEqual(model.mesh.materials);
    }
  });

  it('name what is missing or cannot be carried', async () => {
    const { material, notes } = await open(
      fileWith('<diffuse><texture texture="p"/></diffuse><specular><texture texture="p"/></specular>'),
    );
    expect(material.baseColorTexture).toBeUndefined();
    expect(notes).toEqual([
      note('not-read', { what: 'textures', names: ['specular'] }, 'Linen'),
      note('image-missing', { file: '/C:/art/red cloth.png' }),
    ]);
  });

  it('are opaque where exporters turn transparency around', async () => {
    for (const shader of [
      '<transparent opaque="RGB_ZERO"><color>0 0 0 1</color></transparent>',
      '<transparent opaque="A_ONE"><color>1 1 1 1</color></transparent><transparency><float>0</float></transparency>',
      '<diffuse><color>x</color></diffuse><transparency><float>?</float></transparency>',
    ]) {
      expect((await open(fileWith(shader))).material.baseColor[3]).toBe(1);
    }
  });

  it('go with further uvs and colours of corners', async () => {
    const primitives = `<polylist material="cloth" count="1">
<input semantic="VERTEX" source="#vertices" offset="0"/>
<input semantic="TEXCOORD" source="#uvs" offset="1" set="0"/>
<input semantic="TEXCOORD" source="#uvs" offset="2" set="1"/>
<input semantic="COLOR" source="#normals" offset="3" set="0"/>
<vcount>4</vcount><p>0 0 3 0 1 1 2 0 3 3 1 0 2 2 0 0</p></polylist>
<triangles count="1"><input semantic="VERTEX" source="#vertices" offset="0"/><p>2 3 5</p></triangles>`;
    const { model } = await open(colladaFile({ primitives }));
    const { attributes, seams, triangles } = model.mesh;
    expect(Object.keys(attributes!)).toEqual(['TEXCOORD_1', 'COLOR_0']);
    const at = (corner: number) => (seams ? seams.triangles : triangles)[corner];
    // Uv 3 of vertex 0 is (1, 1), with v down; its colour is normal 0.
    const w = at(triangles.indexOf(0));
    expect([...attributes!.TEXCOORD_1.values.subarray(2 * w, 2 * w + 2)]).toEqual([1, 0]);
    expect([...attributes!.COLOR_0.values.subarray(4 * w, 4 * w + 4)]).toEqual([0, 0, 1, 1]);
    // Corners without a colour are white.
    const last = at(triangles.length - 1);
    expect([...attributes!.COLOR_0.values.subarray(4 * last, 4 * last + 4)]).toEqual([1, 1, 1, 1]);
  });
});
