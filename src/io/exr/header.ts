/** The header of an OpenEXR file: attributes of a name, a type, a size and a value each. */

export interface ExrChannel {
  name: string;
  type: 'uint' | 'half' | 'float';
}

export interface ExrHeader {
  width: number;
  height: number;
  /** The number of the first line. */
  top: number;
  /** As a number; `COMPRESSIONS` has the names. */
  compression: number;
  /** In the order of the samples. */
  channels: ExrChannel[];
  /** x and y of red, green, blue and white; empty when not said. */
  chromaticities: number[];
  /** Where the offsets of chunks begin. */
  end: number;
}

/** The lines of a chunk. */
export interface ExrBlock {
  width: number;
  lines: number;
  channels: readonly ExrChannel[];
  /** Of one line, unpacked. */
  lineBytes: number;
}

type Fail = (cause: string, offset?: number, code?: 'bad-file' | 'unsupported') => never;

const MAGIC = 0x01312f76;
const TYPES = ['uint', 'half', 'float'] as const;
/** Flags of the version: what the file has that is not read. */
const OTHER_KINDS: [flag: number, what: string][] = [
  [0x200, 'tiles'],
  [0x800, 'deep pixels'],
  [0x1000, 'several parts'],
];
const MOST_CHANNELS = 1024;

export function readExrHeader(bytes: Uint8Array, fail: Fail): ExrHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC) fail('no OpenEXR file', 0);
  const version = view.getUint32(4, true);
  if ((version & 255) !== 2) fail(`version ${version & 255} (expected 2)`, 4, 'unsupported');
  for (const [flag, what] of OTHER_KINDS) {
    if (version & flag) fail(`has ${what} (expected one part of scan lines)`, 4, 'unsupported');
  }

  const header: Partial<ExrHeader> = { chromaticities: [] };
  let display: number[] | undefined;
  let data: number[] | undefined;
  let at = 8;
  const text = (): string => {
    const end = bytes.indexOf(0, at);
    if (end < 0 || end - at > 255) fail('a name in the header does not end', at);
    const value = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    return value;
  };
  for (let name = text(); name !== ''; name = text()) {
    text(); // the type: names of the standard have only one
    if (at + 4 > bytes.length) fail('the header ends early', at);
    const size = view.getUint32(at, true);
    at += 4;
    const end = at + size;
    if (end > bytes.length) fail(`attribute ${name} ends early`, at);
    const needs = (least: number): void => {
      if (size < least) fail(`attribute ${name} of ${size} bytes (expected ${least})`, at);
    };
    if (name === 'compression') {
      needs(1);
      header.compression = bytes[at];
    } else if (name === 'dataWindow' || name === 'displayWindow') {
      needs(16);
      const box = [0, 4, 8, 12].map((c) => view.getInt32(at + c, true));
      if (name === 'dataWindow') data = box;
      else display = box;
    } else if (name === 'chromaticities') {
      needs(32);
      header.chromaticities = Array.from({ length: 8 }, (_, c) => view.getFloat32(at + 4 * c, true));
    } else if (name === 'channels') {
      header.channels = readChannels(bytes.subarray(0, end), at, fail);
    }
    at = end;
  }
  if (header.compression === undefined || !data || !header.channels?.length) {
    return fail('the header has no channels, dataWindow or compression', at);
  }
  if (display?.some((x, c) => x !== data[c])) {
    fail(`only ${data.join(' ')} of the picture ${display.join(' ')} is in the file`, undefined, 'unsupported');
  }
  const [left, top, right, bottom] = data;
  return { ...(header as ExrHeader), width: right - left + 1, height: bottom - top + 1, top, end: at };
}

function readChannels(bytes: Uint8Array, at: number, fail: Fail): ExrChannel[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels: ExrChannel[] = [];
  for (;;) {
    const end = bytes.indexOf(0, at);
    if (end < 0) fail('the list of channels does not end', at);
    if (end === at) return channels;
    const name = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    if (at + 16 > bytes.length || channels.length === MOST_CHANNELS) fail('the list of channels does not end', at);
    const type = TYPES[view.getInt32(at, true)] ?? fail(`type of channel ${name}`, at);
    if (view.getInt32(at + 8, true) !== 1 || view.getInt32(at + 12, true) !== 1) {
      fail(`channel ${name} has fewer samples than pixels`, at, 'unsupported');
    }
    channels.push({ name, type });
    at += 16;
  }
}
