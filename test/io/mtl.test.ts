import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { readObj } from '../../src/io/read-obj.ts';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { textureUvs } from '../../src/mesh/texture-uvs.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { mutation } from './fuzz.ts';
import { PNG, readGlb } from './gltf/fixtures.ts';
import { memoryFiles } from './support.ts';

const text = (content: string) => new TextEncoder().encode(content);
const OBJ = `mtllib a b.mtl
v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1
usemtl skin\nf 1/1 2/2 3/3
usemtl paint\nf 3/3 2/2 1/1
`;
const open = async (mtl: string, files: Record<string, Uint8Array> = {}, name = 'a b.mtl') => {
  const all = { 'folder/a.obj': text(OBJ), [`folder/${name}`]: text(mtl), ...files };
  const { meshes, notes } = await readAsset(memoryFiles(all), ['folder/a.obj']);
  const [skin, paint] = meshes[0].materials!;
  return { mesh: meshes[0], skin, paint, notes };
};

describe('materials of an OBJ file', () => {
  it('are read from the file beside it, with colours, opacity and roughness', async () => {
    const { skin, paint, notes } = await open(
      'newmtl skin\nKd 0.5 0.25 1\nd 0.5\nNs 250\nKe 0 0 0\n# x\nnewmtl paint\n  Kd 0.5\nTr 0.25\nPr 0.125\nPm 1\n',
    );
    expect(skin).toMatchObject({ name: 'skin', baseColor: [0.5, 0.25, 1, 0.5], metallic: 0, roughness: 0.5 });
    expect(skin.alphaMode).toBe('BLEND');
    expect(paint).toMatchObject({ baseColor: [0.5, 0.5, 0.5, 0.75], metallic: 1, roughness: 0.125 });
    expect(notes).toEqual([]);
  });

  it('have pictures from the folder below, also by foreign paths, and keep them in a GLB', async () => {
    const mtl = `newmtl skin
Kd 0 0 0
map_Kd -s 2 4 1 -o 0.5 0.25 -clamp on tex\\base colour.png
map_Bump -bm 0.5 C:\\art\\bumps.png
map_Ke ../glow.png
map_Pr rm.png
map_Pm rm.png
`;
    const pictures = ['tex/base colour.png', 'bumps.png', 'glow.png', 'rm.png'];
    const { mesh, skin, notes } = await open(
      mtl,
      Object.fromEntries(pictures.map((name) => [`folder/${name}`, PNG.slice()])),
    );
    expect(notes).toEqual([]);
    expect(skin.gltf!.images.map(({ name }) => name)).toEqual(['base colour.png', 'rm.png', 'bumps.png', 'glow.png']);
    expect(skin.gltf!.material).toMatchObject({
      pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1], metallicFactor: 1, roughnessFactor: 1 },
      normalTexture: { scale: 0.5 },
      emissiveFactor: [1, 1, 1],
    });
    expect(skin.gltf!.samplers).toEqual([{ wrapS: 33071, wrapT: 33071 }]);
    // uv · (2, 4) + (0.5, 0.25), which glTF says with v down.
    expect([...textureUvs(mesh)!].slice(0, 6)).toEqual([0.5, 0.25, 2.5, 0.25, 0.5, 4.25]);

    const { bytes } = await writeMeshGlb(mesh);
    await expectValidGlb(bytes, ['/meshes/0/primitives/0']);
    const [again] = (await readGlb(bytes)).meshes;
    expect(again.materials).toEqual(mesh.materials);
  });

  it('name what is missing or cannot be carried', async () => {
    const { skin, notes } = await open(
      'newmtl skin\nmap_Kd gone.png\nmap_Ks x.png\nmap_Ke odd.tga\nmap_Pr r.png\nmap_d o.png\n',
      { 'folder/odd.tga': text('TGA'), 'folder/r.png': PNG, 'folder/o.png': PNG },
    );
    expect(skin.gltf).toBeUndefined();
    expect(notes).toEqual([
      note('not-read', { what: 'textures', names: ['map_ks', 'map_d', 'map_pr'] }, 'skin'),
      note('image-missing', { file: 'gone.png' }),
      note('not-read', { what: 'pictures', names: ['odd.tga'] }),
    ]);
  });

  it('are names only without their file', async () => {
    for (const name of ['other.mtl', 'b.mtl']) {
      const { skin, notes } = await open('newmtl skin\nKd 1 0 0\n', {}, name);
      // "a b.mtl" may also be two files.
      expect(skin.baseColor[1]).toBe(name === 'b.mtl' ? 0 : 0.6);
      expect(notes).toEqual(name === 'b.mtl' ? [] : [note('material-names-only', {})]);
    }
    const notes: ReturnType<typeof note>[] = [];
    await readObj(memorySource('a.obj', text(OBJ)), notes);
    expect(notes).toEqual([note('material-names-only', {})]);
  });

  it('belong to all frames of a sequence', async () => {
    const files = { 'f/1.obj': text(OBJ), 'f/2.obj': text(OBJ), 'f/a b.mtl': text('newmtl paint\nKd 1 0 0\n') };
    const { sequences } = await readAsset(memoryFiles(files), ['f']);
    expect(sequences[0].rest.materials![1].baseColor).toEqual([1, 0, 0, 1]);
  });

  it('survive 300 mutations', async () => {
    const mtl =
      text(`newmtl skin\nKd 0.5 0.5 1\nd 0.5\nNs 250\nKe 1 1 1\nPr 0.5\nmap_Kd -s 2 4 1 -o 0.5 0.25 -clamp on a.png
map_Bump -bm 0.5 a.png\nmap_Pr a.png\nmap_Pm a.png\nnewmtl paint\nTr 0.5\nmap_d a.png\n`);
    for (let n = 0; n < 300; n++) {
      const { mesh } = await open('', { 'folder/a b.mtl': mutation([mtl], 7, n), 'folder/a.png': PNG });
      validateMesh(mesh);
      for (const { baseColor, metallic, roughness } of mesh.materials!) {
        for (const x of [...baseColor, metallic, roughness]) expect(x >= 0 && x <= 1, `mutation ${n}: ${x}`).toBe(true);
      }
      JSON.stringify(mesh.materials, (_, x) => {
        if (typeof x === 'number') expect(Number.isFinite(x), `mutation ${n}`).toBe(true);
        return x;
      });
    }
  });

  it('survive nonsense', async () => {
    const { skin } = await open(
      'Kd 1 1 1\nnewmtl\nnewmtl skin\nKd x y\nd\nNs -5\nmap_Kd -s -o\nmap_Bump -bm\nmap_Ke -mm 1\n',
    );
    expect(skin).toMatchObject({ baseColor: [0.6, 0.6, 0.6, 1], roughness: 1 });
  });
});
