import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { type ErrorReason, PliantError, type PliantErrorCode } from '../../error.ts';
import { type ByteSource, endOfFile, type FileAccess } from '../../io/files.ts';

/** Error codes of the operating system → ours. Others are `system`, with Node's own message. */
const CAUSES: Record<string, [code: PliantErrorCode, cause?: string, reason?: ErrorReason]> = {
  ENOENT: ['not-found', 'no such file or folder'],
  ENOTDIR: ['not-found', 'a part of the path is not a folder'],
  ELOOP: ['not-found'],
  ENAMETOOLONG: ['not-found'],
  EEXIST: ['exists', 'already exists'],
  EISDIR: ['bad-file', 'is a folder (expected a file)'],
  EACCES: ['no-permission', 'permission denied'],
  EPERM: ['no-permission', 'permission denied'],
  EROFS: ['no-permission', 'the file system is read-only'],
  ENOSPC: ['system', 'the disk is full', 'disk-full'],
  EDQUOT: ['system', 'the disk quota is used up', 'disk-full'],
  EFBIG: ['system', 'the file is larger than the disk or a limit allows'],
};

/** What Node threw, as a PliantError about `file`. PliantErrors pass through. */
export function fileError(error: unknown, operation: string, file: string): PliantError {
  if (error instanceof PliantError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [known, cause = message, reason] = CAUSES[code] ?? ['system'];
  return new PliantError(known, operation, cause, { file, ...(reason && { reason }) });
}

/** Node aborts when a single read asks for 2 GiB or more. */
const LARGEST_READ = 2 ** 30;

/** A source that reads through an open file; offsets beyond 2 GB are fine. */
class HandleSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly version: string;
  readonly #handle: FileHandle;

  constructor(name: string, { size, ino, mtimeNs }: BigIntStats, handle: FileHandle) {
    this.name = name;
    this.size = Number(size);
    this.version = `${ino} ${size} ${mtimeNs}`;
    this.#handle = handle;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    // Asked before allocating: a length that came from a damaged header must not cost memory.
    if (offset < 0 || length < 0 || offset + length > this.size) throw endOfFile(this.name, offset, length, this.size);
    const bytes = new Uint8Array(length);
    let done = 0;
    try {
      while (done < length) {
        const { bytesRead } = await this.#handle.read(
          bytes,
          done,
          Math.min(length - done, LARGEST_READ),
          offset + done,
        );
        if (bytesRead === 0) throw endOfFile(this.name, offset, length, offset + done);
        done += bytesRead;
      }
    } catch (error) {
      throw fileError(error, 'read', this.name);
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** The file system. Paths are Node's; relative ones start at the working folder. */
export const nodeFiles: FileAccess = {
  async open(path) {
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'r');
      const info = await handle.stat({ bigint: true });
      if (info.isDirectory()) throw fileError({ code: 'EISDIR' }, 'open', path);
      if (!info.isFile()) throw new PliantError('bad-file', 'open', 'is not a regular file', { file: path });
      return new HandleSource(path, info, handle);
    } catch (error) {
      await handle?.close();
      throw fileError(error, 'open', path);
    }
  },

  async kind(path) {
    try {
      return (await stat(path)).isDirectory() ? 'folder' : 'file';
    } catch (error) {
      const known = fileError(error, 'open', path);
      if (known.code === 'not-found') return 'missing';
      throw known;
    }
  },

  async list(folder) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      const isFile = async (name: string) => (await stat(`${folder}/${name}`).catch(() => undefined))?.isFile();
      const names: string[] = [];
      for (const entry of entries) {
        if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(entry.name)))) names.push(entry.name);
      }
      return names;
    } catch (error) {
      throw fileError(error, 'list', folder);
    }
  },
};

/** The path that a rename to `path` must go to, so that a symbolic link stays one; `path` itself when it is new. */
export async function writablePath(path: string): Promise<string> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink();
  return isLink ? await realpath(path).catch(() => path) : path;
}
