import { PliantError } from '../../error.ts';
import type { Bytes } from '../../model/bytes.ts';
import { GltfFault } from './limits.ts';

/** glTF 2.0 §4 (GLB container) and the JSON text in it, before anything is believed. */
export interface GltfContainer {
  json: unknown;
  /** The binary chunk of a GLB. */
  bin?: Uint8Array;
  binary: boolean;
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** glTF itself nests 8 deep; what is left is for `extras`. */
const DEEPEST_JSON = 128;

/** How JSON begins; whether it is glTF is for the schema to say. */
const LOOKS_LIKE_JSON = /^\s*([[{"]|$)/;

/** What was glTF until 2017: meshes and materials as maps, shaders in the file. */
export const oldGltf = (): GltfFault =>
  new GltfFault('glTF 1.0 (expected 2.0: convert it with npx gltf-pipeline -i old.gltf -o new.glb)', 'unsupported');

export function parseContainer(bytes: Uint8Array): GltfContainer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) {
    if (!LOOKS_LIKE_JSON.test(new TextDecoder().decode(bytes.subarray(0, 64)))) {
      throw new GltfFault(
        'not glTF (expected a GLB starting with "glTF", or JSON starting with "{": export it again, or name it after its format)',
      );
    }
    return { json: parseJson(bytes), binary: false };
  }

  if (bytes.length < 20)
    throw new GltfFault(`GLB ends early (got ${bytes.length} bytes, expected at least 20: copy or export it again)`);
  const version = view.getUint32(4, true);
  if (version === 1) throw oldGltf();
  if (version !== 2) throw new GltfFault(`GLB version ${version} (expected 2)`, 'unsupported');
  const length = view.getUint32(8, true);
  if (length > bytes.length)
    throw new GltfFault(`GLB ends early (got ${bytes.length} bytes, expected ${length}: copy or export it again)`);

  const chunk = (offset: number, name: string): { type: number; data: Uint8Array } => {
    const size = view.getUint32(offset, true);
    if (offset + 8 + size > length) {
      throw new GltfFault(`${name} chunk of ${size} bytes at ${offset} (expected at most ${length - offset - 8})`);
    }
    return { type: view.getUint32(offset + 4, true), data: bytes.subarray(offset + 8, offset + 8 + size) };
  };
  if (length < 20) throw new GltfFault(`GLB of ${length} bytes (expected at least 20)`);
  const first = chunk(12, 'first');
  if (first.type !== JSON_CHUNK) throw new GltfFault('the first chunk of the GLB is not JSON');
  const container: GltfContainer = { json: parseJson(first.data), binary: true };
  const next = 20 + Math.ceil(first.data.length / 4) * 4;
  if (next + 8 <= length) {
    const second = chunk(next, 'second');
    if (second.type === BIN_CHUNK) container.bin = second.data;
  }
  return container;
}

/** Bytes and where they go in the binary chunk. */
export interface Piece {
  offset: number;
  bytes: Bytes;
}

/** A GLB keeps its length in 32 bits; below half of that every engine's array holds it. */
export const MOST_GLB_BYTES = 2 ** 31 - 1;

/** A GLB in parts to be written one after the other, without a copy of `pieces`: these are the binary chunk, in order. */
export function glbParts(json: object, pieces: readonly Piece[], operation: string): Bytes[] {
  const last = pieces.at(-1);
  const length = last ? last.offset + last.bytes.length : 0;
  const text = new TextEncoder().encode(JSON.stringify(json));
  const [jsonLength, binLength] = [text.length, length].map((bytes) => 4 * Math.ceil(bytes / 4));
  const start = 20 + jsonLength + (length > 0 ? 8 : 0);
  const total = start + binLength;
  if (total > MOST_GLB_BYTES) {
    throw new PliantError('too-large', operation, `a GLB of ${total} bytes (expected at most ${MOST_GLB_BYTES})`);
  }
  const head = new Uint8Array(start);
  const words = new DataView(head.buffer);
  for (const [w, word] of [MAGIC, 2, total, jsonLength, JSON_CHUNK].entries()) words.setUint32(4 * w, word, true);
  head.fill(0x20, 20, 20 + jsonLength).set(text, 20);
  if (length > 0) {
    words.setUint32(20 + jsonLength, binLength, true);
    words.setUint32(24 + jsonLength, BIN_CHUNK, true);
  }
  const parts: Bytes[] = [head];
  let end = 0;
  for (const { offset, bytes } of [...pieces, { offset: binLength, bytes: new Uint8Array(0) }]) {
    parts.push(new Uint8Array(offset - end), bytes);
    end = offset + bytes.length;
  }
  return parts.filter((part) => part.length > 0);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    checkDepth(text);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof GltfFault) throw error;
    const what = error instanceof Error ? error.message.slice(0, 120) : 'unreadable text';
    throw new GltfFault(`not glTF: ${what} (expected JSON: export it again)`);
  }
}

/** Counts brackets outside strings. Parsers and everyone who walks the result later may recurse. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let c = 0; c < text.length; c++) {
    const code = text.charCodeAt(c);
    if (inString) {
      if (code === 0x5c /* \ */) c++;
      else if (code === 0x22 /* " */) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      if (++depth > DEEPEST_JSON) throw new GltfFault(`JSON is nested deeper than ${DEEPEST_JSON}`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}
