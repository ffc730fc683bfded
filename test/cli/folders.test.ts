import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Note, note } from '../../src/model/note.ts';
import { newDesk } from './pliant.ts';

/** Folders as people have them: odd names, odd numbers, and all that lies about among the frames. */

const { folder, json, run, expectRefusal } = newDesk();

/** A strip of two quads that bends with k; with everything that an OBJ file may have. */
function frame(k: number, { end = '\n', backwards = false } = {}): string {
  const corner = (i: number, t: number): string => `${backwards ? i - 7 : i}/${t}`;
  return [
    `# frame ${k}`,
    'mtllib strip.mtl',
    ...[0, 1, 2].flatMap((x) => [`v ${x} 0 ${0.1 * k * x} # low`, `v ${x} 1 ${0.1 * k * x}`]),
    'vt 0 0',
    'vt 1 0',
    'vt 1 1',
    'vt 0 1',
    'g left',
    `f ${corner(1, 1)} ${corner(3, 2)} ${corner(4, 3)} ${corner(2, 4)}`,
    'g right',
    `f ${corner(3, 1)} ${corner(5, 2)} ${corner(6, 3)} ${corner(4, 4)}`,
    '',
  ].join(end);
}

/** A folder of frames: name → k. */
function put(name: string, frames: Record<string, number>, options = {}): string {
  mkdirSync(join(folder, name));
  for (const [file, k] of Object.entries(frames)) writeFileSync(join(folder, name, file), frame(k, options));
  return name;
}

/** Name and reach along z of the only sequence: 0.2 for every step of k. */
function sequenceOf(name: string): { frames: number; last: number; notes: Note[] } {
  const { report, notes } = json('info', name);
  const [{ frames, boundsOverTime }] = report.assets[0].sequences;
  return { frames, last: boundsOverTime.max[2], notes };
}

describe('a folder of frames', () => {
  it.each<[string, string, Record<string, number>]>([
    ['in natural order', 'natural', { 'f10.obj': 10, 'f2.obj': 2, 'f1.obj': 1, 'f9.obj': 9, 'f3.obj': 3 }],
    ['with spaces and other letters', 'été 🎉 no 1', { 'bränd 1.obj': 1, 'bränd 2.obj': 2, 'bränd 3.obj': 10 }],
    ['with very long names', 'n'.repeat(200), { [`${'x'.repeat(200)}1.obj`]: 1, [`${'x'.repeat(200)}2.obj`]: 10 }],
    ['in capitals', 'CAPITALS', { 'F1.OBJ': 1, 'F2.OBJ': 10 }],
  ])('%s', (_, name, frames) => {
    const { frames: count, last } = sequenceOf(put(name, frames));
    expect(count).toBe(Object.keys(frames).length);
    expect(last).toBeCloseTo(2, 5);
    // The rest pose is that of the first.
    expect(json('info', name).report.assets[0].sequences[0].rest.bounds.max[2]).toBeCloseTo(0.2, 5);
  });

  it.each([
    ['lines that end as on Windows', 'crlf', { end: '\r\n' }],
    ['indices that count backwards', 'backwards', { backwards: true }],
  ])('%s', (_, name, options) => {
    const { sequences } = json('info', put(name, { 'f1.obj': 1, 'f2.obj': 2 }, options)).report.assets[0];
    expect(sequences[0].rest).toMatchObject({ vertices: 6, splitVertices: 8, triangles: 4, groups: [{}, {}] });
  });

  it('among other things', () => {
    put('desk', { 'f1.obj': 1, 'f2.obj': 2 });
    for (const name of ['strip.mtl', '.DS_Store', '._f1.obj', 'README', 'notes.txt', 'thumb.png']) {
      writeFileSync(join(folder, 'desk', name), '\0');
    }
    mkdirSync(join(folder, 'desk', 'old'));
    expect(sequenceOf('desk')).toMatchObject({ frames: 2, notes: [] });
  });

  it('that is not whole: says where', () =>
    expect(sequenceOf(put('gap', { 'f_1.obj': 1, 'f_2.obj': 2, 'f_07.obj': 7 })).notes).toEqual([
      expect.objectContaining(note('frame-numbers-jump', { from: 'f_2.obj', to: 'f_07.obj' })),
    ]));

  it('may hold what was made of it, and is fitted again', () => {
    put('own', { 'f1.obj': 1, 'f2.obj': 2, 'f3.obj': 3 });
    const again = ['fit', 'own', '-o', 'own/own.glb', '--bones', '2', '--preset', 'fast', '--no-report', '--force'];
    json(...again);
    const left = expect.objectContaining(note('scene-beside-frames', {}, 'own.glb'));
    expect(json(...again).notes).toContainEqual(left);
    expectRefusal(['fit', 'own', '-o', 'own/own.glb'], { code: 'exists', file: 'own/own.glb' });
    expect(readdirSync(join(folder, 'own'))).toEqual(['f1.obj', 'f2.obj', 'f3.obj', 'own.glb']);
  });

  it('of one frame has nothing that moves', () =>
    expectRefusal(['fit', put('one', { 'only.obj': 1 }), '-o', 'x.glb'], { code: 'not-found', file: 'one' }));

  it('below another folder is not found there', () => {
    mkdirSync(join(folder, 'outer'));
    put('outer/inner', { 'f1.obj': 1, 'f2.obj': 2 });
    expectRefusal(['info', 'outer'], { code: 'bad-input', file: 'outer' });
  });
});

describe('caches', () => {
  it('one beside its mesh is taken, two are refused, none alone becomes a GLB', () => {
    put('pair', { 'f1.obj': 1, 'f2.obj': 2 });
    json('convert', 'pair', 'c.pc2');
    mkdirSync(join(folder, 'cached'));
    json('convert', 'pair', 'cached/c.PC2');
    expect(json('info', 'cached').input[0]).toMatchObject({ format: 'PC2 point cache on Wavefront OBJ' });
    expectRefusal(['convert', 'c.pc2', 'x.glb'], { code: 'bad-input', file: 'c.pc2' });
    json('convert', 'pair', 'cached/d.mdd');
    expectRefusal(['info', 'cached'], { code: 'bad-input', file: 'cached' });
  });

  it('many files are not all named again', () => {
    const files = readdirSync(join(folder, 'natural')).map((name) => join('natural', name));
    const { stdout } = run('fit', ...files, '-o', 'many.glb', '--bones', '2', '--preset', 'fast', '--no-report');
    expect(stdout).toMatch(/^natural\/f\d+\.obj and 4 more\n/);
  });
});
