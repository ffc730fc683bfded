import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { checkTile, findTileTask, type TileInput } from '../../src/kernels/tiles.ts';
import type { QueueJob } from '../../src/platform/node/queue/queue-job.ts';
import type { BlobStore } from '../../src/platform/node/queue/store.ts';
import { createScratch } from '../../src/platform/node/sinks.ts';
import { nodeTiles } from '../../src/platform/node/tiles.ts';
import { TILES } from '../../src/tile-tasks.ts';
import { checkVerbJob } from './check-job.ts';
import { stage } from './engine.ts';
import { hashOf, hashOfFile } from './hashes.ts';
import { VERB_TASK, type VerbResult } from './queue-engine.ts';
import { runVerb } from './run-verb.ts';

export interface ServeLimits {
  threads: number;
  /** Seconds per job. */
  timeLimit: number;
  /** Bytes of all blobs of a job together. */
  maxSize: number;
}

/** What others left behind is known by their process numbers, which are of this machine only. */
const OWN_SCRATCH = hashOf(hostname()).slice(0, 16);

/** The folder of this package, or the `node_modules` that it is installed in. */
function codeFolder(): string {
  const own = fileURLToPath(new URL('../../..', import.meta.url));
  const parts = own.split(sep);
  const at = parts.lastIndexOf('node_modules');
  return at < 0 ? own : parts.slice(0, at + 1).join(sep);
}

/** Lets a verb read nothing but its files and its own code, and write nothing but its output. */
function confine(folder: string, blobs: string): string[] {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const inside = (path: string) => `${resolve(path)}${sep}*`;
  return [
    flag,
    '--no-warnings',
    '--allow-worker',
    ...[codeFolder(), folder, blobs].map((path) => `--allow-fs-read=${inside(path)}`),
    `--allow-fs-write=${inside(join(folder, 'out'))}`,
  ];
}

/** What a verb needs of the environment: no passwords. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'].map((name) => [name, process.env[name]]));

/** Does the jobs of a queue: tiles in threads, verbs in processes. */
export function makeJobs(program: Command, store: BlobStore, { threads, timeLimit, maxSize }: ServeLimits) {
  const tiles = nodeTiles(threads);
  /** The blobs of the last tile: those of the next are mostly the same. */
  let last: { key: string; inputs: Promise<TileInput[]> } | undefined;

  /** Sizes of blobs, before any is read. */
  const sizesOf = async (inputs: readonly string[]): Promise<number[]> => {
    const sizes: number[] = [];
    for (const hash of inputs) {
      const size = await store.size(hash);
      if (size === undefined) throw new PliantError('not-found', 'store', 'no such blob in the store', { file: hash });
      sizes.push(size);
    }
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > maxSize) {
      throw new PliantError('too-large', 'worker', `${total} bytes of input (expected at most ${maxSize})`);
    }
    return sizes;
  };

  const makeTile = async ({ task, inputs, job }: QueueJob, signal: AbortSignal): Promise<Uint8Array> => {
    const { version, job: own } = (job ?? {}) as { version?: unknown; job?: unknown };
    const { version: known } = findTileTask(TILES, task);
    if (version !== known) {
      throw new PliantError('unsupported', 'worker', `${task} (got version ${String(version)}, expected ${known})`);
    }
    checkTile(TILES, task, await sizesOf(inputs), own);
    const key = inputs.join(' ');
    if (last?.key !== key) {
      const read = Promise.all(inputs.map(async (hash) => ({ hash, bytes: await store.read(hash, maxSize) })));
      read.catch(() => {
        if (last?.inputs === read) last = undefined;
      });
      last = { key, inputs: read };
    }
    return tiles.make(task, await last.inputs, own, { signal, timeLimit });
  };

  const makeVerb = async ({ inputs, job: given }: QueueJob, signal: AbortSignal): Promise<Uint8Array> => {
    const job = await checkVerbJob(program, given, inputs.length);
    await sizesOf(inputs);
    const parent = join(store.folder, 'scratch', OWN_SCRATCH);
    await mkdir(parent, { recursive: true });
    const scratch = await createScratch(parent, 'verb');
    try {
      for (const hash of inputs) {
        if ((await hashOfFile(store.pathOf(hash))) === hash) continue;
        throw new PliantError('bad-file', 'store', 'does not hold what its name says', { file: hash });
      }
      const files = job.files.map((name, i) => ({ name, path: store.pathOf(inputs[i]) }));
      await stage(files, scratch.path);
      const nodeFlags = confine(scratch.path, join(store.folder, 'blobs'));
      const env = plainEnvironment();
      const answer = await runVerb(job, scratch.path, { signal, timeLimit, nodeFlags, env });
      const result: VerbResult = { answer, files: [] };
      const out = join(scratch.path, 'out');
      for (const entry of await readdir(out, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const name = path
          .slice(out.length + 1)
          .split(sep)
          .join('/');
        result.files.push({ name, ...(await store.putFile(path, await hashOfFile(path))) });
      }
      result.files.sort((a, b) => (a.name < b.name ? -1 : 1));
      return new TextEncoder().encode(JSON.stringify(result));
    } finally {
      await scratch.remove();
    }
  };

  return {
    work: (job: QueueJob, signal: AbortSignal): Promise<Uint8Array> =>
      job.task === VERB_TASK ? makeVerb(job, signal) : makeTile(job, signal),
    close: () => tiles.close(),
  };
}
