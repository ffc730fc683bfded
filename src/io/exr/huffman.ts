/**
 * The Huffman codes of OpenEXR's PIZ: lengths of codes in 6 bits each, canonical codes whose longest are lowest, and one
 * symbol that repeats the word before it.
 */

const SYMBOLS = 65537;
const HEADER_BYTES = 20;
/** Lengths above 58 are runs of symbols without a code: 59 … 62 of 2 … 5, 63 of 6 and what the next 8 bits say. */
const SHORT_RUN = 59;
const LONG_RUN = 63;
/** No code of a real picture is longer, and codes stay exact in a double. */
const MOST_BITS = 52;
/** Codes up to this length are looked up at once. */
const TABLE_BITS = 12;

/** Fills `words`; false for damaged bytes. */
export function decodeHuffman(bytes: Uint8Array, words: Uint16Array): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint32(0, true);
  const repeat = view.getUint32(4, true);
  const bitCount = view.getUint32(12, true);
  if (first >= SYMBOLS || repeat >= SYMBOLS || first > repeat) return false;
  const reader = new BitReader(bytes, HEADER_BYTES);
  const lengths = readLengths(reader, first, repeat);
  if (!lengths) return false;
  reader.align();
  const codes = new Codes(lengths);
  const end = reader.bit + bitCount;
  if (end > 8 * bytes.length) return false;

  let to = 0;
  while (reader.bit < end) {
    const symbol = codes.next(reader);
    if (symbol < 0) return false;
    if (symbol === repeat) {
      const count = reader.read(8);
      if (to === 0 || to + count > words.length) return false;
      words.fill(words[to - 1], to, to + count);
      to += count;
    } else {
      if (to === words.length) return false;
      words[to++] = symbol;
    }
  }
  return to === words.length && reader.bit === end;
}

function readLengths(reader: BitReader, first: number, last: number): Uint8Array | undefined {
  const lengths = new Uint8Array(SYMBOLS);
  for (let symbol = first; symbol <= last; ) {
    if (reader.ended) return undefined;
    const length = reader.read(6);
    if (length < SHORT_RUN) {
      if (length > MOST_BITS) return undefined;
      lengths[symbol++] = length;
    } else {
      symbol += length === LONG_RUN ? reader.read(8) + 6 : length - SHORT_RUN + 2;
      if (symbol > last + 1) return undefined;
    }
  }
  return lengths;
}

class Codes {
  /** By length: the lowest code, how many there are, and where their symbols begin in #symbols. */
  readonly #lowest = new Float64Array(MOST_BITS + 2);
  readonly #counts = new Uint32Array(MOST_BITS + 2);
  readonly #starts = new Uint32Array(MOST_BITS + 2);
  readonly #symbols: Uint32Array;
  /** By the next TABLE_BITS bits: 32 · symbol + length of a short code, or 0. */
  readonly #table = new Uint32Array(1 << TABLE_BITS);

  constructor(lengths: Uint8Array) {
    const counts = this.#counts;
    for (const length of lengths) if (length > 0) counts[length]++;
    let code = 0;
    for (let length = MOST_BITS; length > 0; length--) {
      this.#lowest[length] = code;
      code = Math.floor((code + counts[length]) / 2);
    }
    for (let length = 1; length <= MOST_BITS; length++) {
      this.#starts[length + 1] = this.#starts[length] + counts[length];
    }
    const places = this.#starts.slice();
    this.#symbols = new Uint32Array(places[MOST_BITS + 1]);
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue;
      const place = places[length]++;
      this.#symbols[place] = symbol;
      if (length > TABLE_BITS) continue;
      const own = this.#lowest[length] + place - this.#starts[length];
      const shift = TABLE_BITS - length;
      this.#table.fill(32 * symbol + length, own << shift, (own + 1) << shift);
    }
  }

  /** −1 for a code that there is not. */
  next(reader: BitReader): number {
    const short = this.#table[reader.peek(TABLE_BITS)];
    if (short !== 0) {
      reader.bit += short & 31;
      return short >> 5;
    }
    let code = 0;
    for (let length = 1; length <= MOST_BITS; length++) {
      code = 2 * code + reader.read(1);
      const nth = code - this.#lowest[length];
      if (nth >= 0 && nth < this.#counts[length]) return this.#symbols[this.#starts[length] + nth];
    }
    return -1;
  }
}

/** Bits from the highest of each byte on; zeros after the end. */
class BitReader {
  readonly #bytes: Uint8Array;
  bit: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.bit = 8 * start;
  }

  get ended(): boolean {
    return this.bit >= 8 * this.#bytes.length;
  }

  /** At most 12 bits. */
  peek(count: number): number {
    const byte = Math.floor(this.bit / 8);
    const bytes = this.#bytes;
    const three = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
    return (three >> (24 - (this.bit % 8) - count)) & ((1 << count) - 1);
  }

  read(count: number): number {
    const value = this.peek(count);
    this.bit += count;
    return value;
  }

  align(): void {
    this.bit = 8 * Math.ceil(this.bit / 8);
  }
}
