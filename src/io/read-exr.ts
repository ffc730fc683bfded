import { PliantError } from '../error.ts';
import { type EnvironmentMap, validateEnvironment } from '../model/environment.ts';
import { type Note, note } from '../model/note.ts';
import { type ExrChannel, type ExrHeader, readExrHeader } from './exr/header.ts';
import { COMPRESSIONS, unpack } from './exr/unpack.ts';
import { type ByteSource, readAll } from './files.ts';
import { requirePixels } from './picture-size.ts';
import { hasOtherPrimaries } from './primaries.ts';

/**
 * OpenEXR pictures ("OpenEXR File Layout", Academy Software Foundation): one part of scan lines, of half, float or whole
 * numbers. A header, offsets of chunks, chunks of one to 32 lines; a line has all samples of its first channel, then
 * those of the next.
 */
const OPERATION = 'readExr';

/** No compression of the format packs more bytes into one: that of a long run in deflate. */
const MOST_PACKED = 1032;

const SAMPLE_BYTES = { uint: 4, half: 2, float: 4 };

/** The map of an OpenEXR file: its channels R, G and B, or Y, of the layer that has them. */
export async function readExr(source: ByteSource, notes: Note[] = []): Promise<EnvironmentMap> {
  const bytes = await readAll(source, OPERATION);
  const file = source.name;
  const fail = (cause: string, offset?: number, code: 'bad-file' | 'unsupported' = 'bad-file'): never => {
    throw new PliantError(code, OPERATION, cause, { file, offset });
  };

  // (1) What is there, and whether it can be.
  const header = readExrHeader(bytes, fail);
  const compression = COMPRESSIONS[header.compression];
  if (!compression?.lines) {
    const known = COMPRESSIONS.filter(({ lines }) => lines).map(({ name }) => name);
    const name = compression?.name ?? `number ${header.compression}`;
    fail(`compression ${name} (expected one of ${known.join(', ')})`, undefined, 'unsupported');
  }
  const { width, height, channels } = header;
  const pixelBytes = channels.reduce((sum, { type }) => sum + SAMPLE_BYTES[type], 0);
  requirePixels(width, height, (MOST_PACKED * bytes.length) / pixelBytes, OPERATION, file);
  const wanted = colourChannels(channels, fail);
  if (hasOtherPrimaries(header.chromaticities)) notes.push(note('not-read', { what: 'primaries' }));

  // (2) Chunk after chunk.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = compression.lines!;
  const chunks = Math.ceil(height / lines);
  if (header.end + 8 * chunks > bytes.length) fail('the table of chunks ends early', header.end);
  const pixels = new Float32Array(3 * width * height);
  const seen = new Uint8Array(chunks);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const at = Number(view.getBigUint64(header.end + 8 * chunk, true));
    if (!(at >= header.end && at + 8 <= bytes.length)) fail(`chunk ${chunk} of ${chunks} is missing`);
    const top = view.getInt32(at, true) - header.top;
    const size = view.getUint32(at + 4, true);
    const place = top / lines;
    if (!(Number.isInteger(place) && place >= 0 && place < chunks) || seen[place]++ > 0) {
      fail(`a chunk of lines that begin at ${top}`, at);
    }
    const count = Math.min(lines, height - top);
    if (size > bytes.length - at - 8) fail('a chunk ends early', at);
    const packed = bytes.slice(at + 8, at + 8 + size) as Uint8Array<ArrayBuffer>;
    const plain = await unpack(header.compression, packed, {
      width,
      lines: count,
      channels,
      lineBytes: width * pixelBytes,
    });
    if (!plain) fail('a damaged chunk', at);
    readLines(plain!, count, top, header, wanted, pixels);
  }

  const map: EnvironmentMap = { width, height, pixels };
  validateEnvironment(map, OPERATION, file);
  return map;
}

/** Which channels are red, green and blue. */
function colourChannels(
  channels: readonly ExrChannel[],
  fail: (cause: string, offset?: number, code?: 'unsupported') => never,
): number[] {
  const layers = channels.map(({ name }) => name.slice(0, name.lastIndexOf('.') + 1));
  for (const layer of ['', ...layers]) {
    for (const names of ['RGB', 'YYY', 'rgb']) {
      const found = [...names].map((letter) => channels.findIndex(({ name }) => name === layer + letter));
      if (found.every((at) => at >= 0)) return found;
    }
  }
  const names = channels.map(({ name }) => name).slice(0, 8);
  return fail(`channels ${names.join(', ')} (expected R, G and B)`, undefined, 'unsupported');
}

/** Puts `count` lines from `top` on into the picture. */
function readLines(
  plain: Uint8Array,
  count: number,
  top: number,
  { width, channels }: ExrHeader,
  wanted: readonly number[],
  pixels: Float32Array,
): void {
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  let at = 0;
  for (let line = 0; line < count; line++) {
    const row = 3 * (top + line) * width;
    for (const [index, { type }] of channels.entries()) {
      const size = SAMPLE_BYTES[type];
      for (let c = 0; c < 3; c++) {
        if (wanted[c] !== index) continue;
        for (let x = 0; x < width; x++) {
          const from = at + size * x;
          pixels[row + 3 * x + c] =
            type === 'half'
              ? halfToFloat(view.getUint16(from, true))
              : type === 'float'
                ? view.getFloat32(from, true)
                : view.getUint32(from, true);
        }
      }
      at += size * width;
    }
  }
}

/** IEEE 754 binary16. */
function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
