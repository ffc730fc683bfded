import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../error.ts';
import { type Bytes, readBytes, type StoredBytes } from '../../model/bytes.ts';
import { type ByteSource, type FileAccess, storedBytes, withSource } from '../files.ts';
import { GltfFault } from './limits.ts';

/** The bytes that a glTF refers to: its binary chunk, data URIs, and files beside it. Nothing else is ever opened. */

/** Where a glTF lies, and how to reach the files beside it. */
export interface GltfSurroundings {
  files: FileAccess;
  /** Path of the glTF. */
  path: string;
  /** The binary chunk, and the same for later. */
  bin?: { bytes: Uint8Array; kept: Bytes };
  /** Files beside it by their URI: each is opened once. */
  opened: Map<string, Promise<Bytes>>;
  /** So many bytes may still be kept in memory. */
  room: number;
}

/** Pictures and buffers of at most this size together stay in memory, where no change of their files can spoil them. */
export const KEPT_BYTES = 2 ** 25;

/** `length` bytes at `offset` of a file, to be read again; undefined for those that are to be kept in memory. */
export function leftInFile(
  surroundings: GltfSurroundings,
  { name, version }: ByteSource,
  offset: number,
  length: number,
): StoredBytes | undefined {
  if (version !== undefined && length > surroundings.room) {
    return storedBytes(surroundings.files, name, version, offset, length);
  }
  surroundings.room -= length;
  return undefined;
}

/**
 * The bytes of every buffer, at least as long as it claims. Undefined for a buffer without any, which only stands in
 * for compressed data. `kept`: the same for later. `bytes` is what was read beyond the glTF itself.
 */
export async function readBuffers(
  json: GLTF.IGLTF,
  surroundings: GltfSurroundings,
): Promise<{ buffers: (Uint8Array | undefined)[]; kept: (Bytes | undefined)[]; bytes: number }> {
  let bytes = 0;
  const buffers: (Uint8Array | undefined)[] = [];
  const kept: (Bytes | undefined)[] = [];
  for (const [b, { uri, byteLength }] of (json.buffers ?? []).entries()) {
    const at = `buffers[${b}]`;
    let stored: Bytes | undefined;
    if (uri !== undefined) {
      const external = !uri.startsWith('data:');
      stored = external
        ? await openBuffer(uri, `${at}.uri`, surroundings, byteLength)
        : decodeDataUri(uri, `${at}.uri`);
      if (external) bytes += stored.length;
    } else if (b === 0) {
      stored = surroundings.bin?.kept;
    }
    const data = uri === undefined && b === 0 ? surroundings.bin?.bytes : stored && (await readBytes(stored));
    if (data && data.length < byteLength) {
      throw new GltfFault(`${at} is too short (got ${data.length} bytes, expected ${byteLength})`);
    }
    buffers.push(data?.subarray(0, byteLength));
    kept.push(stored?.subarray(0, byteLength));
  }
  return { buffers, kept, bytes };
}

/** Without its buffer a glTF is nothing: the failure is its own. */
async function openBuffer(uri: string, at: string, surroundings: GltfSurroundings, length: number): Promise<Bytes> {
  try {
    return await openBeside(uri, at, surroundings, length);
  } catch (error) {
    if (!(error instanceof PliantError && error.code === 'not-found')) throw error;
    throw new GltfFault(`${error.file} is missing (${at})`, 'not-found');
  }
}

/** `data:[type][;base64],…` (RFC 2397). */
export function decodeDataUri(uri: string, at: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0) throw new GltfFault(`${at} is a data URI without data`);
  try {
    const body = decodeURIComponent(uri.slice(comma + 1));
    if (!/;base64$/i.test(uri.slice(0, comma))) return new TextEncoder().encode(body);
    return Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
  } catch {
    throw new GltfFault(`${at} is not a readable data URI`);
  }
}

/** The MIME type that a data URI states. */
export const dataUriType = (uri: string): string => /^data:([^;,]*)/.exec(uri)?.[1] ?? '';

/** A file below the folder of the glTF; the first `length` bytes of it when given. */
export function openBeside(uri: string, at: string, surroundings: GltfSurroundings, length?: number): Promise<Bytes> {
  const key = `${length ?? ''} ${uri}`;
  const bytes = surroundings.opened.get(key) ?? openFile(uri, at, surroundings, length);
  surroundings.opened.set(key, bytes);
  return bytes;
}

async function openFile(
  uri: string,
  at: string,
  surroundings: GltfSurroundings,
  length: number | undefined,
): Promise<Bytes> {
  return withSource(surroundings.files, pathBeside(uri, at, surroundings.path), async (source) => {
    if (length !== undefined && length > source.size) {
      throw new GltfFault(`${at}: ${source.name} is too short (got ${source.size} bytes, expected ${length})`);
    }
    const wanted = length ?? source.size;
    return leftInFile(surroundings, source, 0, wanted) ?? source.read(0, wanted);
  });
}

/** The bytes of each image that is a file of its own, undefined where it is missing. */
export async function openImages(
  { images = [] }: GLTF.IGLTF,
  surroundings: GltfSurroundings,
): Promise<(Bytes | undefined)[]> {
  const found: (Bytes | undefined)[] = [];
  for (const [i, { uri = 'data:' }] of images.entries()) {
    const bytes = uri.startsWith('data:') ? undefined : openBeside(uri, `images[${i}].uri`, surroundings);
    try {
      found.push(await bytes);
    } catch (error) {
      if (!isMissing(error)) throw error;
      found.push(undefined);
    }
  }
  return found;
}

/** Joins a relative URI to the folder of the glTF, and refuses whatever would lead out of it. */
function pathBeside(uri: string, at: string, path: string): string {
  const shown = uri.length > 60 ? `${uri.slice(0, 60)}…` : uri;
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) {
    throw new GltfFault(`${at} is not a file next to the glTF (got ${shown}; URLs are not fetched)`, 'unsupported');
  }
  let relative: string;
  try {
    relative = decodeURIComponent(uri);
  } catch {
    throw new GltfFault(`${at} is not a URI (got ${shown})`);
  }
  const parts = relative.split('/');
  if (relative === '' || /^\/|[\\\0]|^[a-z]:/i.test(relative) || parts.includes('..')) {
    throw new GltfFault(`${at} points outside the folder of the glTF (got ${shown})`);
  }
  const slash = path.lastIndexOf('/');
  return path.slice(0, slash + 1) + relative;
}

/** Says whether reading something beside the file failed for a reason that leaves the rest of the file usable. */
export const isMissing = (error: unknown): boolean =>
  error instanceof GltfFault || (error instanceof PliantError && error.code !== 'cancelled');
