import { PliantError } from '../../src/error.ts';
import { concatBytes } from '../../src/math/bytes.ts';
import { type Random, seededRandom } from '../../src/math/rng.ts';

/** What a fuzzing run saw. A reader that accepts everything, or nothing, is not being tested. */
export interface FuzzCounts {
  accepted: number;
  refused: number;
}

/** A reader of a small file may not allocate more than this: a count in a header must not be believed before the file's size is. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Gives `count` mutations of the valid files to `read`. Each must end in a result or in a PliantError that blames the
 * input, without large allocations; anything else throws an Error that says how to get the same bytes again.
 * `read` is expected to give what it got to the validators of model/, whose complaints are failures too.
 */
export async function fuzzReader(
  name: string,
  validFiles: readonly Uint8Array[],
  read: (bytes: Uint8Array) => Promise<unknown>,
  count: number,
  seed: number,
): Promise<FuzzCounts> {
  const counts: FuzzCounts = { accepted: 0, refused: 0 };
  for (const bytes of validFiles) await read(bytes);
  for (let n = 0; n < count; n++) {
    const bytes = mutation(validFiles, seed, n);
    const failure = (what: string, cause?: unknown) =>
      new Error(`${name}: ${what} for mutation(files, ${seed}, ${n}) of ${bytes.length} bytes: ${preview(bytes)}`, {
        cause,
      });
    const before = process.memoryUsage().arrayBuffers;
    try {
      await read(bytes);
      counts.accepted++;
    } catch (error) {
      if (!(error instanceof PliantError)) throw failure(`threw ${error}`, error);
      if (error.code === 'internal') throw failure(`blamed itself (${error.message})`, error);
      // The validators of model/ speak about what the reader returned, not about the file.
      if (error.message.startsWith('validate')) throw failure(`returned something invalid (${error.message})`, error);
      counts.refused++;
    }
    const allocated = process.memoryUsage().arrayBuffers - before;
    if (allocated > MOST_BYTES) throw failure(`allocated ${allocated} bytes`);
  }
  return counts;
}

/** The n-th mutation of a seed: one to four random edits of one of the valid files. */
export function mutation(validFiles: readonly Uint8Array[], seed: number, n: number): Uint8Array {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b));
  let bytes: Uint8Array = pick(random, validFiles).slice();
  const edits = 1 + Math.floor(4 * random() ** 2);
  for (let e = 0; e < edits; e++) bytes = pick(random, EDITS)(bytes, random, validFiles);
  return bytes;
}

type Edit = (bytes: Uint8Array, random: Random, validFiles: readonly Uint8Array[]) => Uint8Array;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)];

const join = (...parts: Uint8Array[]): Uint8Array => concatBytes(parts);

/** Start and end of a stretch of at most 1/4 of the file. */
function stretch(bytes: Uint8Array, random: Random): [number, number] {
  const start = below(random, bytes.length + 1);
  return [start, Math.min(bytes.length, start + 1 + below(random, bytes.length / 4))];
}

const flipBit: Edit = (bytes, random) => {
  if (bytes.length > 0) bytes[below(random, bytes.length)] ^= 1 << below(random, 8);
  return bytes;
};

const setByte: Edit = (bytes, random) => {
  if (bytes.length > 0) bytes[below(random, bytes.length)] = pick(random, [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x20, 0x2d]);
  return bytes;
};

const truncate: Edit = (bytes, random) => bytes.slice(0, below(random, bytes.length + 1));

const remove: Edit = (bytes, random) => {
  const [start, end] = stretch(bytes, random);
  return join(bytes.subarray(0, start), bytes.subarray(end));
};

const duplicate: Edit = (bytes, random) => {
  const [start, end] = stretch(bytes, random);
  return join(bytes.subarray(0, end), bytes.subarray(start));
};

/** A stretch of one file in the midst of another. */
const splice: Edit = (bytes, random, validFiles) => {
  const other = pick(random, validFiles);
  const [start, end] = stretch(other, random);
  const at = below(random, bytes.length + 1);
  const keepFrom = random() < 0.5 ? at : Math.min(bytes.length, at + end - start);
  return join(bytes.subarray(0, at), other.subarray(start, end), bytes.subarray(keepFrom));
};

const AWKWARD_TEXT = '0 -1 1 2 99 65536 2147483647 4294967295 -2147483648 1e39 1e400 -0 nan inf 1e 0x10 . - 1/2/3 1//'
  .split(' ')
  .map((text) => new TextEncoder().encode(text));

const isNumeric = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d;

/** A number of a text file becomes another. */
const tweakText: Edit = (bytes, random) => {
  let start = below(random, bytes.length + 1);
  while (start < bytes.length && !isNumeric(bytes[start])) start++;
  let end = start;
  while (end < bytes.length && isNumeric(bytes[end])) end++;
  return join(bytes.subarray(0, start), pick(random, AWKWARD_TEXT), bytes.subarray(end));
};

const AWKWARD_INTEGERS = [0, 1, 2, 3, 255, 65535, 0x7fffffff, 0x80000000, 0xffffffff, 0x00010000];
const AWKWARD_FLOATS = [0, -1, 1e-45, 3.4e38, Number.NaN, Number.POSITIVE_INFINITY];

/** A 32-bit number of a binary file becomes another, in either byte order. Headers are hit more often. */
const tweakBinary: Edit = (bytes, random) => {
  if (bytes.length < 4) return bytes;
  const range = random() < 0.5 ? Math.min(bytes.length, 64) : bytes.length;
  const offset = Math.min(4 * below(random, range / 4), bytes.length - 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = random() < 0.5;
  if (random() < 0.7) view.setUint32(offset, pick(random, AWKWARD_INTEGERS), littleEndian);
  else view.setFloat32(offset, pick(random, AWKWARD_FLOATS), littleEndian);
  return bytes;
};

const EDITS: readonly Edit[] = [flipBit, setByte, truncate, remove, duplicate, splice, tweakText, tweakBinary];

const preview = (bytes: Uint8Array): string =>
  JSON.stringify(new TextDecoder('latin1').decode(bytes.subarray(0, 200))) + (bytes.length > 200 ? '…' : '');
