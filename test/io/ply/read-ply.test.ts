import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/io/files.ts';
import { readPly } from '../../../src/io/read-ply.ts';
import { validateMesh } from '../../../src/model/mesh.ts';
import { type Note, note } from '../../../src/model/note.ts';
import { expectRefusal, type Refusal } from '../../refusal.ts';
import { bytesOf } from '../support.ts';
import { type Column, type Elements, plyFile } from './fixtures.ts';

const vertex = (type: string, ...more: Column[]): Column[] => [
  { type, name: 'x', rows: [0, 1, 1, 0] },
  ...more,
  { type, name: 'y', rows: [0, 0, 1, 1] },
  { type, name: 'z', rows: [0.5, 0, 0.25, -1] },
];
const face = (
  countType: string,
  type: string,
  rows: number[][] = [[0, 1, 2, 3]],
  name = 'vertex_indices',
): Column[] => [{ type, countType, name, rows }];

const read = async (bytes: Uint8Array, notes: Note[] = []) => {
  const mesh = await readPly(memorySource('test.ply', bytes), notes);
  validateMesh(mesh);
  return mesh;
};

const FORMATS = ['ascii', 'binary_little_endian', 'binary_big_endian'];

describe.each(FORMATS)('readPly, %s', (format) => {
  it.each([
    ['float', 'uchar', 'int'],
    ['double', 'uint', 'uint'],
    ['float32', 'uint8', 'int32'],
    ['float', 'ushort', 'short'],
    ['float', 'char', 'uchar'],
  ])('reads positions as %s, lists as %s of %s', async (type, countType, indexType) => {
    const mesh = await read(plyFile(format, { vertex: vertex(type), face: face(countType, indexType) }));
    expect([...mesh.positions]).toEqual([0, 0, 0.5, 1, 0, 0, 1, 1, 0.25, 0, 1, -1]);
    expect(mesh.triangles.length).toBe(6);
  });

  it('reads normals and uvs, and skips everything else', async () => {
    const notes: Note[] = [];
    const mesh = await read(
      plyFile(format, {
        extra: [
          { type: 'double', name: 'a', rows: [1, 2, 3] },
          { type: 'short', countType: 'uchar', name: 'b', rows: [[], [1], [1, 2, 3]] },
        ],
        vertex: vertex(
          'float',
          { type: 'uchar', name: 'red', rows: [1, 2, 3, 4] },
          { type: 'float', countType: 'uchar', name: 'bones', rows: [[1], [], [2, 3], [4]] },
          ...['nx', 'ny', 'nz'].map((name, c) => ({ type: 'float', name, rows: Array(4).fill(c === 2 ? 2 : 0) })),
          ...['texture_u', 'texture_v'].map((name, c) => ({
            type: 'float',
            name,
            rows: [0, 0.25, 0.5, 1].map((x) => x + c),
          })),
        ),
        face: [
          { type: 'uchar', name: 'flags', rows: [7, 8] },
          ...face(
            'uchar',
            'int',
            [
              [0, 1, 2],
              [0, 2, 3],
            ],
            'vertex_index',
          ),
        ],
        edge: [{ type: 'int', name: 'vertex1', rows: [0] }],
      }),
      notes,
    );
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...mesh.normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect([...mesh.uvs!]).toEqual([0, 1, 0.25, 1.25, 0.5, 1.5, 1, 2]);
    expect(notes).toEqual([
      note('not-read', { what: 'elements', names: ['extra'], count: 3 }),
      note('not-read', { what: 'vertex-properties', names: ['red', 'bones'] }),
      note('not-read', { what: 'face-properties', names: ['flags'] }),
      note('not-read', { what: 'elements', names: ['edge'], count: 1 }),
    ]);
  });

  it('reads colours of vertices as linear ones', async () => {
    const linear = [0, 0.2158605, 1]; // of sRGB 0, 128/255 and 1
    const cases = { uchar: [0, 128, 255], ushort: [0, (128 * 65535) / 255, 65535], float: [0, 128 / 255, 1] };
    for (const [type, [low, half, full]] of Object.entries(cases)) {
      const column = (name: string, rows: number[]) => ({ type, name, rows });
      const rgb = [
        column('red', [low, half, full, low]),
        column('green', [full, full, full, full]),
        column('blue', [low, low, low, low]),
      ];
      for (const alpha of [[], [column('alpha', [half, full, full, full])]]) {
        const notes: Note[] = [];
        const columns = vertex('float', ...rgb, ...alpha);
        const mesh = await read(plyFile(format, { vertex: columns, face: face('uchar', 'int') }), notes);
        const { size, values } = mesh.attributes!.COLOR_0;
        expect(size).toBe(3 + alpha.length);
        expect([0, 1, 2].map((i) => values[size * i])).toEqual(linear.map((x) => expect.closeTo(x, 4)));
        expect([values[1], values[2]]).toEqual([1, 0]);
        if (alpha.length > 0) expect(values[3]).toBeCloseTo(128 / 255, 4);
        expect(notes).toEqual([]);
      }
    }
  });

  it('leaves out faces of fewer than three corners, with a note', async () => {
    const notes: Note[] = [];
    const mesh = await read(
      plyFile(format, {
        vertex: vertex('float'),
        face: face('uchar', 'int', [
          [0, 1],
          [0, 1, 2],
        ]),
      }),
      notes,
    );
    expect(mesh.triangles.length).toBe(3);
    expect(notes).toEqual([note('not-read', { what: 'small-faces', count: 1 })]);
  });

  it('reads uvs of corners, as MeshLab writes them, with seams where they differ', async () => {
    const notes: Note[] = [];
    const normals = ['nx', 'ny', 'nz'].map((name, c) => ({
      type: 'float',
      name,
      rows: [0, 1, 2, 3].map((i) => (c === 2 ? i + 1 : 0)),
    }));
    const mesh = await read(
      plyFile(format, {
        vertex: [...vertex('float'), ...normals],
        face: [
          ...face('uchar', 'int', [
            [0, 1, 2],
            [0, 2, 3],
            [1, 2, 3],
            [3, 3],
          ]),
          {
            type: 'float',
            name: 'texcoord',
            countType: 'uchar',
            rows: [[0, 0, 1, 0, 1, 1], [0, 0, 0.5, 0.5, 0, 1], [], [9, 9, 9, 9]],
          },
          { type: 'int', name: 'texnumber', rows: [0, 0, 0, 0] },
        ],
      }),
      notes,
    );
    validateMesh(mesh);
    const uv = (corner: number) => [...mesh.uvs!.subarray(2 * mesh.seams!.triangles[corner]).subarray(0, 2)];
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [0.5, 0.5],
      [0, 1],
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    expect(corners.map((_, c) => uv(c))).toEqual(corners);
    expect(mesh.seams!.triangles[0]).toBe(mesh.seams!.triangles[3]); // The same vertex, the same uv.
    for (let w = 0; w < mesh.normals!.length; w += 3) expect([...mesh.normals!.subarray(w, w + 3)]).toEqual([0, 0, 1]);
    expect(notes).toEqual([
      note('not-read', { what: 'face-properties', names: ['texnumber'] }),
      note('not-read', { what: 'small-faces', count: 1 }),
      note('uvs-missing', { count: 3 }),
    ]);
  });

  it('reads points without faces', async () => {
    expect((await read(plyFile(format, { vertex: vertex('float') }))).triangles.length).toBe(0);
  });

  it('refuses what is wrong', async () => {
    const refuse = (elements: Elements, facts: Refusal) =>
      expectRefusal(read(plyFile(format, elements)), 'bad-file', facts);
    await refuse({ vertex: vertex('float'), face: face('uchar', 'int', [[0, 1, 4]]) }, { values: [4, 0, 3] });
    await refuse({ vertex: vertex('float'), face: face('uchar', 'int', [[0, 1, -1]]) }, { values: [0, -1] });
    await refuse({ vertex: vertex('float').slice(1) }, { file: 'test.ply' });
    await refuse({ face: face('uchar', 'int', []) }, { line: 7 });
    await refuse(
      { vertex: vertex('double').with(0, { type: 'double', name: 'x', rows: [0, 1e39, 0, 0] }) },
      { file: 'test.ply' },
    );
  });

  it('refuses a truncated file', async () => {
    const whole = plyFile(format, { vertex: vertex('float'), face: face('uchar', 'int') });
    // The last line of a text may go without its end.
    for (let length = 0; length < whole.length - (format === 'ascii' ? 1 : 0); length++) {
      await expectRefusal(read(whole.slice(0, length)), 'bad-file', { file: 'test.ply' });
    }
  });

  it('does not believe counts', async () => {
    const text = new TextDecoder('latin1').decode(
      plyFile(format, { vertex: vertex('float'), face: face('uchar', 'int') }),
    );
    for (const element of ['vertex 4', 'face 1']) {
      const lying = Uint8Array.from(text.replace(element, `${element.split(' ')[0]} 4000000000`), (c) =>
        c.charCodeAt(0),
      );
      await expectRefusal(read(lying), 'bad-file', { values: [4000000000] });
    }
  });
});

it('says how much of a text is there', async () => {
  const header = 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nend_header\n';
  const early = (rows: string, facts: Refusal) => expectRefusal(read(bytesOf(xyz + rows)), 'bad-file', facts);
  const xyz = header.replace('end_header', 'property float z\nend_header');
  await early('0.25 0 0\n0.125 0.125 0.125\n', { file: 'test.ply', line: 10, values: [2, 3, 'vertex'] });
  await early('0.25 0.25 0.25\n0.125 0.125', { values: [1, 3, 'vertex'] });
  await early('0 0 0\n', { values: [6, 17, 3, 'vertex'] });
});

describe('the header of a PLY', () => {
  const refuse = (text: string, facts: Refusal) => expectRefusal(read(bytesOf(text)), 'bad-file', facts);

  it('is checked', async () => {
    await refuse('pl\n', { file: 'test.ply', line: 1, values: ['PLY'] });
    await refuse('ply\nformat ascii 1.0\n', { line: 3 });
    await refuse('ply\nformat text 1.0\nend_header\n', { file: 'test.ply', line: 2, values: ['format text 1.0'] });
    await refuse('ply\nelement vertex 1\nend_header\n', { values: ['format'] });
    await refuse('ply\nformat ascii 1.0\nproperty float x\nend_header\n', { line: 3 });
    await refuse('ply\nformat ascii 1.0\nelement vertex -1\nend_header\n', { values: ['<name>', '<count>'] });
    await refuse('ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\nend_header\n', { line: 4 });
    await refuse('ply\nformat ascii 1.0\nelement vertex 1\nproperty constructor x\nend_header\n', { line: 4 });
    await refuse('ply\nfrmat ascii 1.0\nend_header\n', { line: 2 });
  });

  it('may have Windows line ends', async () => {
    const text =
      'ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty float x\r\nproperty float y\r\nproperty float z\r\nend_header\r\n1 2 3\r\n';
    expect([...(await read(bytesOf(text))).positions]).toEqual([1, 2, 3]);
  });
});
