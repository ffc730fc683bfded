import { PliantError, throwIfCancelled } from '../error.ts';

/**
 * Work that is cut into tiles, each made by one pure function of a few blobs and a small job: the same bytes whichever
 * thread or machine makes it, and however often. `RangeTask`s (parallel.ts) share memory and take microseconds; tiles
 * share nothing, take seconds, and may be made elsewhere.
 */

/** Bytes that tiles are made from. What is large belongs here, not into jobs. */
export interface TileInput {
  bytes: Uint8Array;
  /** SHA-256 in hexadecimal, where it is known. Inputs of equal hashes are taken for equal. */
  hash?: string;
}

/** What was made of the job of this index. */
export interface Tile {
  index: number;
  bytes: Uint8Array;
}

/** What a run of tiles takes beside its jobs, as every long operation does. */
export interface TileRunOptions {
  signal?: AbortSignal;
  /** Called after each tile. */
  onProgress?: (done: number, total: number, label: string) => void;
}

/** Makes tiles: in this thread, in threads of this process, or on other machines. */
export interface TileRunner {
  /** How many tiles are made at once, where that is known. */
  readonly threads?: number;
  /**
   * The tiles of all jobs, in the order in which they are done. Jobs are what JSON can hold. A job that fails ends the
   * run with its error. Tiles are made ahead of who asks for them, but only a few: memory stays bounded.
   */
  run(
    task: string,
    inputs: readonly TileInput[],
    jobs: readonly unknown[],
    options?: TileRunOptions,
  ): AsyncIterable<Tile>;
  /** Lets go of threads and connections. */
  close(): Promise<void>;
}

/** How tiles of one kind are made. Pure: nothing but the blobs and the job may change a byte. */
export interface TileTask<J = unknown> {
  /** How many blobs it takes, and how many bytes they may have together. */
  inputs: { count: number; maxBytes: number };
  /** Another number where a new release makes other bytes of the same job: older results are not taken for its own. */
  version: number;
  /** The job, if it is one: known fields within limits that bound what is allocated for it. Throws `bad-option`. */
  check(job: unknown): J;
  /** Reads the blobs, once per thread, and returns what makes a tile. */
  open(inputs: readonly Uint8Array[]): Promise<(job: J) => Uint8Array | Promise<Uint8Array>>;
}

/** Tasks by name: the same table wherever tiles are made. */
// biome-ignore lint/suspicious/noExplicitAny: each task knows the type of its own jobs, which `check` makes sure of
export type TileTable = Readonly<Record<string, TileTask<any>>>;

const OPERATION = 'tiles';

/** The task of this name, and nothing that merely is a property of the table. */
export function findTileTask(table: TileTable, name: string): TileTask {
  if (Object.hasOwn(table, name)) return table[name];
  const candidates = Object.keys(table);
  const cause = `no task "${name}" (expected one of: ${candidates.join(', ')})`;
  throw new PliantError('bad-option', OPERATION, cause, { got: name, candidates });
}

/** What every runner checks before anything is read: the task, the number and size of its blobs, the job. */
export function checkTile(table: TileTable, name: string, sizes: readonly number[], job: unknown): unknown {
  const task = findTileTask(table, name);
  const { count, maxBytes } = task.inputs;
  if (sizes.length !== count) {
    throw new PliantError('bad-input', name, `(got ${sizes.length} inputs, expected ${count})`);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (!(bytes <= maxBytes)) {
    throw new PliantError('too-large', name, `${bytes} bytes of input (expected at most ${maxBytes})`);
  }
  // As a queue passes it on: what JSON cannot hold must not make a difference.
  return task.check(JSON.parse(JSON.stringify(job ?? null)));
}

/**
 * Makes tiles one after the other in the calling thread: for who has no threads, and the oracle of who has.
 *
 * @public
 */
export function tilesHere(table: TileTable): TileRunner {
  return {
    threads: 1,
    async *run(name, inputs, jobs, { signal, onProgress } = {}) {
      const sizes = inputs.map(({ bytes }) => bytes.length);
      const checked = jobs.map((job) => checkTile(table, name, sizes, job));
      if (jobs.length === 0) return;
      const make = await findTileTask(table, name).open(inputs.map(({ bytes }) => bytes));
      for (const [index, job] of checked.entries()) {
        throwIfCancelled(signal, name);
        const bytes = await make(job);
        onProgress?.(index + 1, jobs.length, name);
        yield { index, bytes };
      }
    },
    async close() {},
  };
}
