import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { plainMaterials } from '../../src/io/plain-material.ts';
import { readObj } from '../../src/io/read-obj.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';
import { type Note, note } from '../../src/model/note.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { textSource } from './support.ts';

const read = async (text: string, notes: Note[] = []): Promise<Mesh> => {
  const mesh = await readObj(textSource(text, 'test.obj'), notes);
  validateMesh(mesh);
  return mesh;
};

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('readObj', () => {
  it('reads positions and triangles', async () => {
    const mesh = await read(`${SQUARE}f 1 2 3\nf 1 3 4\n`);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(mesh.seams).toBeUndefined();
    expect(mesh.groups).toBeUndefined();
  });

  it('triangulates polygons, also such as are not convex', async () => {
    const arrow = 'v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n';
    const mesh = await read(arrow);
    const sets = [0, 3].map((t) => [...mesh.triangles.slice(t, t + 3)].sort().join(''));
    expect(sets.sort()).toEqual(['013', '123']);
  });

  it.each([
    ['CRLF', `${SQUARE}f 1 2 3 4\n`.replaceAll('\n', '\r\n')],
    ['CR', `${SQUARE}f 1 2 3 4\n`.replaceAll('\n', '\r')],
    ['no last line end', `${SQUARE}f 1 2 3 4`],
    ['comments', `# a\n${SQUARE}# path C:\\dir\\\nf 1 2 3 4 # face\n`],
    ['continued lines', `${SQUARE}f 1 2 \\\n 3 4\n`],
    ['negative indices', `${SQUARE}f -4 -3 -2 -1\n`],
    ['faces before vertices', `f 1 2 3 4\n${SQUARE}`],
    ['blanks and tabs', `${SQUARE.replaceAll(' ', '\t ')}  f\t1  2 3 4  \n\n`],
    ['colours after positions', `${SQUARE.replaceAll('0\n', '0 0.5 0.5 1\n')}f 1 2 3 4\n`],
  ])('accepts %s', async (_, text) => {
    const mesh = await read(text);
    expect(mesh.positions.length).toBe(12);
    expect(mesh.triangles.length).toBe(6);
  });

  it('keeps one vertex per v line and ties uvs and normals to split vertices', async () => {
    const mesh = await read(
      `${SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvn 0 0 2\nf 1/1/1 2/2/1 3/3/1\nf 1/5/1 3/3/1 4/4/1\n`,
    );
    expect(mesh.positions.length).toBe(12);
    expect([...mesh.seams!.vertexOf]).toEqual([0, 1, 2, 0, 3]);
    expect([...mesh.uvs!]).toEqual([0, 0, 1, 0, 1, 1, 0.5, 0.5, 0, 1]);
    expect([...mesh.normals!.slice(0, 3)]).toEqual([0, 0, 1]);
  });

  it('has no seams where every vertex has one uv, in whatever order they come', async () => {
    const mesh = await read(`${SQUARE}vt 0 4\nvt 0 3\nvt 0 2\nvt 0 1\nf 4/1 1/4 2/3 3/2\n`);
    expect(mesh.seams).toBeUndefined();
    expect([...mesh.uvs!]).toEqual([0, 1, 0, 2, 0, 3, 0, 4]);
  });

  it('keeps vertices that no face uses', async () => {
    const mesh = await read(`${SQUARE}v 9 9 9\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 1/2 3/2 4/2\n`);
    expect(mesh.positions.length).toBe(15);
    expect([...mesh.seams!.vertexOf]).toContain(4);
  });

  it('reads groups, objects and materials', async () => {
    const mesh = await read(
      `o thing\n${SQUARE}g left\nusemtl red\nf 1 2 3\ng right\nusemtl blue\nf 1 3 4\nusemtl red\nf 1 2 4\n`,
    );
    expect(mesh.name).toBe('thing');
    expect(mesh.materials!.map((material) => material.name)).toEqual(['red', 'blue']);
    expect(mesh.groups).toEqual([
      { name: 'left', start: 0, count: 1, material: 0 },
      { name: 'right', start: 1, count: 1, material: 1 },
      { name: 'right', start: 2, count: 1, material: 0 },
    ]);
  });

  it('makes groups of several objects, counted in triangles', async () => {
    const mesh = await read(`o a\n${SQUARE}f 1 2 3 4\no b\nv 5 5 5\nf 1 2 5\n`);
    expect(mesh.groups).toEqual([
      { name: 'a', start: 0, count: 2 },
      { name: 'b', start: 2, count: 1 },
    ]);
  });

  it('reads colours behind positions as linear ones, and passes over weights', async () => {
    const mesh = await read('v 0 0 0\nv 1 0 0 1 0.5 0\nv 1 1 0 1 1 0 0\nv 0 1 0 1\nf 1 2 3 4\n');
    const half = expect.closeTo(0.2140411, 5);
    expect([...mesh.attributes!.COLOR_0.values]).toEqual([1, 1, 1, 1, half, 0, 1, 0, 0, 1, 1, 1]);
    expect((await read('v 0 0 0 1\nv 1 0 0 1\nv 1 1 0 1\nf 1 2 3\n')).attributes).toBeUndefined();
  });

  it('notes what it leaves out and repairs', async () => {
    const notes: Note[] = [];
    const mesh = await read(
      `mtllib a.mtl\nusemtl m\n${SQUARE}vt 1 1\nvn 0 0 0\nf 1//1 2//1 3//1\nf 1/1 3/1 4/1\nl 1 2\np 1\ncurv 0 1\n`,
      notes,
    );
    expect(notes).toEqual([
      ...['l', 'p', 'curv'].map((name) => note('not-read', { what: 'statements', names: [name], count: 1 })),
      note('uvs-missing', { count: 3 }),
      note('normals-computed', { count: 6 }),
      note('material-names-only', {}),
    ]);
    expect([...mesh.normals!.slice(0, 3)]).toEqual([0, 0, 1]);
  });

  it.each<[string, string, Refusal]>([
    ['an index out of range', `${SQUARE}f 1 2 5\n`, { file: 'test.obj', line: 5, values: [5, 1, 4] }],
    ['an index of 0', `${SQUARE}\nf 0 1 2\n`, { file: 'test.obj', line: 6, values: [0] }],
    ['a negative index out of range', `${SQUARE}f -5 1 2\n`, { file: 'test.obj', line: 5, values: [-5, 1, 4] }],
    ['a uv out of range', `${SQUARE}vt 0 0\nf 1/1 2/1 3/2\n`, { file: 'test.obj', line: 6, values: [2, 1, 1] }],
    ['an enormous index', `${SQUARE}f 1 2 99999999999999999999\n`, { file: 'test.obj', line: 5 }],
    ['NaN', 'v 0 nan 0\n', { file: 'test.obj', line: 1, values: ['nan'] }],
    ['infinity', 'v 0 0 1e40\n', { file: 'test.obj', line: 1, values: ['1e40'] }],
    ['a short vertex', 'v 0 0\nv 1 1 1\n', { file: 'test.obj', line: 1 }],
    ['a face of two corners', `${SQUARE}f 1 2\n`, { file: 'test.obj', line: 5, values: [2, 3] }],
    ['a bad corner', `${SQUARE}f 1 2 x\n`, { file: 'test.obj', line: 5, values: ['x'] }],
    ['a corner of four parts', `${SQUARE}vt 0 0\nf 1/1/1/1 2 3\n`, { file: 'test.obj', line: 6 }],
    ['no vertices', '# nothing\n', { line: 1 }],
    ['a letter', 'hello world\n\n', { file: 'test.obj', line: 1, values: ['hello'] }],
    ['something else', '\x89PNG\r\n\x1a\n', { values: ['OBJ'] }],
    ['an empty file', '', { line: 1 }],
  ])('refuses %s', async (_, text, facts) => {
    await expectRefusal(read(text), 'bad-file', facts);
  });
});

/** Random triangle meshes with or without uvs, normals, seams and groups. */
const anyMesh: fc.Arbitrary<Mesh> = fc
  .record({
    n: fc.integer({ min: 3, max: 12 }),
    faces: fc.integer({ min: 1, max: 20 }),
    hasUvs: fc.boolean(),
    hasNormals: fc.boolean(),
    hasGroups: fc.boolean(),
    seed: fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 60, maxLength: 60 }),
    picks: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ n, faces, hasUvs, hasNormals, hasGroups, seed, picks }) => {
    const value = (c: number) => seed[c % seed.length];
    const triangles = Uint32Array.from({ length: 3 * faces }, (_, c) => picks[c % picks.length] % n);
    const mesh: Mesh = { positions: Float32Array.from({ length: 3 * n }, (_, c) => value(c)), triangles };
    // Every corner has a split vertex of its own: the most that can be.
    const w = 3 * faces;
    if (hasUvs || hasNormals) {
      const used = new Set(triangles);
      const unused = Array.from({ length: n }, (_, i) => i).filter((i) => !used.has(i));
      mesh.seams = {
        vertexOf: Uint32Array.from([...triangles, ...unused]),
        triangles: Uint32Array.from({ length: w }, (_, c) => c),
      };
      const all = w + unused.length;
      if (hasUvs) mesh.uvs = Float32Array.from({ length: 2 * all }, (_, c) => value(7 * c));
      if (hasNormals)
        mesh.normals = Float32Array.from({ length: 3 * all }, (_, c) => (c % 3 === picks[c % 60] % 3 ? 1 : 0));
    }
    if (mesh.normals) {
      for (let o = 0; o < mesh.normals.length; o += 3)
        mesh.normals.set(
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, -1],
          ][picks[o % 60] % 3],
          o,
        );
    }
    if (hasGroups) {
      mesh.materials = plainMaterials(['red', 'blue'], mesh);
      mesh.groups = [
        { name: 'first group', start: 0, count: 1, material: 0 },
        { name: '', start: 1, count: faces - 1, material: 1 },
      ].filter((group) => group.count > 0);
      mesh.materials.length = mesh.groups.length;
    }
    return mesh;
  });

/** The values that every corner sees, which is what a surface is; split vertices may be numbered differently. */
function byCorner(mesh: Mesh) {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const pick = (values: Float32Array | undefined, stride: number) =>
    values && [...corners].flatMap((w) => [...values.slice(stride * w, stride * (w + 1))]);
  return { uvs: pick(mesh.uvs, 2), normals: pick(mesh.normals, 3) };
}

describe('writeObj', () => {
  it('reads back equal', async () => {
    await fc.assert(
      fc.asyncProperty(anyMesh, async (mesh) => {
        validateMesh(mesh);
        const back = await readObj(memorySource('back.obj', writeObj(mesh)));
        validateMesh(back);
        expect(back.positions).toEqual(mesh.positions);
        expect(back.triangles).toEqual(mesh.triangles);
        expect(back.groups).toEqual(mesh.groups);
        expect(back.materials).toEqual(mesh.materials);
        expect(byCorner(back)).toEqual(byCorner(mesh));
        // What was read once is written and read without any change.
        expect(await readObj(memorySource('again.obj', writeObj(back)))).toEqual(back);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('keeps names on one line', async () => {
    const mesh = await read(`${SQUARE}f 1 2 3 4\n`);
    const back = await read(new TextDecoder().decode(writeObj({ ...mesh, name: 'a\nf 1 2 3' })));
    expect(back.name).toBe('a f 1 2 3');
    expect(back.triangles).toEqual(mesh.triangles);
  });
});
