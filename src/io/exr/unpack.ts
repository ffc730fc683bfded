import { inflate } from '../inflate.ts';
import type { ExrBlock } from './header.ts';
import { unpackPiz } from './piz.ts';

/** The compressions of OpenEXR: a chunk's bytes to its lines. */

type Packed = Uint8Array<ArrayBuffer>;
/** Undefined for damaged bytes. */
type Unpacked = Uint8Array | undefined;

interface Compression {
  name: string;
  /** Lines per chunk, for those that are read. */
  lines?: number;
  unpack?: (packed: Packed, block: ExrBlock) => Unpacked | Promise<Unpacked>;
}

/** By their number in a file. */
export const COMPRESSIONS: readonly Compression[] = [
  { name: 'none', lines: 1 },
  { name: 'RLE', lines: 1, unpack: unpackRle },
  { name: 'ZIPS', lines: 1, unpack: unpackZip },
  { name: 'ZIP', lines: 16, unpack: unpackZip },
  { name: 'PIZ', lines: 32, unpack: unpackPiz },
  { name: 'PXR24', lines: 16, unpack: unpackPxr24 },
  { name: 'B44' },
  { name: 'B44A' },
  { name: 'DWAA' },
  { name: 'DWAB' },
  { name: 'HTJ2K256' },
  { name: 'HTJ2K32' },
];

/** A chunk that packing would not shorten is stored as it is. */
export function unpack(compression: number, packed: Packed, block: ExrBlock): Unpacked | Promise<Unpacked> {
  const size = block.lines * block.lineBytes;
  if (packed.length === size) return packed;
  return packed.length < size ? COMPRESSIONS[compression].unpack?.(packed, block) : undefined;
}

async function unpackZip(packed: Packed, { lines, lineBytes }: ExrBlock): Promise<Unpacked> {
  const bytes = await inflate(packed, lines * lineBytes);
  return bytes && interleave(bytes);
}

/** n < 0: −n bytes follow; n ≥ 0: the next byte n + 1 times. */
function unpackRle(packed: Packed, { lines, lineBytes }: ExrBlock): Unpacked {
  const bytes = new Uint8Array(lines * lineBytes);
  let to = 0;
  for (let at = 0; at < packed.length; ) {
    const n = (packed[at++] << 24) >> 24;
    const count = n < 0 ? -n : n + 1;
    if (to + count > bytes.length || at + (n < 0 ? count : 1) > packed.length) return undefined;
    if (n < 0) bytes.set(packed.subarray(at, at + count), to);
    else bytes.fill(packed[at], to, to + count);
    at += n < 0 ? count : 1;
    to += count;
  }
  return to === bytes.length ? interleave(bytes) : undefined;
}

/** Differences to bytes, and the two halves, bytes of even and of odd number, to one. Changes `bytes`. */
function interleave(bytes: Uint8Array): Uint8Array {
  for (let c = 1; c < bytes.length; c++) bytes[c] += bytes[c - 1] - 128;
  const out = new Uint8Array(bytes.length);
  const half = (bytes.length + 1) >> 1;
  for (let c = 0; c < bytes.length; c++) out[c] = bytes[(c & 1 ? half : 0) + (c >> 1)];
  return out;
}

const PXR24_PLANES = { uint: 4, half: 2, float: 3 };

/** Per line and channel the highest bytes of all samples, then the next ones, of differences; floats lose their lowest. */
async function unpackPxr24(packed: Packed, { width, lines, channels, lineBytes }: ExrBlock): Promise<Unpacked> {
  const planesPerPixel = channels.reduce((sum, { type }) => sum + PXR24_PLANES[type], 0);
  const bytes = await inflate(packed, lines * width * planesPerPixel);
  if (!bytes) return undefined;
  const out = new Uint8Array(lines * lineBytes);
  const view = new DataView(out.buffer);
  let from = 0;
  let to = 0;
  for (let line = 0; line < lines; line++) {
    for (const { type } of channels) {
      const planes = PXR24_PLANES[type];
      let value = 0;
      for (let x = 0; x < width; x++) {
        let difference = 0;
        for (let plane = 0; plane < planes; plane++) difference = (difference << 8) | bytes[from + plane * width + x];
        value = (value + difference) | 0;
        if (type === 'half') view.setUint16(to + 2 * x, value & 0xffff, true);
        else view.setUint32(to + 4 * x, type === 'float' ? value << 8 : value, true);
      }
      from += planes * width;
      to += (type === 'half' ? 2 : 4) * width;
    }
  }
  return out;
}
