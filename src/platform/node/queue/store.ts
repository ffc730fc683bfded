import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PliantError } from '../../../error.ts';
import { fileError } from '../files.ts';

/**
 * A folder that producers and workers share, on a disk or a network: blobs under their SHA-256, and for each job that was
 * done the name of its result. Everything is written beside its place and renamed into it, so nobody sees half a blob; all
 * of it may be deleted while nothing runs. Nothing outside of the folder is ever read or written: names are hashes.
 */

/** A blob, by name. */
export interface BlobName {
  /** SHA-256 in hexadecimal. */
  hash: string;
  bytes: number;
}

const CHUNK = 2 ** 22;
const DAY = 86_400_000;

/** Whether a text is a SHA-256 in hexadecimal. */
export const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const damaged = (hash: string): PliantError =>
  new PliantError('bad-file', 'store', 'does not hold what its name says', { file: hash });

export class BlobStore {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<BlobStore> {
    const store = new BlobStore(folder);
    try {
      for (const name of ['blobs', 'results', 'part', 'scratch']) await mkdir(join(folder, name), { recursive: true });
      // What was being written when its process was killed.
      for (const name of await readdir(join(folder, 'part'))) {
        const path = join(folder, 'part', name);
        const left = await stat(path).catch(() => undefined);
        if (left && left.mtimeMs < Date.now() - DAY) await rm(path, { force: true });
      }
    } catch (error) {
      throw fileError(error, 'store', folder);
    }
    return store;
  }

  #path(kind: 'blobs' | 'results', hash: string): string {
    if (!isHash(hash)) throw new PliantError('bad-option', 'store', 'a blob is named by its SHA-256');
    return join(this.folder, kind, hash.slice(0, 2), hash);
  }

  /** Where a blob lies. It is to be checked before it is used. */
  pathOf(hash: string): string {
    return this.#path('blobs', hash);
  }

  /** Bytes of a blob, undefined where there is none. */
  async size(hash: string): Promise<number | undefined> {
    const found = await stat(this.pathOf(hash)).catch(() => undefined);
    return found?.isFile() ? found.size : undefined;
  }

  /** Stores bytes under their hash. Those that are there, whole, are not written again. */
  async put(bytes: Uint8Array): Promise<BlobName> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!(await this.#isWhole(hash, bytes.length))) {
      await this.#place(this.pathOf(hash), async (handle) => {
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
      });
    }
    return { hash, bytes: bytes.length };
  }

  /** Stores a file, whose hash is known, under it. */
  async putFile(path: string, hash: string): Promise<BlobName> {
    const size = await stat(path).then(
      (found) => found.size,
      (error) => {
        throw fileError(error, 'store', path);
      },
    );
    if (await this.#isWhole(hash, size)) return { hash, bytes: size };
    const place = this.pathOf(hash);
    const part = this.#part();
    try {
      await copyFile(path, part, constants.COPYFILE_FICLONE);
      // It may have changed since it was hashed.
      if ((await hashIn(part)).hash !== hash)
        throw new PliantError('bad-file', 'store', 'changed meanwhile', { file: path });
      await mkdir(join(place, '..'), { recursive: true });
      await rename(part, place);
    } catch (error) {
      await rm(part, { force: true });
      throw fileError(error, 'store', path);
    }
    return { hash, bytes: size };
  }

  /** The bytes of a blob, if they are what its name says. Refuses one that is larger than `most` before it is read. */
  async read(hash: string, most = 2 ** 31): Promise<Uint8Array> {
    const size = await this.#require(hash, most);
    const bytes = new Uint8Array(size);
    const found = await hashIn(this.pathOf(hash), (chunk, at) => bytes.set(chunk, at)).catch((error) => {
      throw fileError(error, 'store', hash);
    });
    if (found.hash !== hash) throw damaged(hash);
    return bytes;
  }

  /** Puts a blob under a path, if it is what its name says: nothing is copied where a link will do. */
  async get(hash: string, path: string, most = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#require(hash, most);
    try {
      await link(this.pathOf(hash), path).catch(() => copyFile(this.pathOf(hash), path, constants.COPYFILE_FICLONE));
    } catch (error) {
      throw fileError(error, 'store', path);
    }
    if ((await hashIn(path)).hash !== hash) {
      await rm(path, { force: true });
      throw damaged(hash);
    }
  }

  /** The same as a file of its own, which may be changed without harm to the store. */
  async copy(hash: string, path: string): Promise<void> {
    await this.#require(hash, Number.POSITIVE_INFINITY);
    await copyFile(this.pathOf(hash), path, constants.COPYFILE_FICLONE).catch((error) => {
      throw fileError(error, 'store', path);
    });
    if ((await hashIn(path)).hash === hash) return;
    await rm(path, { force: true });
    throw damaged(hash);
  }

  async #require(hash: string, most: number): Promise<number> {
    const size = await this.size(hash);
    if (size === undefined) throw new PliantError('not-found', 'store', 'no such blob in the store', { file: hash });
    if (size > most) {
      throw new PliantError('too-large', 'store', `${size} bytes (expected at most ${most})`, { file: hash });
    }
    return size;
  }

  /** The blob that a job made, if it is there. */
  async result(key: string): Promise<BlobName | undefined> {
    try {
      const { hash, bytes } = JSON.parse(await readFile(this.#path('results', key), 'utf8')) as BlobName;
      return isHash(hash) && (await this.size(hash)) === bytes ? { hash, bytes } : undefined;
    } catch {
      return undefined;
    }
  }

  async putResult(key: string, { hash, bytes }: BlobName): Promise<void> {
    const text = new TextEncoder().encode(JSON.stringify({ hash, bytes }));
    await this.#place(this.#path('results', key), async (handle) => void (await handle.write(text)));
  }

  /** Forgets what a job made, so that it is made again. */
  async forget(key: string, hash: string): Promise<void> {
    await rm(this.#path('results', key), { force: true });
    await rm(this.pathOf(hash), { force: true });
  }

  async #isWhole(hash: string, bytes: number): Promise<boolean> {
    if ((await this.size(hash)) !== bytes) return false;
    return (await hashIn(this.pathOf(hash)).catch(() => undefined))?.hash === hash;
  }

  #part(): string {
    return join(this.folder, 'part', `${process.pid}-${randomBytes(8).toString('hex')}`);
  }

  async #place(place: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
    const part = this.#part();
    try {
      const handle = await open(part, 'wx');
      try {
        await write(handle);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await mkdir(join(place, '..'), { recursive: true });
      await rename(part, place);
    } catch (error) {
      await rm(part, { force: true });
      throw fileError(error, 'store', place);
    }
  }
}

/** SHA-256 of a file, piece by piece, so that nothing else waits for long. */
async function hashIn(path: string, use?: (chunk: Uint8Array, at: number) => void): Promise<{ hash: string }> {
  const handle = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = new Uint8Array(CHUNK);
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
      if (bytesRead === 0) return { hash: hash.digest('hex') };
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      use?.(chunk, at);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
