import { describe, expect, it } from 'vitest';
import { readOff } from '../../src/io/read-off.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { type Note, note } from '../../src/model/note.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { textSource } from './support.ts';

const read = async (text: string, notes: Note[] = []) => {
  const mesh = await readOff(textSource(text, 'test.off'), notes);
  validateMesh(mesh);
  return mesh;
};

const POINTS = ['0 0 0', '1 0 0', '1 1 0', '0 1 0'];
const body = (vertex: (line: string, i: number) => string) => `4 1 0\n${POINTS.map(vertex).join('\n')}\n4 0 1 2 3\n`;

describe('readOff', () => {
  it.each([
    ['OFF', `OFF\n${body((line) => line)}`],
    ['counts on the first line', `OFF ${body((line) => line)}`],
    ['comments and blank lines', `# a\nOFF\n\n# b\n${body((line) => `${line} # c`)}`],
    ['no number of edges', `OFF\n${body((line) => line).replace('4 1 0', '4 1')}`],
    ['face colours', `OFF\n${body((line) => line).replace('4 0 1 2 3', '4 0 1 2 3 255 0 0')}`],
    ['COFF', `COFF\n${body((line) => `${line} 255 0 0 255`)}`],
    ['lines broken anywhere', `OFF\n4 1 0\n${POINTS.join(' ').replaceAll(' ', '\n')}\n4 0\n1 # c\n\n2 3`],
    ['CRLF', `OFF\n${body((line) => line)}`.replaceAll('\n', '\r\n')],
  ])('reads %s', async (_, text) => {
    const mesh = await read(text);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(mesh.triangles.length).toBe(6);
  });

  it('reads normals and uvs beside colours', async () => {
    const notes: Note[] = [];
    const mesh = await read(`STCNOFF\n${body((line, i) => `${line} 0 0 3 0.1 0.2 0.3 ${i} 0.5`)}`, notes);
    expect([...mesh.normals!.slice(0, 3)]).toEqual([0, 0, 1]);
    expect([...mesh.uvs!]).toEqual([0, 0.5, 1, 0.5, 2, 0.5, 3, 0.5]);
    expect(notes).toEqual([note('not-read', { what: 'vertex-colours' })]);
  });

  it('leaves out edges and points', async () => {
    const notes: Note[] = [];
    const mesh = await read('OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n1 2\n', notes);
    expect([...mesh.triangles]).toEqual([0, 1, 2]);
    expect(notes).toEqual([note('not-read', { what: 'small-faces', count: 2 })]);
  });

  it.each<[string, string, Refusal]>([
    ['another first word', 'OBJ\n', { file: 'test.off', line: 1, values: ['OBJ', 'OFF'] }],
    ['a corner out of range', 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n', { line: 6, values: [3, 0, 2] }],
    ['a negative corner', 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n', { line: 6, values: [-1] }],
    ['more vertices than the file can hold', 'OFF\n1000000000 1 0\n0 0 0\n', { values: [1000000000] }],
    ['fewer vertices than promised', 'OFF\n3 0 0\n0 0 0\n1 0 0\n', { line: 5 }],
    ['NaN', 'OFF\n1 0 0\n0 nan 0\n', { line: 3, values: ['nan'] }],
    ['no vertices', 'OFF\n0 0 0\n', { values: [0] }],
    ['an empty file', '', { values: ['OFF'] }],
  ])('refuses %s', async (_, text, facts) => {
    await expectRefusal(read(text), 'bad-file', facts);
  });

  it.each(['4OFF\n1 0 0\n0 0 0 1\n', 'nOFF\n2\n1 0 0\n0 0\n', 'OFF BINARY\nxxxx'])(
    'does not support %j',
    async (text) => {
      await expectRefusal(read(text), 'unsupported', { file: 'test.off', values: [3] });
    },
  );
});
