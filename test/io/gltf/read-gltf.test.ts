import { describe, expect, it } from 'vitest';
import { splitVertices } from '../../../src/mesh/seams.ts';
import { note } from '../../../src/model/note.ts';
import { Bin, readGlb } from './fixtures.ts';
import { S, triangleFile } from './triangle.ts';

describe('static meshes', () => {
  it('have their nodes applied, also in hierarchies, and turn around where nodes mirror', async () => {
    const file = triangleFile({
      node: { mesh: undefined, scale: [2, 2, 2], translation: [0, 0, 5], children: [1] },
      more: {
        nodes: [
          { scale: [2, 2, 2], translation: [0, 0, 5], children: [1] },
          { mesh: 0, name: 'leaf', scale: [-1, 1, 1], rotation: [0, 0, S, S] },
        ],
      },
    });
    const { meshes, format, space, bytes } = await readGlb(file);
    expect(meshes[0].name).toBe('leaf');
    expect([...meshes[0].positions].map((x) => x + 0 || 0)).toEqual(
      [0, 0, 5, 0, -2, 5, -2, 0, 5].map((x) => expect.closeTo(x, 5)),
    );
    expect([...meshes[0].triangles]).toEqual([0, 2, 1]);
    expect({ format, space, bytes }).toEqual({
      format: 'glTF 2.0 (binary)',
      space: { up: 'y', metresPerUnit: 1 },
      bytes: file.length,
    });
  });

  it('take the exact matrix of a node, shear and all', async () => {
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const { meshes } = await readGlb(triangleFile({ node: { matrix } }));
    expect([...meshes[0].positions]).toEqual([0, 0, 0, 1, 0, 0, 0.5, 1, 0]);
  });

  it('join primitives into groups; strips and fans become triangles, points are left out with a note', async () => {
    const bin = new Bin();
    const POSITION = bin.add(
      'VEC3',
      Float32Array.from({ length: 15 }, (_, c) => c % 7),
    );
    const strip = bin.add('SCALAR', Uint8Array.of(0, 1, 2, 3, 3, 4));
    const fan = bin.add('SCALAR', Uint16Array.of(0, 1, 2, 3));
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      materials: [{ name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }],
      meshes: [
        {
          primitives: [
            { attributes: { POSITION, COLOR_0: POSITION }, mode: 5, indices: strip },
            { attributes: { POSITION }, mode: 0 },
            { attributes: { POSITION, COLOR_0: POSITION }, mode: 6, indices: fan, material: 0 },
          ],
        },
      ],
    });
    const { meshes, notes } = await readGlb(file);
    expect([...splitVertices(meshes[0]).triangles]).toEqual([0, 1, 2, 1, 3, 2, 1, 2, 0, 2, 3, 0]);
    expect(meshes[0].groups).toEqual([
      { name: 'part 0', start: 0, count: 2, material: undefined },
      { name: 'red', start: 2, count: 2, material: 0 },
    ]);
    expect(meshes[0].materials?.map(({ baseColor, metallic }) => ({ baseColor, metallic }))).toEqual([
      { baseColor: [1, 0, 0, 1], metallic: 1 },
    ]);
    expect(meshes[0].positions.length).toBe(15);
    expect(notes).toEqual([note('not-read', { what: 'points-and-lines', count: 1 }, 'mesh 0')]);
  });

  it('weld vertices that were split at seams and can restore them', async () => {
    const bin = new Bin();
    const quad = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0);
    const POSITION = bin.add('VEC3', quad);
    const TEXCOORD_0 = bin.add(
      'VEC2',
      Float32Array.from({ length: 12 }, (_, c) => c / 16),
    );
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION, TEXCOORD_0 } }] }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(splitVertices(mesh).positions).toEqual(quad);
    expect(mesh.uvs?.[1]).toBe(1 - 1 / 16);
  });

  it('are the nodes of the default scene only', async () => {
    const nodes = [
      { mesh: 0, name: 'a' },
      { mesh: 0, name: 'b' },
      { mesh: 0, name: 'c' },
    ];
    const scenes = [{ nodes: [0] }, { nodes: [1] }];
    expect((await readGlb(triangleFile({ more: { nodes, scenes, scene: 1 } }))).meshes.map((m) => m.name)).toEqual([
      'b',
    ]);
    const all = await readGlb(triangleFile({ more: { nodes, scenes: undefined } }));
    expect(all.meshes.map((m) => m.name)).toEqual(['a', 'b', 'c']);
  });
});
