import { PliantError } from '../error.ts';
import { type EnvironmentMap, validateEnvironment } from '../model/environment.ts';
import { type Note, note } from '../model/note.ts';
import { type ByteSource, readAll } from './files.ts';
import { requirePixels } from './picture-size.ts';
import { hasOtherPrimaries } from './primaries.ts';

/**
 * Radiance pictures (.hdr, .pic): Ward 1991, "Real pixels", and the file format of the Radiance manual. A header of lines,
 * the size, then rows of red, green, blue and a common exponent: plain, as runs of equal pixels (old), or as runs of each
 * of the four (new). Rows may begin at any corner and run either way.
 */
const OPERATION = 'readHdr';

/** CIE XYZ to linear sRGB (IEC 61966-2-1), row-major. */
const RGB_FROM_XYZ = [3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.204, 1.057];

/** 4 bytes of an old run are up to 255 pixels. Longer runs, of runs in a row, could claim any size. */
const MOST_PIXELS_PER_BYTE = 64;

interface Header {
  width: number;
  height: number;
  /** Which way rows of the file run. */
  columnsFirst: boolean;
  upwards: boolean;
  leftwards: boolean;
  xyz: boolean;
  /** What values were multiplied by. */
  exposure: number;
  /** x and y of red, green, blue and white; empty when not said. */
  primaries: number[];
  /** Where the pixels begin. */
  start: number;
}

/** The map of a Radiance file. */
export async function readHdr(source: ByteSource, notes: Note[] = []): Promise<EnvironmentMap> {
  const bytes = await readAll(source, OPERATION);
  const file = source.name;
  const header = readHeader(bytes, file);
  const { width, height, columnsFirst } = header;
  if (hasOtherPrimaries(header.primaries)) notes.push(note('not-read', { what: 'primaries' }));
  requirePixels(width, height, MOST_PIXELS_PER_BYTE * bytes.length, OPERATION, file);

  // (1) Rows as they are in the file: `count` of `length` pixels.
  const length = columnsFirst ? height : width;
  const count = columnsFirst ? width : height;
  const rgbe = new Uint8Array(4 * width * height);
  let at = header.start;
  for (let row = 0; row < count; row++) {
    at = readRow(bytes, at, rgbe.subarray(4 * row * length, 4 * (row + 1) * length), file);
  }

  // (2) To radiance, from the top left on.
  const pixels = new Float32Array(3 * width * height);
  // ldexp(mantissa, exponent − 136); an exponent of 0 is black.
  const scales = Float64Array.from({ length: 256 }, (_, e) => (e === 0 ? 0 : 2 ** (e - 136) / header.exposure));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const down = header.upwards ? height - 1 - row : row;
      const along = header.leftwards ? width - 1 - column : column;
      const from = 4 * (columnsFirst ? along * length + down : down * length + along);
      const scale = scales[rgbe[from + 3]];
      const to = 3 * (row * width + column);
      for (let c = 0; c < 3; c++) pixels[to + c] = rgbe[from + c] * scale;
    }
  }
  if (header.xyz) toRgb(pixels);
  const map: EnvironmentMap = { width, height, pixels };
  validateEnvironment(map, OPERATION, file);
  return map;
}

function readHeader(bytes: Uint8Array, file: string): Header {
  let at = 0;
  let line = 0;
  const fail = (cause: string): never => {
    throw new PliantError('bad-file', OPERATION, cause, { file, line });
  };
  const nextLine = (): string => {
    const end = bytes.indexOf(10, at);
    line++;
    if (end < 0 || end - at > 4096) fail('the header does not end');
    const text = new TextDecoder('latin1').decode(bytes.subarray(at, end)).replace(/\r$/, '');
    at = end + 1;
    return text;
  };

  const magic = nextLine();
  if (!magic.startsWith('#?')) fail(`got "${magic.slice(0, 24)}" (expected #?RADIANCE)`);
  let xyz = false;
  let exposure = 1;
  let primaries: number[] = [];
  for (let text = nextLine(); text !== ''; text = nextLine()) {
    const [key, value = ''] = text.split(/=(.*)/);
    if (key === 'FORMAT') {
      if (value.trim() !== '32-bit_rle_rgbe' && value.trim() !== '32-bit_rle_xyze') {
        fail(`FORMAT (got ${value.slice(0, 40)}, expected 32-bit_rle_rgbe or 32-bit_rle_xyze)`);
      }
      xyz = value.trim() === '32-bit_rle_xyze';
    } else if (key === 'EXPOSURE') {
      const factor = Number(value);
      if (!(factor > 0 && factor < Infinity)) fail(`EXPOSURE (got ${value.slice(0, 40)}, expected a number > 0)`);
      exposure *= factor;
    } else if (key === 'PRIMARIES') {
      primaries = value.trim().split(/\s+/).map(Number);
    }
  }
  const size = nextLine();
  const found = /^([+-])([XY]) (\d{1,9}) ([+-])([XY]) (\d{1,9})$/.exec(size);
  if (!found || found[2] === found[5]) fail(`size (got "${size.slice(0, 40)}", expected -Y height +X width)`);
  const [, sign1, axis1, count1, sign2, , count2] = found!;
  const columnsFirst = axis1 === 'X';
  return {
    width: Number(columnsFirst ? count1 : count2),
    height: Number(columnsFirst ? count2 : count1),
    columnsFirst,
    upwards: (columnsFirst ? sign2 : sign1) === '+',
    leftwards: (columnsFirst ? sign1 : sign2) === '-',
    xyz,
    exposure,
    primaries,
    start: at,
  };
}

/** Reads a row (4 bytes per pixel) that begins at `at`; returns where the next one does. */
function readRow(bytes: Uint8Array, at: number, row: Uint8Array, file: string): number {
  const width = row.length / 4;
  const isNew = bytes[at] === 2 && bytes[at + 1] === 2 && bytes[at + 2] < 128;
  if (width < 8 || width > 0x7fff || !isNew) return readOldRow(bytes, at, row, file);
  const stored = (bytes[at + 2] << 8) | bytes[at + 3];
  if (stored !== width) fail(`row of ${stored} pixels (expected ${width})`, file, at);
  at += 4;
  for (let c = 0; c < 4; c++) {
    for (let column = 0; column < width; ) {
      let count = bytes[at++];
      const isRun = count > 128;
      if (isRun) count -= 128;
      const end = at + (isRun ? 1 : count);
      if (!(end <= bytes.length)) fail('the picture ends early', file, bytes.length);
      if (count === 0 || column + count > width) fail(`run of ${count} pixels in a row`, file, at - 1);
      for (; count > 0; count--) row[4 * column++ + c] = isRun ? bytes[at] : bytes[at++];
      if (isRun) at++;
    }
  }
  return at;
}

/** Plain pixels, with 1 1 1 n for n more of the one before; such runs in a row count in ever higher bytes. */
function readOldRow(bytes: Uint8Array, at: number, row: Uint8Array, file: string): number {
  let shift = 0;
  for (let to = 0; to < row.length; at += 4) {
    if (at + 4 > bytes.length) fail('the picture ends early', file, bytes.length);
    if (bytes[at] === 1 && bytes[at + 1] === 1 && bytes[at + 2] === 1) {
      const count = bytes[at + 3] * 2 ** shift;
      if (to === 0 || to + 4 * count > row.length) fail(`run of ${count} pixels in a row`, file, at);
      for (const end = to + 4 * count; to < end; to++) row[to] = row[to - 4];
      shift += 8;
    } else {
      for (let c = 0; c < 4; c++) row[to++] = bytes[at + c];
      shift = 0;
    }
  }
  return at;
}

function fail(cause: string, file: string, offset: number): never {
  throw new PliantError('bad-file', OPERATION, cause, { file, offset });
}

/** Colours that sRGB has not become black in a channel: light is never negative. */
function toRgb(pixels: Float32Array): void {
  const m = RGB_FROM_XYZ;
  for (let p = 0; p < pixels.length; p += 3) {
    const [x, y, z] = pixels.subarray(p, p + 3);
    for (let c = 0; c < 3; c++) {
      pixels[p + c] = Math.max(0, m[3 * c] * x + m[3 * c + 1] * y + m[3 * c + 2] * z);
    }
  }
}
