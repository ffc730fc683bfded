/** The few things readers and writers ask of a platform. `platform/node`, `platform/browser` and tests implement them. */

import { PliantError } from '../error.ts';
import type { StoredBytes } from '../model/bytes.ts';

/** A file that is read in pieces: a cache of gigabytes never has to be in memory. */
export interface ByteSource {
  /** Path or name, for messages. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Another one when the file has changed. A file without cannot be read again later. */
  readonly version?: string;
  /** Exactly `length` bytes at `offset`; rejects with `bad-file` when the file ends before. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Files and folders by path, `/` between parts. Missing paths reject with `not-found`. */
export interface FileAccess {
  /** Opens a file for reading. */
  open(path: string): Promise<ByteSource>;
  /** What a path leads to. */
  kind(path: string): Promise<'file' | 'folder' | 'missing'>;
  /** Names (not paths) of the files in a folder, unsorted. */
  list(folder: string): Promise<string[]>;
}

/** A file being written: it appears under its name on `close()`, and never half-written. */
export interface ByteSink {
  /** Appends bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Puts `bytes` over as many that were written before; what is written next still goes to the end. */
  patch(offset: number, bytes: Uint8Array): Promise<void>;
  /** Finishes the file. */
  close(): Promise<void>;
  /** Throws everything away. Safe to call after a failure or after `close()`. */
  abort(): Promise<void>;
}

/** A folder being written: it appears under its name on `close()`, whole. */
export interface FolderSink {
  /** A file in the folder; `close()` it before the next. */
  file(name: string): Promise<ByteSink>;
  /** Finishes the folder. */
  close(): Promise<void>;
  /** Throws everything away. Safe to call after a failure or after `close()`. */
  abort(): Promise<void>;
}

/** The whole file. Refuses with `too-large` beyond `limit` bytes. */
export async function readAll(source: ByteSource, operation: string, limit = MAX_WHOLE_FILE): Promise<Uint8Array> {
  if (source.size > limit) {
    const cause = `${source.size} bytes (expected at most ${limit})`;
    throw new PliantError('too-large', operation, cause, { file: source.name });
  }
  return source.read(0, source.size);
}

/** Formats that must be parsed as a whole are read up to this size. */
const MAX_WHOLE_FILE = 2 ** 31 - 1;

/** What `use` makes of a file that is closed afterwards. */
export async function withSource<T>(
  files: FileAccess,
  path: string,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const source = await files.open(path);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}

/** `length` bytes at `offset` of a file that is opened again, at `path`, when they are read. */
export function storedBytes(
  files: FileAccess,
  path: string,
  version: string,
  offset: number,
  length: number,
): StoredBytes {
  return {
    length,
    subarray: (from, to) => storedBytes(files, path, version, offset + from, to - from),
    read: () =>
      withSource(files, path, (source) => {
        if (source.version === version) return source.read(offset, length);
        throw new PliantError('bad-file', 'read', 'changed while it was in use: try again', {
          file: path,
        });
      }),
  };
}

/** A source over bytes in memory. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length)
        throw endOfFile(name, offset, length, bytes.length);
      return bytes.subarray(offset, offset + length);
    },
    async close() {},
  };
}

const noFile = async (path: string): Promise<never> => {
  throw new PliantError('not-found', 'open', 'no such file or folder', { file: path });
};

/** A file system without files, for what stands alone: a GLB in memory. */
export const NO_FILES: FileAccess = { open: noFile, kind: async () => 'missing', list: async () => [] };

/** The error every source throws when asked for bytes beyond its end. */
export function endOfFile(name: string, offset: number, length: number, size: number): PliantError {
  const cause = `file ends early (got ${size} bytes, expected at least ${offset + length})`;
  return new PliantError('bad-file', 'read', cause, { file: name, offset });
}
