import { PliantError } from '../error.ts';
import { concatBytes } from '../math/bytes.ts';
import { inflate } from './inflate.ts';

/** PNG files (ISO/IEC 15948) of 8 or 16 bits per channel, compressed by the platform's own deflate. */

/** Rows from top to bottom. Channels: grey; grey and alpha; red, green, blue; red, green, blue and alpha (not premultiplied). */
export interface PngImage {
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
  /** width · height · channels. */
  samples: Uint8Array | Uint16Array;
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** Of 1 to 4 channels. */
const COLOUR_TYPES = [0, 4, 2, 6];

export async function encodePng(image: PngImage): Promise<Uint8Array> {
  return concatBytes([pngHead(image), pngChunk('IDAT', await pngPixels(image)), PNG_END]);
}

/** What a PNG begins with. */
export function pngHead({ width, height, channels, samples }: PngImage): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8 * samples.BYTES_PER_ELEMENT, COLOUR_TYPES[channels - 1], 0, 0, 0], 8);
  return concatBytes([Uint8Array.from(SIGNATURE), pngChunk('IHDR', header)]);
}

/** The pixels as chunks hold them. */
export const pngPixels = ({ height, channels, samples }: PngImage): Promise<Uint8Array> =>
  deflate(filterRows(bytesOf(samples), height, channels * samples.BYTES_PER_ELEMENT));

/**
 * The samples of a PNG of a known size, channels and depth, as `encodePng` writes them; throws `bad-input` for any other.
 * Bytes that unpack to more than that are not unpacked.
 */
export async function decodePng(
  bytes: Uint8Array,
  expected: Omit<PngImage, 'samples'> & { bits: 8 | 16 },
  place: string,
): Promise<Uint8Array | Uint16Array> {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'decodePng', `${place}: ${cause}`);
  };
  if (SIGNATURE.some((byte, c) => bytes[c] !== byte)) fail('not a PNG');
  const { width, height, channels, bits } = expected;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array[] = [];
  let header = false;
  let at = 8;
  for (let end = false; !end; ) {
    if (at + 12 > bytes.length) fail('the PNG ends early');
    const length = view.getUint32(at);
    if (at + 12 + length > bytes.length) fail('the PNG ends early');
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) fail(`${type} is damaged`);
    if (type === 'IHDR' && length === 13) {
      header = true;
      const found = [view.getUint32(at + 8), view.getUint32(at + 12), bytes[at + 16], bytes[at + 17], bytes[at + 20]];
      const wanted = [width, height, bits, COLOUR_TYPES[channels - 1], 0];
      if (found.some((x, c) => x !== wanted[c])) {
        fail(`PNG of ${found.join(' ')} (expected width, height, bits, colour type, interlace ${wanted.join(' ')})`);
      }
    } else if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    end = type === 'IEND';
    at += 12 + length;
  }
  if (!header) fail('the PNG has no header');
  const pixel = (channels * bits) / 8;
  const rows = await inflate(concatBytes(data), height * (width * pixel + 1));
  if (!rows) fail(`pixels of another size (expected ${width} × ${height})`);
  const plain = unfilterRows(rows!, height, pixel);
  if (!plain) fail('unknown filter');
  return bits === 8 ? plain! : wordsOf(plain!);
}

/** Samples as bytes, the most significant first. */
function bytesOf(samples: Uint8Array | Uint16Array): Uint8Array {
  if (samples instanceof Uint8Array) return samples;
  const out = new Uint8Array(2 * samples.length);
  for (let c = 0; c < samples.length; c++) {
    out[2 * c] = samples[c] >> 8;
    out[2 * c + 1] = samples[c] & 255;
  }
  return out;
}

const wordsOf = (bytes: Uint8Array): Uint16Array =>
  Uint16Array.from({ length: bytes.length / 2 }, (_, c) => (bytes[2 * c] << 8) | bytes[2 * c + 1]);

/** The filters that renderings gain from: sub, up and Paeth (§9.2). */
const FILTERS = [1, 2, 4];

/** Each row with the filter whose differences are smallest in sum, the heuristic that the standard recommends (§12.8). */
function filterRows(bytes: Uint8Array, height: number, pixel: number): Uint8Array<ArrayBuffer> {
  const stride = bytes.length / height;
  const out = new Uint8Array(height * (stride + 1));
  const trial = new Uint8Array(stride);
  for (let row = 0; row < height; row++) {
    const at = row * stride;
    let least = Infinity;
    for (const filter of FILTERS) {
      if (least === 0) break;
      let sum = 0;
      for (let c = 0; c < stride; c++) {
        const left = c >= pixel ? bytes[at + c - pixel] : 0;
        const up = row > 0 ? bytes[at + c - stride] : 0;
        const corner = c >= pixel && row > 0 ? bytes[at + c - pixel - stride] : 0;
        const difference = (bytes[at + c] - predicted(filter, left, up, corner)) & 255;
        trial[c] = difference;
        sum += difference < 128 ? difference : 256 - difference;
      }
      if (sum >= least) continue;
      least = sum;
      out[row * (stride + 1)] = filter;
      out.set(trial, row * (stride + 1) + 1);
    }
  }
  return out;
}

/** The way back; undefined for a filter that there is not. */
function unfilterRows(rows: Uint8Array, height: number, pixel: number): Uint8Array | undefined {
  const stride = rows.length / height - 1;
  const out = new Uint8Array(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (stride + 1)];
    if (filter > 4) return undefined;
    const at = row * stride;
    for (let c = 0; c < stride; c++) {
      const left = c >= pixel ? out[at + c - pixel] : 0;
      const up = row > 0 ? out[at + c - stride] : 0;
      const corner = c >= pixel && row > 0 ? out[at + c - pixel - stride] : 0;
      out[at + c] = rows[row * (stride + 1) + 1 + c] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

/** What a filter expects a byte to be. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new CompressionStream('deflate');
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const parts: Uint8Array[] = [];
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value) parts.push(value);
  }
  await written;
  return concatBytes(parts);
}

/** Length, type, data and the check sum of both (§5.3). */
export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let c = 0; c < 4; c++) out[4 + c] = type.charCodeAt(c);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = CRC_TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** What a PNG ends with. */
export const PNG_END = pngChunk('IEND', new Uint8Array(0));
