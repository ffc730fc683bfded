import { PliantError } from '../../../src/index.ts';
import { lengthOf, letters, type Part, sizeOf, type Track, uint } from './container.ts';

/**
 * MP4 with one track of H.264 pictures (ISO/IEC 14496-12, -15): a box is its length, its name and what is in it. The data
 * come first, then the tables that say where each picture is and how long it is shown; times are microseconds.
 */
const box = (name: string, ...parts: (Part | Part[])[]): Part[] => {
  const body = parts.flat();
  return [uint(8 + sizeOf(body), 4), letters(name), ...body];
};

/** A box with a version and flags before its content. */
const full = (name: string, flags: number, ...parts: (Part | Part[])[]): Part[] => box(name, uint(flags, 4), ...parts);

const words = (...values: number[]): Part[] => values.map((value) => uint(value, 4));
const zeros = (bytes: number): Part => new Uint8Array(bytes);

const SECOND = 1_000_000;
/** The unit matrix, in fixed point. */
const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export function mp4(track: Track): Blob {
  const { packets, width, height } = track;
  const type = box('ftyp', letters('isom'), words(0x200), letters('isomiso2avc1mp41'));
  const data = box(
    'mdat',
    packets.map(({ bytes }) => bytes),
  );
  const length = lengthOf(track);
  const head = full(
    'mvhd',
    0,
    words(0, 0, SECOND, length, 0x10000),
    uint(0x100, 2),
    zeros(10),
    MATRIX,
    zeros(24),
    words(2),
  );
  const trackHead = full(
    'tkhd',
    3, // enabled, in the film
    words(0, 0, 1, 0, length),
    zeros(16),
    MATRIX,
    words(width * 0x10000, height * 0x10000),
  );
  const media = box(
    'mdia',
    full('mdhd', 0, words(0, 0, SECOND, length), uint(0x55c4, 2), zeros(2)), // no language
    full('hdlr', 0, zeros(4), letters('vide'), zeros(12), letters('Pliant\0')),
    box(
      'minf',
      full('vmhd', 1, zeros(8)),
      box('dinf', full('dref', 0, words(1), full('url ', 1))),
      tables(track, sizeOf(type) + 8),
    ),
  );
  const film = box('moov', head, box('trak', trackHead, media));
  return new Blob([...type, ...data, ...film], { type: 'video/mp4' });
}

/** @param start where the first picture's bytes are in the file. */
function tables({ packets, width, height, description }: Track, start: number): Part[] {
  if (!description) {
    const cause = 'the encoder of this browser did not say how its H.264 is decoded (expected a description)';
    throw new PliantError('unsupported', 'animation', cause);
  }
  const entry = box(
    'avc1',
    zeros(6),
    uint(1, 2),
    zeros(16),
    uint(width, 2),
    uint(height, 2),
    words(0x480000, 0x480000, 0), // 72 dots per inch
    uint(1, 2),
    zeros(32),
    uint(24, 2),
    uint(0xffff, 2),
    box('avcC', description),
  );
  const keys = packets.flatMap(({ key }, n) => (key ? [n + 1] : []));
  return box(
    'stbl',
    full('stsd', 0, words(1), entry),
    full('stts', 0, words(packets.length), ...packets.map(({ length }) => words(1, length))),
    full('stss', 0, words(keys.length, ...keys)),
    full('stsc', 0, words(1, 1, packets.length, 1)),
    full('stsz', 0, words(0, packets.length, ...packets.map(({ bytes }) => bytes.length))),
    full('stco', 0, words(1, start)),
  );
}
