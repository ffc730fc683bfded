import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PliantError } from '../../error.ts';
import type { ByteSink, FolderSink } from '../../io/files.ts';
import { isFrameFile } from '../../io/write-obj.ts';
import { fileError, writablePath } from './files.ts';

/** Outputs are written beside their place and renamed into it, so that nobody ever sees one half-written. */

/** Files and folders that are being written now. */
const partial = new Set<string>();

/** Removes whatever is half-written. For interrupt handlers, hence synchronous. */
export function removePartialFiles(): void {
  for (const path of partial) rmSync(path, { recursive: true, force: true });
  partial.clear();
}

const besides = (path: string, what: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.${what}`);

/** Removes what runs to the same output left when they were killed: older than this one, of processes that are no more. */
async function removeLeftBehind(path: string): Promise<void> {
  const started = Date.now() - 1000 * process.uptime();
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(start) ? /^(\d+)-[0-9a-f]{12}\.part$/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isRunning(Number(pid))) continue;
    const left = await infoOf(join(folder, name));
    // One that may not be removed is none of our business.
    if (left && left.mtimeMs < started) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It may belong to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const infoOf = (path: string) => stat(path).catch(() => undefined);

const exists = (path: string, cause: string, reason?: 'output-exists'): PliantError =>
  new PliantError('exists', 'write', cause, { file: path, reason });

/** Whether an output may take the place of an older one. */
export interface SinkOptions {
  /** Replace what is there. */
  force?: boolean;
}

export interface FolderSinkOptions extends SinkOptions {
  /** Whether a file of this name may be one that Pliant wrote there [default the frames of a sequence]. */
  isOurs?: (name: string) => boolean;
}

/** Refuses a place that is in no folder. */
async function checkParent(path: string): Promise<void> {
  const folder = dirname(path);
  const parent = await infoOf(folder);
  if (parent?.isDirectory()) return;
  const cause = parent ? `${folder} is a file (expected a folder)` : `folder ${folder} does not exist`;
  throw new PliantError('not-found', 'write', cause, { file: path });
}

/** What the system says of a new file or folder in a folder that exists. Some, such as /proc, take none. */
function creationError(error: unknown, path: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  return new PliantError('no-permission', 'write', `cannot create files in ${dirname(path)}`, { file: path });
}

/** Refuses what a file must not replace. */
async function checkFilePlace(path: string, force: boolean): Promise<void> {
  await checkParent(path);
  const there = await infoOf(path);
  if (there?.isDirectory()) throw exists(path, 'is a folder (expected a file name)');
  if (there && !there.isFile()) throw exists(path, 'is not a regular file (expected a file name)');
  if (there && !force) throw exists(path, 'already exists', 'output-exists');
}

/** A file that appears under `path` on `close()`. Refuses with `exists` unless `force` is set. */
export async function createFileSink(path: string, { force = false }: SinkOptions = {}): Promise<ByteSink> {
  try {
    await checkFilePlace(path, force);
    const target = await writablePath(path);
    await removeLeftBehind(target);
    const temporary = besides(target, 'part');
    partial.add(temporary);
    return await openSink(temporary, path, async () => {
      // Again: it may have come into being meanwhile.
      await checkFilePlace(path, force);
      renameSync(temporary, target);
      partial.delete(temporary);
    });
  } catch (error) {
    throw fileError(error, 'write', path);
  }
}

/** A sink into the new file `temporary`; `name` is what errors call it, `finish` runs after it is closed. */
async function openSink(temporary: string, name: string, finish: () => Promise<void>): Promise<ByteSink> {
  const handle = await open(temporary, 'wx').catch((error) => {
    partial.delete(temporary);
    throw creationError(error, name);
  });
  let size = 0;
  let state: 'open' | 'closed' | 'done' = 'open';
  const closeHandle = async () => {
    if (state !== 'open') return;
    state = 'closed';
    await handle.close();
  };
  const abort = async () => {
    if (state === 'done') return;
    await closeHandle();
    await rm(temporary, { force: true });
    partial.delete(temporary);
    state = 'done';
  };
  return {
    abort,
    async write(bytes) {
      await writeAll(handle, name, bytes, size);
      size += bytes.length;
    },
    patch: (offset, bytes) => writeAll(handle, name, bytes, offset),
    async close() {
      if (state === 'done') return;
      try {
        await closeHandle();
        await finish();
        state = 'done';
      } catch (error) {
        await abort();
        throw fileError(error, 'write', name);
      }
    },
  };
}

/** All bytes at a place of an open file; `name` is what errors call it. */
async function writeAll(handle: FileHandle, name: string, bytes: Uint8Array, offset: number): Promise<void> {
  try {
    let done = 0;
    while (done < bytes.length) {
      done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
    }
  } catch (error) {
    throw fileError(error, 'write', name);
  }
}

/** An empty folder in `parent` to work in, until it is removed; a run that is interrupted leaves none behind. */
export async function createScratch(parent: string, name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const place = join(parent, name);
  await removeLeftBehind(place);
  const path = besides(place, 'part');
  partial.add(path);
  try {
    await mkdir(path);
  } catch (error) {
    partial.delete(path);
    throw fileError(creationError(error, path), 'write', path);
  }
  const remove = async () => {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    partial.delete(path);
  };
  return { path, remove };
}

/**
 * Refuses what a folder must not replace. An empty folder may always be filled; one that holds anything is replaced only
 * with `force`, and only when every entry has a name that Pliant writes there.
 */
async function checkFolderPlace(
  path: string,
  { force = false, isOurs = isFrameFile }: FolderSinkOptions,
): Promise<void> {
  await checkParent(path);
  const there = await infoOf(path);
  if (!there) return;
  if (!there.isDirectory()) throw exists(path, 'is a file (expected the name of a folder)');
  const entries = await readdir(path, { withFileTypes: true });
  if (entries.length === 0) return;
  const foreign = entries.find((entry) => !entry.isFile() || !isOurs(entry.name));
  if (foreign) throw exists(path, `contains ${foreign.name}, which Pliant did not write (choose another folder)`);
  if (!force) throw exists(path, `already contains ${entries.length} files`, 'output-exists');
}

/** A folder that appears under `path` on `close()`. Refuses with `exists` as described above. */
export async function createFolderSink(path: string, options: FolderSinkOptions = {}): Promise<FolderSink> {
  let state: 'open' | 'done' = 'open';
  // "frames/" is "frames".
  const target = await writablePath(join(path, '.'));
  const temporary = besides(target, 'part');
  const files: ByteSink[] = [];
  const abort = async () => {
    if (state === 'done') return;
    for (const file of files) await file.abort();
    await rm(temporary, { recursive: true, force: true });
    partial.delete(temporary);
    state = 'done';
  };
  try {
    await checkFolderPlace(target, options);
    await removeLeftBehind(target);
    partial.add(temporary);
    await mkdir(temporary);
  } catch (error) {
    partial.delete(temporary);
    throw fileError(creationError(error, path), 'write', path);
  }
  return {
    abort,
    async file(name) {
      try {
        const file = await openSink(join(temporary, name), join(path, name), async () => {});
        files.push(file);
        return file;
      } catch (error) {
        throw fileError(error, 'write', join(path, name));
      }
    },
    async close() {
      if (state === 'done') return;
      try {
        await checkFolderPlace(target, options);
        const old = besides(target, 'old');
        const replaces = (await infoOf(target)) !== undefined;
        // Synchronous, so that no interrupt handler runs while the old folder is gone and the new not yet there.
        if (replaces) renameSync(target, old);
        renameSync(temporary, target);
        partial.delete(temporary);
        state = 'done';
        if (replaces) rmSync(old, { recursive: true, force: true });
      } catch (error) {
        await abort();
        throw fileError(error, 'write', path);
      }
    },
  };
}
