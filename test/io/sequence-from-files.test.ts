import { describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeObj, writeObjSequence } from '../../src/io/write-obj.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence, validateSequence } from '../../src/model/sequence.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { plyFile } from './ply/fixtures.ts';
import { memoryFiles, memoryFolder } from './support.ts';

const QUAD = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const moved = (by: number): Float32Array => Float32Array.from(QUAD, (x) => x + by);
const obj = (by: number, faces = 'f 1 2 3 4\n'): string => {
  const p = moved(by);
  return `${[0, 3, 6, 9].map((o) => `v ${p[o]} ${p[o + 1]} ${p[o + 2]}\n`).join('')}${faces}`;
};
const read = async (contents: Record<string, Uint8Array | string>, options = {}) => {
  const files = memoryFiles(contents);
  const asset = await readAsset(files, ['walk'], options);
  expect(files.openCount()).toBe(0);
  await validateSequence(asset.sequences[0]);
  expect(files.openCount()).toBe(0);
  return { asset, sequence: asset.sequences[0] };
};

describe('a sequence of files', () => {
  it('is in natural order, and its first frame is the rest pose', async () => {
    const { asset, sequence } = await read({ 'walk/f10.obj': obj(10), 'walk/f2.obj': obj(2), 'walk/f1.obj': obj(1) });
    expect(asset.format).toBe('Wavefront OBJ sequence');
    expect(sequence.name).toBe('walk');
    expect(sequence.rest.positions).toEqual(moved(1));
    expect(sequence.rest.triangles.length).toBe(6);
    for (const [k, by] of [1, 2, 10].entries()) expect(await sequence.readFrame(k)).toEqual(moved(by));
    expect(asset.bytes).toBe(obj(10).length + obj(2).length + obj(1).length);
  });

  it.each(['camel-reference', 'BindPose', 'face_neutral', 'base', 'Rest pose'])(
    'has the file %s as rest pose, by its name, with a note',
    async (name) => {
      const { asset, sequence } = await read({
        'walk/camel-01.obj': obj(1),
        'walk/camel-02.obj': obj(2),
        [`walk/${name}.obj`]: obj(0),
      });
      expect(sequence.frameCount).toBe(2);
      expect(sequence.rest.positions).toEqual(moved(0));
      expect(asset.notes).toEqual([note('rest-by-name', { file: `${name}.obj` })]);
    },
  );

  it.each([
    ['a number', { 'walk/base1.obj': obj(0), 'walk/base2.obj': obj(1), 'walk/base3.obj': obj(2) }, {}, 3, 0],
    ['part of a word', { 'walk/a.obj': obj(1), 'walk/b.obj': obj(2), 'walk/baseball.obj': obj(0) }, {}, 3, 1],
    ['two such files', { 'walk/bind.obj': obj(1), 'walk/neutral.obj': obj(2), 'walk/x.obj': obj(0) }, {}, 3, 1],
    [
      'another file',
      { 'walk/a.obj': obj(1), 'walk/b.obj': obj(2), 'walk/bind.obj': obj(0) },
      { rest: 'walk/a.obj' },
      2,
      1,
    ],
    ['a frame', { 'walk/a.obj': obj(1), 'walk/b.obj': obj(2), 'walk/bind.obj': obj(0) }, { rest: '1' }, 3, 2],
  ])('does not guess at the rest pose with %s', async (_, contents, options, frames, by) => {
    const { asset, sequence } = await read(contents, options);
    expect(sequence.frameCount).toBe(frames);
    expect(sequence.rest.positions).toEqual(moved(by));
    expect(asset.notes).toEqual([]);
  });

  it('is parsed once', async () => {
    const files = memoryFiles({ 'walk/f1.obj': obj(1), 'walk/f2.obj': obj(2) });
    let opened = 0;
    const open = (path: string) => {
      opened++;
      return files.open(path);
    };
    const counting = { ...files, open };
    const [sequence] = (await readAsset(counting, ['walk'])).sequences;
    const before = opened;
    for (let pass = 0; pass < 3; pass++) {
      for (const k of [0, 1]) expect(await sequence.readFrame(k)).toEqual(moved(k + 1));
    }
    expect(opened - before).toBe(2);
    // Whoever reads may change what was read.
    (await sequence.readFrame(0)).fill(0);
    expect(await sequence.readFrame(0)).toEqual(moved(1));
  });

  it('has the file named rest as rest pose, not as frame', async () => {
    const { sequence } = await read({ 'walk/rest.obj': obj(0), 'walk/f2.obj': obj(2), 'walk/f1.obj': obj(1) });
    expect(sequence.frameCount).toBe(2);
    expect(sequence.rest.positions).toEqual(moved(0));
  });

  it('takes another rest pose, by file or by number', async () => {
    const contents = { 'walk/f1.obj': obj(1), 'walk/f2.obj': obj(2), 'walk/f3.obj': obj(3), 'bind.obj': obj(7) };
    expect((await read(contents, { rest: 'bind.obj' })).sequence.rest.positions).toEqual(moved(7));
    const byNumber = (await read(contents, { rest: '2' })).sequence;
    expect(byNumber.rest.positions).toEqual(moved(3));
    expect(byNumber.frameCount).toBe(3);
    await expectRefusal(read(contents, { rest: '3' }), 'bad-option', { values: [3, 0, 2] });
    await expectRefusal(read(contents, { rest: 'none.obj' }), 'not-found', { file: 'none.obj' });
  });

  it('has the rate that was asked for', async () => {
    const { sequence } = await read({ 'walk/f1.obj': obj(1), 'walk/f2.obj': obj(2) }, { framesPerSecond: 10 });
    expect([...sequence.times]).toEqual([0, 0.1]);
  });

  it('may write the same faces differently', async () => {
    const { sequence } = await read({ 'walk/1.obj': obj(1), 'walk/2.obj': obj(2, 'f -4 -3 \\\n -2 -1') });
    expect(await sequence.readFrame(1)).toEqual(moved(2));
  });

  it('keeps the triangles of the rest pose though a polygon would be cut otherwise later', async () => {
    // Flattened along the other diagonal the quad prefers the other cut.
    const thin = 'v 0 0 0\nv 0.1 0 0\nv 5 5 0\nv 0 0.1 0\nf 1 2 3 4\n';
    const { sequence } = await read({ 'walk/1.obj': obj(0), 'walk/2.obj': thin });
    expect((await sequence.readFrame(1))[6]).toBe(5);
  });

  it('refuses a frame with other vertices or faces, naming it', async () => {
    const refuse = async (second: string, facts: Refusal) => {
      const files = memoryFiles({ 'walk/1.obj': obj(0), 'walk/2.obj': second });
      const { sequences } = await readAsset(files, ['walk']);
      await expectRefusal(sequences[0].readFrame(1), 'bad-file', facts);
      expect(files.openCount()).toBe(0);
    };
    await refuse(`v 9 9 9\n${obj(0)}`, { file: 'walk/2.obj', values: [5, 4, '1.obj'] });
    await refuse(obj(0, 'f 1 2 3\n'), { file: 'walk/2.obj', values: ['1.obj', 0, 3, 4] });
    await refuse(obj(0, 'f 1 2 3 4\nf 1 2 3\n'), { values: [2, 1] });
    await refuse(obj(0, 'f 2 3 4 1\n'), { values: [0, 1, 0] });
    await refuse(obj(0, 'f 1 2 3 5\n'), { file: 'walk/2.obj', line: 5, values: [5] });
    await refuse(obj(0).replace('v 1 0 0', 'v 1 nan 0'), { file: 'walk/2.obj', line: 2, values: ['nan'] });
    await refuse('PLY?', { file: 'walk/2.obj' });
  });

  it.each(['ascii', 'binary_little_endian'])('reads PLY (%s)', async (format) => {
    const ply = (by: number, face = [0, 1, 2, 3]) =>
      plyFile(format, {
        vertex: ['x', 'y', 'z'].map((name, c) => ({
          type: 'float',
          name,
          rows: [...moved(by)].filter((_, at) => at % 3 === c),
        })),
        face: [{ type: 'int', countType: 'uchar', name: 'vertex_indices', rows: [face] }],
      });
    const { sequence } = await read({ 'walk/1.ply': ply(1), 'walk/2.ply': ply(2) });
    expect(await sequence.readFrame(1)).toEqual(moved(2));
    const other = await readAsset(memoryFiles({ 'walk/1.ply': ply(1), 'walk/2.ply': ply(2, [0, 1, 2]) }), ['walk']);
    await expectRefusal(other.sequences[0].readFrame(1), 'bad-file', { file: 'walk/2.ply', values: ['1.ply'] });
  });

  it('reads OFF', async () => {
    const off = (by: number) => `OFF\n4 1 0\n${obj(by, '').replaceAll('v ', '')}4 0 1 2 3\n`;
    const { sequence } = await read({ 'walk/1.off': off(1), 'walk/2.off': off(2) });
    expect(await sequence.readFrame(1)).toEqual(moved(2));
  });
});

describe('writeObjSequence', () => {
  it('reads back equal', async () => {
    const rest: Mesh = {
      name: 'sheet',
      positions: Float32Array.from(QUAD),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
      uvs: Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1),
      normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    };
    const frames = Array.from({ length: 12 }, (_, k) => Float32Array.from(QUAD, (x, c) => Math.sin(x + k + c)));
    const folder = memoryFolder('walk/');
    const progress: number[] = [];
    await writeObjSequence(memorySequence('walk', rest, frames), folder, { onProgress: (done) => progress.push(done) });
    expect(progress.at(-1)).toBe(12);

    const contents = folder.contents();
    expect(Object.keys(contents)).toEqual([
      'walk/rest.obj',
      ...Array.from({ length: 12 }, (_, k) => `walk/frame-${String(k).padStart(4, '0')}.obj`),
    ]);
    const { sequence } = await read(contents);
    expect(sequence.rest).toEqual(rest);
    for (const [k, frame] of frames.entries()) expect(await sequence.readFrame(k)).toEqual(frame);

    // Each file stands for itself: with the normals of its own surface.
    const alone = await readAsset(memoryFiles(contents), ['walk/frame-0003.obj']);
    expect(alone.meshes[0].positions).toEqual(frames[3]);
    expect(alone.meshes[0].uvs).toEqual(rest.uvs);
    expect(alone.meshes[0].normals).not.toEqual(rest.normals);
    expect(writeObj({ ...alone.meshes[0], name: 'sheet' })).toEqual(contents['walk/frame-0003.obj']);
  });

  it('stops when asked', async () => {
    const rest: Mesh = { positions: Float32Array.from(QUAD), triangles: new Uint32Array(0) };
    const writing = writeObjSequence(memorySequence('walk', rest, [rest.positions]), memoryFolder(''), {
      signal: AbortSignal.abort(),
    });
    await expectRefusal(writing, 'cancelled', { values: ['writeObjSequence'] });
  });
});
