import { concatBytes } from '../math/bytes.ts';

/** PNG files (ISO/IEC 15948) of 8 bits per channel, compressed by the platform's own deflate. */

/** Rows from top to bottom. Channels: 2 are grey and alpha, 4 are red, green, blue and alpha; alpha is not premultiplied. */
export interface Picture {
  width: number;
  height: number;
  channels: 2 | 4;
  /** width · height · channels. */
  pixels: Uint8Array;
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const COLOUR_TYPE = { 2: 4, 4: 6 } as const;

export async function encodePng(picture: Picture): Promise<Uint8Array> {
  const { width, height, channels } = picture;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, COLOUR_TYPE[channels], 0, 0, 0], 8);
  const chunks = [
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', await deflate(filterRows(picture))),
    chunk('IEND', new Uint8Array(0)),
  ];
  return concatBytes(chunks);
}

/** A picture as an address that pages show without a network. */
export async function pngDataUrl(picture: Picture): Promise<string> {
  const bytes = await encodePng(picture);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `data:image/png;base64,${btoa(text)}`;
}

/** The filters that renderings gain from: sub, up and Paeth (§9.2). */
const FILTERS = [1, 2, 4];

/** Each row with the filter whose differences are smallest in sum, the heuristic that the standard recommends (§12.8). */
function filterRows({ width, height, channels, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const stride = width * channels;
  const out = new Uint8Array(height * (stride + 1));
  const trial = new Uint8Array(stride);
  for (let row = 0; row < height; row++) {
    const at = row * stride;
    let least = Infinity;
    for (const filter of FILTERS) {
      if (least === 0) break;
      let sum = 0;
      for (let c = 0; c < stride; c++) {
        const left = c >= channels ? pixels[at + c - channels] : 0;
        const up = row > 0 ? pixels[at + c - stride] : 0;
        const corner = c >= channels && row > 0 ? pixels[at + c - channels - stride] : 0;
        const difference = (pixels[at + c] - predicted(filter, left, up, corner)) & 255;
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

/** What a filter expects a byte to be. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
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
function chunk(type: string, data: Uint8Array): Uint8Array {
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
