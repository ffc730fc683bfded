import type { ExrBlock } from './header.ts';
import { decodeHuffman } from './huffman.ts';

/**
 * PIZ of OpenEXR: samples as 16-bit words, numbered by those that occur, Haar wavelets in two dimensions, and Huffman codes of
 * the result. The block holds channel after channel; floats and whole numbers are two words, each transformed alone.
 */

/** A word for each of the 16-bit values. */
const VALUES = 65536;

export function unpackPiz(packed: Uint8Array, { width, lines, channels, lineBytes }: ExrBlock): Uint8Array | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.length < 4) return undefined;

  // (1) Which values occur, a bit each; 0 always does.
  const first = view.getUint16(0, true);
  const last = view.getUint16(2, true);
  let at = 4;
  if (last >= VALUES / 8 || (first <= last && at + last - first + 1 > packed.length)) return undefined;
  const occurring = new Uint16Array(VALUES);
  let count = 1;
  for (let byte = first; byte <= last; byte++, at++) {
    for (let bit = 0; bit < 8; bit++) {
      if (packed[at] & (1 << bit) && 8 * byte + bit > 0) occurring[count++] = 8 * byte + bit;
    }
  }

  // (2) Words of the wavelets.
  if (at + 4 > packed.length) return undefined;
  const size = view.getUint32(at, true);
  at += 4;
  if (size > packed.length - at) return undefined;
  const words = new Uint16Array((lines * lineBytes) / 2);
  if (!decodeHuffman(packed.subarray(at, at + size), words)) return undefined;

  // (3) To numbers of values, and to values.
  const step = channels.map(({ type }) => (type === 'half' ? 1 : 2));
  for (let channel = 0, start = 0; channel < step.length; channel++) {
    for (let part = 0; part < step[channel]; part++) {
      decodeWavelet(words, start + part, width, step[channel], lines, width * step[channel], count - 1 < 1 << 14);
    }
    start += width * lines * step[channel];
  }
  for (let w = 0; w < words.length; w++) words[w] = occurring[words[w]];

  // (4) Line after line.
  const out = new Uint8Array(lines * lineBytes);
  const outView = new DataView(out.buffer);
  let to = 0;
  for (let line = 0; line < lines; line++) {
    for (let channel = 0, start = 0; channel < step.length; channel++) {
      const length = width * step[channel];
      for (let w = 0; w < length; w++, to += 2) outView.setUint16(to, words[start + line * length + w], true);
      start += length * lines;
    }
  }
  return out;
}

/** Sum and difference of the pair being decoded: `a` and `b` of the last call. */
let a = 0;
let b = 0;

/** `narrow`: values below 2^14, whose sums and differences fit into 16 signed bits. Otherwise modulo 2^16. */
function decodePair(low: number, high: number, narrow: boolean): void {
  if (narrow) {
    const difference = (high << 16) >> 16;
    const mean = ((low << 16) >> 16) + (difference & 1) + (difference >> 1);
    a = mean & 0xffff;
    b = (mean - difference) & 0xffff;
  } else {
    b = (low - (high >> 1)) & 0xffff;
    a = (high + b - 0x8000) & 0xffff;
  }
}

/** In place, nx × ny words from `start` on, `stepX` and `stepY` apart: from the coarsest level to the finest. */
function decodeWavelet(
  words: Uint16Array,
  start: number,
  nx: number,
  stepX: number,
  ny: number,
  stepY: number,
  narrow: boolean,
): void {
  let level = 1;
  while (2 * level <= Math.min(nx, ny)) level *= 2;
  for (let p = level >> 1; p >= 1; p >>= 1) {
    const right = stepX * p;
    const down = stepY * p;
    let y = 0;
    for (; y + 2 * p <= ny; y += 2 * p) {
      let x = 0;
      for (; x + 2 * p <= nx; x += 2 * p) {
        const at = start + x * stepX + y * stepY;
        decodePair(words[at], words[at + down], narrow);
        const top = a;
        const bottom = b;
        decodePair(words[at + right], words[at + down + right], narrow);
        const bottomRight = b;
        decodePair(top, a, narrow);
        words[at] = a;
        words[at + right] = b;
        decodePair(bottom, bottomRight, narrow);
        words[at + down] = a;
        words[at + down + right] = b;
      }
      // A column that is left over.
      if (nx & p) decodeInPlace(words, start + x * stepX + y * stepY, down, narrow);
    }
    // A row that is left over.
    if (ny & p) {
      for (let x = 0; x + 2 * p <= nx; x += 2 * p) decodeInPlace(words, start + x * stepX + y * stepY, right, narrow);
    }
  }
}

function decodeInPlace(words: Uint16Array, at: number, apart: number, narrow: boolean): void {
  decodePair(words[at], words[at + apart], narrow);
  words[at] = a;
  words[at + apart] = b;
}
