import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../error.ts';
import type { FileAccess } from '../files.ts';
import { GltfFault } from './limits.ts';

/** The bytes that a glTF refers to: its binary chunk, data URIs, and files beside it. Nothing else is ever opened. */

/** Where a glTF lies, and how to reach the files beside it. */
export interface GltfSurroundings {
  files: FileAccess;
  /** Path of the glTF. */
  path: string;
  bin?: Uint8Array;
  /** Files that were read, by their URI: each is read once. */
  read: Map<string, Promise<Uint8Array>>;
}

/**
 * The bytes of every buffer, at least as long as it claims. Undefined for a buffer without any, which only stands in
 * for compressed data. `bytes` is what was read beyond the glTF itself.
 */
export async function readBuffers(
  json: GLTF.IGLTF,
  surroundings: GltfSurroundings,
): Promise<{ buffers: (Uint8Array | undefined)[]; bytes: number }> {
  let bytes = 0;
  const buffers: (Uint8Array | undefined)[] = [];
  for (const [b, { uri, byteLength }] of (json.buffers ?? []).entries()) {
    const at = `buffers[${b}]`;
    let data: Uint8Array | undefined;
    if (uri !== undefined) {
      const external = !uri.startsWith('data:');
      data = external ? await readBuffer(uri, `${at}.uri`, surroundings, byteLength) : decodeDataUri(uri, `${at}.uri`);
      if (external) bytes += data.length;
    } else if (b === 0) {
      data = surroundings.bin;
    }
    if (data && data.length < byteLength) {
      throw new GltfFault(`${at} is too short (got ${data.length} bytes, expected ${byteLength})`);
    }
    buffers.push(data?.subarray(0, byteLength));
  }
  return { buffers, bytes };
}

/** Without its buffer a glTF is nothing: the failure is its own. */
async function readBuffer(
  uri: string,
  at: string,
  surroundings: GltfSurroundings,
  length: number,
): Promise<Uint8Array> {
  try {
    return await readBeside(uri, at, surroundings, length);
  } catch (error) {
    if (!(error instanceof PliantError && error.code === 'not-found')) throw error;
    throw new GltfFault(`${at}: missing file ${error.file}`, 'not-found');
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
export function readBeside(
  uri: string,
  at: string,
  surroundings: GltfSurroundings,
  length?: number,
): Promise<Uint8Array> {
  const key = `${length ?? ''} ${uri}`;
  const bytes = surroundings.read.get(key) ?? readFile(uri, at, surroundings, length);
  surroundings.read.set(key, bytes);
  return bytes;
}

async function readFile(
  uri: string,
  at: string,
  { files, path }: GltfSurroundings,
  length: number | undefined,
): Promise<Uint8Array> {
  const source = await files.open(pathBeside(uri, at, path));
  try {
    if (length !== undefined && length > source.size) {
      throw new GltfFault(`${at}: ${source.name} is too short (got ${source.size} bytes, expected ${length})`);
    }
    return await source.read(0, length ?? source.size);
  } finally {
    await source.close();
  }
}

/** The bytes of each image that is a file of its own, undefined where it is missing. */
export async function readImages(
  { images = [] }: GLTF.IGLTF,
  surroundings: GltfSurroundings,
): Promise<(Uint8Array | undefined)[]> {
  const found: (Uint8Array | undefined)[] = [];
  for (const [i, { uri = 'data:' }] of images.entries()) {
    const bytes = uri.startsWith('data:') ? undefined : readBeside(uri, `images[${i}].uri`, surroundings);
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
