/**
 * MurmurHash3, x64, 128 bits (Austin Appleby, public domain), seed 0: the key that precedes every sample of an Alembic
 * archive, and what tells meshes apart.
 * 64-bit words are pairs of 32-bit halves, high and low.
 */

/** Bits 32 … 63 of a · b for unsigned 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = (Math.imul(a1, b0) >>> 0) + (Math.imul(a0, b0) >>> 16);
  const low = (middle & 0xffff) + (Math.imul(a0, b1) >>> 0);
  return (Math.imul(a1, b1) + (middle >>> 16) + (low >>> 16)) | 0;
}

const C1_HIGH = 0x87c37b91 | 0;
const C1_LOW = 0x114253d5;
const C2_HIGH = 0x4cf5ad43;
const C2_LOW = 0x2745937f;

/** The last mixing of a word: Appleby's fmix64. */
function finalMix(high: number, low: number): [number, number] {
  let h = high;
  let l = low;
  for (const [mHigh, mLow] of [
    [0xff51afd7, 0xed558ccd],
    [0xc4ceb9fe, 0x1a85ec53],
  ]) {
    l ^= h >>> 1; // x ^= x >>> 33
    const product = (multiplyHigh(l >>> 0, mLow) + Math.imul(h, mLow) + Math.imul(l, mHigh)) | 0;
    l = Math.imul(l, mLow);
    h = product;
  }
  return [h, l ^ (h >>> 1)];
}

/** 16 bytes. */
export function murmur3(bytes: Uint8Array): Uint8Array {
  const blocks = Math.floor(bytes.length / 16);
  // Words are read aligned; the last, incomplete block is filled up with zeros.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(buffer, byteOffset, 4 * blocks);
  const tail = new Uint8Array(16);
  tail.set(bytes.subarray(16 * blocks));
  const tailWords = new Int32Array(tail.buffer);

  let h1High = 0;
  let h1Low = 0;
  let h2High = 0;
  let h2Low = 0;
  for (let b = 0; b <= blocks; b++) {
    const isTail = b === blocks;
    const source = isTail ? tailWords : words;
    const w = isTail ? 0 : 4 * b;

    // (1) k1 = rotate(k1 · c1, 31) · c2, into h1. An empty tail adds zero.
    let low = source[w];
    let high = source[w + 1];
    let product = (multiplyHigh(low >>> 0, C1_LOW) + Math.imul(high, C1_LOW) + Math.imul(low, C1_HIGH)) | 0;
    low = Math.imul(low, C1_LOW);
    high = (product << 31) | (low >>> 1);
    low = (low << 31) | (product >>> 1);
    product = (multiplyHigh(low >>> 0, C2_LOW) + Math.imul(high, C2_LOW) + Math.imul(low, C2_HIGH)) | 0;
    h1Low ^= Math.imul(low, C2_LOW);
    h1High ^= product;
    if (!isTail) {
      // h1 = (rotate(h1, 27) + h2) · 5 + 0x52dce729
      high = (h1High << 27) | (h1Low >>> 5);
      low = (h1Low << 27) | (h1High >>> 5);
      const sum = (low >>> 0) + (h2Low >>> 0);
      h1High = (high + h2High + (sum > 0xffffffff ? 1 : 0)) | 0;
      const five = 5 * (sum >>> 0) + 0x52dce729;
      h1High = (Math.imul(h1High, 5) + ((five / 0x100000000) | 0)) | 0;
      h1Low = five | 0;
    }

    // (2) k2 = rotate(k2 · c2, 33) · c1, into h2.
    low = source[w + 2];
    high = source[w + 3];
    product = (multiplyHigh(low >>> 0, C2_LOW) + Math.imul(high, C2_LOW) + Math.imul(low, C2_HIGH)) | 0;
    low = Math.imul(low, C2_LOW);
    high = (low << 1) | (product >>> 31);
    low = (product << 1) | (low >>> 31);
    product = (multiplyHigh(low >>> 0, C1_LOW) + Math.imul(high, C1_LOW) + Math.imul(low, C1_HIGH)) | 0;
    h2Low ^= Math.imul(low, C1_LOW);
    h2High ^= product;
    if (!isTail) {
      // h2 = (rotate(h2, 31) + h1) · 5 + 0x38495ab5
      high = (h2High << 31) | (h2Low >>> 1);
      low = (h2Low << 31) | (h2High >>> 1);
      const sum = (low >>> 0) + (h1Low >>> 0);
      h2High = (high + h1High + (sum > 0xffffffff ? 1 : 0)) | 0;
      const five = 5 * (sum >>> 0) + 0x38495ab5;
      h2High = (Math.imul(h2High, 5) + ((five / 0x100000000) | 0)) | 0;
      h2Low = five | 0;
    }
  }

  // (3) The length, and the last mixing.
  const lengthHigh = Math.floor(bytes.length / 0x100000000);
  h1Low ^= bytes.length;
  h1High ^= lengthHigh;
  h2Low ^= bytes.length;
  h2High ^= lengthHigh;
  [h1High, h1Low] = add(h1High, h1Low, h2High, h2Low);
  [h2High, h2Low] = add(h2High, h2Low, h1High, h1Low);
  [h1High, h1Low] = finalMix(h1High, h1Low);
  [h2High, h2Low] = finalMix(h2High, h2Low);
  [h1High, h1Low] = add(h1High, h1Low, h2High, h2Low);
  [h2High, h2Low] = add(h2High, h2Low, h1High, h1Low);
  return new Uint8Array(Int32Array.of(h1Low, h1High, h2Low, h2High).buffer);
}

function add(aHigh: number, aLow: number, bHigh: number, bLow: number): [number, number] {
  const low = (aLow >>> 0) + (bLow >>> 0);
  return [(aHigh + bHigh + (low > 0xffffffff ? 1 : 0)) | 0, low | 0];
}
