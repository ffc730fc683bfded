import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readEnvironment } from '../../src/io/read-environment.ts';
import { readExr } from '../../src/io/read-exr.ts';
import type { Note } from '../../src/model/note.ts';

const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(new URL(`fixtures/${name}.exr`, import.meta.url)));
const read = (bytes: Uint8Array, notes: Note[] = []) => readExr(memorySource('sky.exr', bytes), notes);

/** The picture of fixtures/make-exr.cpp; channel 0 is red. */
const valueAt = (x: number, y: number, c: number): number =>
  y > 28 ? 0.25 * c : ((x * x * 7 + y * 13 * (c + 1) + x * y) % 1999) / 64;
const PICTURE = Array.from({ length: 35 * 21 * 3 }, (_, q) =>
  valueAt(Math.floor(q / 3) % 21, Math.floor(q / 63), q % 3),
);

/** Sets a sample of a plain half picture: channels A B G R, line by line. */
function withHalf(x: number, y: number, half: number): Uint8Array {
  const bytes = fixture('none-half');
  const start = bytes.length - 35 * (8 + 21 * 4 * 2);
  new DataView(bytes.buffer).setUint16(start + y * (8 + 168) + 8 + 2 * (3 * 21 + x), half, true);
  return bytes;
}

describe('readExr', () => {
  it.each(['none', 'rle', 'zips', 'zip', 'piz', 'pxr24'].flatMap((name) => [`${name}-half`, `${name}-float`]))(
    'reads %s as OpenEXR wrote it',
    async (name) => {
      const map = await read(fixture(name));
      expect([map.width, map.height]).toEqual([21, 35]);
      expect(Array.from(map.pixels)).toEqual(PICTURE);
    },
  );

  it('names a compression that it does not know', async () => {
    await expect(read(fixture('dwaa-half'))).rejects.toMatchObject({
      code: 'unsupported',
      file: 'sky.exr',
      message: expect.stringContaining('DWAA'),
    });
    const bytes = fixture('none-half');
    bytes[Buffer.from(bytes).indexOf('compression\0compression\0') + 28] = 77;
    await expect(read(bytes)).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('77') });
  });

  it.each([
    ['NaN', 0x7e00],
    ['infinite', 0x7c00],
    ['negative', 0xbc00],
  ])('refuses a %s value, and says where it is', async (_, half) => {
    await expect(read(withHalf(4, 7, half))).rejects.toMatchObject({
      code: 'bad-file',
      file: 'sky.exr',
      message: expect.stringMatching(/column 4 of row 7/),
    });
    expect((await read(withHalf(4, 7, 0x3c01))).pixels[3 * (7 * 21 + 4)]).toBe(1 + 1 / 1024);
    expect((await read(withHalf(4, 7, 3))).pixels[3 * (7 * 21 + 4)]).toBe(3 * 2 ** -24);
  });

  it.each([
    ['tiles', 0x2],
    ['deep', 0x8],
    ['several parts', 0x10],
  ])('refuses %s', async (_, flag) => {
    const bytes = fixture('zip-half');
    bytes[5] |= flag;
    await expect(read(bytes)).rejects.toMatchObject({ code: 'unsupported', file: 'sky.exr' });
  });

  it('finds the colours of a layer, a single channel, and misses none', async () => {
    const names = (to: string) => {
      const bytes = fixture('none-half');
      const start = Buffer.from(bytes).indexOf('channels\0chlist\0') + 20;
      [...to].forEach((letter, c) => {
        bytes[start + 18 * c] = letter.charCodeAt(0);
      });
      return bytes;
    };
    expect(Array.from((await read(names('ABGR'))).pixels)).toEqual(PICTURE);
    expect(Array.from((await read(names('abgr'))).pixels)).toEqual(PICTURE);
    const grey = PICTURE.map((_, q) => PICTURE[q - (q % 3)]);
    expect(Array.from((await read(names('ABGY'))).pixels)).toEqual(grey);
    await expect(read(names('ABGQ'))).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('refuses what ends early', async () => {
    for (const name of ['none-half', 'zip-half', 'piz-float', 'rle-half']) {
      const bytes = fixture(name);
      for (const part of [0, 0.01, 0.03, 0.1, 0.5, 0.99]) {
        const cut = bytes.slice(0, Math.floor(part * bytes.length));
        await expect(read(cut), `${name} ${part}`).rejects.toMatchObject({ code: 'bad-file', file: 'sky.exr' });
      }
    }
  });

  it('is found by its first bytes', async () => {
    const map = await readEnvironment(memorySource('sky', fixture('piz-half')));
    expect(Array.from(map.pixels)).toEqual(PICTURE);
  });
});
