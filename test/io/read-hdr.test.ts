import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readEnvironment } from '../../src/io/read-environment.ts';
import { readHdr } from '../../src/io/read-hdr.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { Note } from '../../src/model/note.ts';
import { hdrFile, oldRow, packedRow } from './hdr-file.ts';
import { bytesOf } from './support.ts';

const read = (bytes: Uint8Array, notes: Note[] = []) => readHdr(memorySource('sky.hdr', bytes), notes);

const random = seededRandom(5);
/** Pixels with runs, none of which looks like the beginning of a packed row. */
const rowOf = (width: number): Uint8Array => {
  const row = new Uint8Array(4 * width);
  for (let x = 0; x < width; x++) {
    if (x > 0 && random() < 0.7) row.copyWithin(4 * x, 4 * x - 4, 4 * x);
    else row.set([3 + 250 * random(), 250 * random(), 250 * random(), 120 + 16 * random()].map(Math.floor), 4 * x);
  }
  return row;
};
const light = (rows: readonly Uint8Array[]): number[] =>
  rows.flatMap((row) =>
    Array.from({ length: (row.length / 4) * 3 }, (_, q) => {
      const x = Math.floor(q / 3);
      return row[4 * x + (q % 3)] * 2 ** (row[4 * x + 3] - 136);
    }),
  );

describe('readHdr', () => {
  it.each([
    ['plain', 5, (row: Uint8Array) => row],
    ['plain', 40, (row: Uint8Array) => row],
    ['packed', 40, packedRow],
    ['packed', 300, packedRow],
    ['old', 40, oldRow],
    ['old', 700, oldRow],
  ] as const)('reads %s rows of %i pixels', async (_, width, pack) => {
    const rows = [rowOf(width), new Uint8Array(4 * width).fill(130), rowOf(width)];
    const map = await read(hdrFile(`-Y 3 +X ${width}`, rows.map(pack)));
    expect([map.width, map.height]).toEqual([width, 3]);
    expect(Array.from(map.pixels)).toEqual(light(rows));
  });

  it.each(['-Y 2 +X 3', '+Y 2 +X 3', '-Y 2 -X 3', '+Y 2 -X 3', '+X 3 -Y 2', '-X 3 -Y 2', '+X 3 +Y 2', '-X 3 +Y 2'])(
    'puts rows of %s upright',
    async (size) => {
      // Pixel (column, row) from the top left has red 10 · column + row + 1.
      const [, sign1, axis1, sign2] = /(.)(.) \d (.)/.exec(size)!;
      const order = (axis: string, sign: string) => {
        const all = axis === 'X' ? [0, 1, 2] : [0, 1];
        return (axis === 'X') === (sign === '+') ? all : all.reverse();
      };
      const other = axis1 === 'X' ? 'Y' : 'X';
      const rows = order(axis1, sign1).map((a) =>
        Uint8Array.from(
          order(other, sign2).flatMap((b) => [axis1 === 'X' ? 10 * a + b + 1 : 10 * b + a + 1, 0, 0, 136]),
        ),
      );
      const { pixels } = await read(hdrFile(size, rows));
      expect(Array.from(pixels).filter((_, c) => c % 3 === 0)).toEqual([1, 11, 21, 2, 12, 22]);
    },
  );

  it('undoes exposures, and turns XYZ into red, green and blue', async () => {
    const white = Uint8Array.from([243, 255, 278 >> 1, 128]);
    const xyz = hdrFile('-Y 1 +X 1', [white]);
    const text = new TextDecoder('latin1').decode(xyz).replace('rgbe', 'xyze');
    const { pixels } = await read(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    expect(pixels[0]).toBeGreaterThan(0.9);
    expect(pixels[1]).toBeGreaterThan(0.9);
    const plain = await read(hdrFile('-Y 1 +X 1', [white]));
    const exposed = await read(hdrFile('-Y 1 +X 1', [white], ['EXPOSURE=2', 'EXPOSURE= 4']));
    expect(Array.from(exposed.pixels)).toEqual(Array.from(plain.pixels, (x) => x / 8));
  });

  it('says when colours have primaries that are not read', async () => {
    const pixel = Uint8Array.from([1, 2, 3, 130]);
    const notesFor = async (primaries: string) => {
      const notes: Note[] = [];
      await read(hdrFile('-Y 1 +X 1', [pixel], [`PRIMARIES=${primaries}`]), notes);
      return notes;
    };
    expect(await notesFor('0 0 0 0 0 0 0 0')).toEqual([]);
    expect(await notesFor('.640 .330 .290 .600 .150 .060 .333 .333')).toEqual([]);
    expect(await notesFor('.7347 .2653 0 1 .0001 -.077 .32168 .33767')).toEqual([
      { code: 'not-read', data: { what: 'primaries' } },
    ]);
  });

  it.each([
    ['no header', bytesOf('P6\n2 2\n'), 'bad-file'],
    ['another format', bytesOf('#?RADIANCE\nFORMAT=16-bit\n\n-Y 1 +X 1\n0000'), 'bad-file'],
    ['no size', bytesOf('#?RADIANCE\n\n2 2\n'), 'bad-file'],
    ['one axis', bytesOf('#?RADIANCE\n\n-Y 1 +Y 1\n0000'), 'bad-file'],
    ['no pixels', hdrFile('-Y 0 +X 4', []), 'bad-file'],
    ['too few rows', hdrFile('-Y 2 +X 5', [rowOf(5)]), 'bad-file'],
    ['more than fits', hdrFile('-Y 99999 +X 99999', [rowOf(5)]), 'too-large'],
    ['more than the bytes can say', hdrFile('-Y 9999 +X 9999', [rowOf(5)]), 'bad-file'],
    ['a run over the end', hdrFile('-Y 1 +X 8', [Uint8Array.from([2, 2, 0, 8, 255, 1])]), 'bad-file'],
    ['a row of another width', hdrFile('-Y 1 +X 9', [packedRow(rowOf(8))]), 'bad-file'],
    ['values beyond floats', hdrFile('-Y 1 +X 1', [Uint8Array.of(9, 9, 9, 255)], ['EXPOSURE=1e-30']), 'bad-file'],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ name: 'PliantError', code, file: 'sky.hdr' });
  });
});

describe('readEnvironment', () => {
  it('tells formats by their first bytes', async () => {
    const bytes = hdrFile('-Y 1 +X 1', [Uint8Array.of(1, 2, 3, 136)]);
    expect((await readEnvironment(memorySource('sky', bytes))).pixels).toEqual(Float32Array.of(1, 2, 3));
    for (const other of [bytesOf('v 0 0 0'), new Uint8Array(0)]) {
      await expect(readEnvironment(memorySource('sky', other))).rejects.toMatchObject({
        code: 'bad-file',
        file: 'sky',
      });
    }
  });
});
