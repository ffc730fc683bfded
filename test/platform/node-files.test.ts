import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createFileSink,
  createFolderSink,
  expandGlob,
  fileError,
  nodeFiles,
  removePartialFiles,
} from '../../src/platform/node/index.ts';
import { bytesOf } from '../io/support.ts';
import { expectRefusal } from '../refusal.ts';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pliant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mayEverything = process.getuid?.() === 0;

describe('nodeFiles', () => {
  it('reads pieces', async () => {
    writeFileSync(at('a.txt'), 'hello world');
    const source = await nodeFiles.open(at('a.txt'));
    expect(source.size).toBe(11);
    expect(new TextDecoder().decode(await source.read(6, 5))).toBe('world');
    expect((await source.read(11, 0)).length).toBe(0);
    await expectRefusal(source.read(6, 6), 'bad-file', { file: at('a.txt'), offset: 6, values: [11, 12] });
    await expectRefusal(source.read(-1, 2), 'bad-file');
    await source.close();
  });

  it('notices a file that shrinks', async () => {
    writeFileSync(at('a.txt'), 'hello world');
    const source = await nodeFiles.open(at('a.txt'));
    writeFileSync(at('a.txt'), 'hello');
    await expectRefusal(source.read(0, 11), 'bad-file', { values: [5] });
    await source.close();
  });

  it('says what a path is', async () => {
    writeFileSync(at('a.txt'), '');
    expect(await nodeFiles.kind(at('a.txt'))).toBe('file');
    expect(await nodeFiles.kind(folder)).toBe('folder');
    expect(await nodeFiles.kind(at('b.txt'))).toBe('missing');
    expect(await nodeFiles.kind(at('a.txt', 'b'))).toBe('missing');
  });

  it('lists files, not folders, and follows links', async () => {
    writeFileSync(at('a.txt'), '');
    mkdirSync(at('sub'));
    symlinkSync(at('a.txt'), at('link.txt'));
    symlinkSync(at('gone.txt'), at('broken.txt'));
    symlinkSync(at('sub'), at('to-sub'));
    expect((await nodeFiles.list(folder)).sort()).toEqual(['a.txt', 'link.txt']);
  });

  it('refuses what it cannot open', async () => {
    await expectRefusal(nodeFiles.open(at('none')), 'not-found');
    await expectRefusal(nodeFiles.open(folder), 'bad-file');
    await expectRefusal(nodeFiles.list(at('none')), 'not-found');
  });

  it.skipIf(mayEverything)('says when permission is missing (skipped: this user may everything)', async () => {
    writeFileSync(at('a.txt'), '');
    chmodSync(at('a.txt'), 0);
    await expectRefusal(nodeFiles.open(at('a.txt')), 'no-permission');
  });
});

describe('fileError', () => {
  it.each([
    ['ENOENT', 'not-found', 'write: a.glb: no such file or folder'],
    ['EACCES', 'no-permission', 'write: a.glb: permission denied'],
    ['EROFS', 'no-permission', 'write: a.glb: the file system is read-only'],
    ['ENOSPC', 'system', 'write: a.glb: the disk is full'],
    ['EFBIG', 'system', 'write: a.glb: the file is larger than the disk or a limit allows'],
    ['EMFILE', 'system', 'write: a.glb: what the system said'],
  ])('tells %s as %s', (code, expected, message) => {
    const error = fileError(Object.assign(new Error('what the system said'), { code }), 'write', 'a.glb');
    expect(error.code).toBe(expected);
    expect(error.message).toBe(message);
    expect(fileError(error, 'other', 'b')).toBe(error);
  });
});

describe('createFileSink', () => {
  const entries = () => readdirSync(folder).sort();

  it('shows the file only when it is closed', async () => {
    const sink = await createFileSink(at('out.glb'));
    await sink.write(bytesOf('ab'));
    await sink.write(bytesOf('c'));
    expect(existsSync(at('out.glb'))).toBe(false);
    await sink.close();
    await sink.abort();
    expect(readFileSync(at('out.glb'), 'utf8')).toBe('abc');
    expect(entries()).toEqual(['out.glb']);
  });

  it('leaves nothing when aborted', async () => {
    const sink = await createFileSink(at('out.glb'));
    await sink.write(bytesOf('ab'));
    await sink.abort();
    await sink.abort();
    expect(entries()).toEqual([]);
  });

  it('leaves nothing when interrupted', async () => {
    const sink = await createFileSink(at('out.glb'));
    await sink.write(bytesOf('ab'));
    const frames = await createFolderSink(at('frames'));
    const frame = await frames.file('frame-0000.obj');
    await frame.write(bytesOf('v'));
    removePartialFiles();
    expect(entries()).toEqual([]);
    await sink.abort();
    await frames.abort();
  });

  it('removes what a killed run to the same place has left, and nothing else', async () => {
    // No system has so many processes.
    const dead = 2 ** 31 - 2;
    const name = (file: string, pid: number) => `.${file}.${pid}-0123456789ab.part`;
    const others = [
      name('other.glb', dead),
      name('out.glb', process.ppid),
      '.out.glb.part',
      `${name('out.glb', dead)}.keep`,
    ].sort();
    for (const file of [...others, name('out.glb', dead)]) writeFileSync(at(file), '');
    mkdirSync(at(name('frames', dead)));
    writeFileSync(at(name('frames', dead), 'frame-0000.obj'), '');
    for (const file of entries()) utimesSync(at(file), 0, 0);
    const young = `.out.glb.${dead}-ba9876543210.part`;
    writeFileSync(at(young), '');
    await (await createFileSink(at('out.glb'))).abort();
    await (await createFolderSink(at('frames'))).abort();
    expect(entries()).toEqual([...others, young].sort());
  });

  it('replaces only with force', async () => {
    writeFileSync(at('out.glb'), 'old');
    await expect(createFileSink(at('out.glb'))).rejects.toMatchObject({
      code: 'exists',
      reason: 'output-exists',
      file: at('out.glb'),
    });
    const sink = await createFileSink(at('out.glb'), { force: true });
    await sink.write(bytesOf('new'));
    expect(readFileSync(at('out.glb'), 'utf8')).toBe('old');
    await sink.close();
    expect(readFileSync(at('out.glb'), 'utf8')).toBe('new');
  });

  it('refuses when the file came into being meanwhile', async () => {
    const sink = await createFileSink(at('out.glb'));
    writeFileSync(at('out.glb'), 'other');
    await expectRefusal(sink.close(), 'exists', { reason: 'output-exists' });
    expect(entries()).toEqual(['out.glb']);
    expect(readFileSync(at('out.glb'), 'utf8')).toBe('other');
  });

  it('writes through a link', async () => {
    writeFileSync(at('real.glb'), 'old');
    symlinkSync(at('real.glb'), at('link.glb'));
    const sink = await createFileSink(at('link.glb'), { force: true });
    await sink.write(bytesOf('new'));
    await sink.close();
    expect(readFileSync(at('real.glb'), 'utf8')).toBe('new');
    expect(entries()).toEqual(['link.glb', 'real.glb']);
  });

  it('refuses folders, devices and missing folders', async () => {
    mkdirSync(at('sub'));
    await expectRefusal(createFileSink(at('sub'), { force: true }), 'exists');
    await expectRefusal(createFileSink('/dev/null', { force: true }), 'exists', { file: '/dev/null' });
    await expectRefusal(createFileSink(at('none', 'out.glb')), 'not-found');
    writeFileSync(at('file'), '');
    await expectRefusal(createFileSink(at('file', 'out.glb')), 'not-found');
  });

  it.skipIf(mayEverything)('says when it may not write (skipped: this user may everything)', async () => {
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o555);
    await expectRefusal(createFileSink(at('closed', 'out.glb')), 'no-permission');
  });
});

describe('createFolderSink', () => {
  const write = async (force = false) => {
    const sink = await createFolderSink(at('frames/'), { force });
    for (const name of ['rest.obj', 'frame-0000.obj']) {
      const file = await sink.file(name);
      await file.write(bytesOf(name));
      await file.close();
    }
    return sink;
  };

  it('shows the folder only when it is closed', async () => {
    const sink = await write();
    expect(existsSync(at('frames'))).toBe(false);
    await sink.close();
    await sink.abort();
    expect(readdirSync(folder)).toEqual(['frames']);
    expect(readdirSync(at('frames')).sort()).toEqual(['frame-0000.obj', 'rest.obj']);
  });

  it('leaves nothing when aborted', async () => {
    await (await write()).abort();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fills an empty folder, and replaces its own frames with force', async () => {
    mkdirSync(at('frames'));
    await (await write()).close();
    await expect(write()).rejects.toMatchObject({ code: 'exists', reason: 'output-exists' });
    writeFileSync(at('frames', 'frame-0001.obj'), '');
    await (await write(true)).close();
    expect(readdirSync(at('frames')).sort()).toEqual(['frame-0000.obj', 'rest.obj']);
    expect(readdirSync(folder)).toEqual(['frames']);
  });

  it('never replaces what it did not write', async () => {
    mkdirSync(at('frames'));
    writeFileSync(at('frames', 'thesis.doc'), 'years of work');
    await expectRefusal(write(true), 'exists', { values: ['thesis.doc'] });
    rmSync(at('frames', 'thesis.doc'));
    mkdirSync(at('frames', 'frame-0000.obj'));
    await expectRefusal(write(true), 'exists', { values: ['frame-0000.obj'] });
    rmSync(at('frames'), { recursive: true });
    writeFileSync(at('frames'), '');
    await expectRefusal(write(true), 'exists');
    expect(readdirSync(folder)).toEqual(['frames']);
  });

  it('refuses when something came into the folder meanwhile', async () => {
    const sink = await write();
    mkdirSync(at('frames'));
    writeFileSync(at('frames', 'thesis.doc'), '');
    await expectRefusal(sink.close(), 'exists', { values: ['thesis.doc'] });
    expect(readdirSync(folder)).toEqual(['frames']);
  });
});

describe('expandGlob', () => {
  it('finds files, and leaves plain paths alone', async () => {
    for (const name of ['a1.obj', 'a2.obj', 'b.txt']) writeFileSync(at(name), '');
    mkdirSync(at('c.obj'));
    expect(await expandGlob(at('*.obj'))).toEqual([at('a1.obj'), at('a2.obj')]);
    expect(await expandGlob(at('*.ply'))).toEqual([]);
    expect(await expandGlob(at('none.obj'))).toEqual([at('none.obj')]);
    writeFileSync(at('a[1].obj'), '');
    expect(await expandGlob(at('a[1].obj'))).toEqual([at('a[1].obj')]);
  });
});
