import { errorOf, type PlainError, PliantError, plainError, throwIfCancelled } from '../error.ts';
import { WorkerLost } from './parallel.ts';
import {
  checkTile,
  findTileTask,
  type Tile,
  type TileInput,
  type TileRunner,
  type TileRunOptions,
  type TileTable,
} from './tiles.ts';

/** A request to a thread. Blobs come with the first job that needs them; the thread keeps the last ones. */
export interface TileRequest {
  task: string;
  inputs?: readonly Uint8Array[];
  job: unknown;
}

export type TileReply = { bytes: Uint8Array } | { failed: PlainError };

/** A thread as the runner sees it: one request, one reply. */
interface TileThread {
  post(request: TileRequest): void;
  terminate(): Promise<void>;
}

/** Starts a thread. `reply` is called once per request, `lost` if the thread ends by itself. */
export type StartTileThread = (
  reply: (reply: TileReply) => void,
  lost: (error?: PliantError) => void,
) => Promise<TileThread>;

/** How one tile is made. */
export interface MakeOptions {
  signal?: Pick<AbortSignal, 'aborted'>;
  /** Seconds after which it is given up. */
  timeLimit?: number;
}

/** A thread's side: returns what it does with each request. */
export function tileWorker(table: TileTable, reply: (reply: TileReply) => void): (request: TileRequest) => void {
  let make: ((job: unknown) => Uint8Array | Promise<Uint8Array>) | undefined;
  const answer = async ({ task, inputs, job }: TileRequest): Promise<TileReply> => {
    try {
      if (inputs) {
        make = undefined;
        make = await findTileTask(table, task).open(inputs);
      }
      if (!make) throw new PliantError('internal', task, 'a tile was asked for before its inputs came');
      return { bytes: await make(job) };
    } catch (error) {
      return { failed: plainError(error) };
    }
  };
  return (request) => void answer(request).then(reply);
}

/** A thread and what it is at. */
interface Seat {
  thread?: TileThread;
  busy: boolean;
  /** What it is set up for, see `TileThreads.#key`. */
  key?: string;
  /** Whom its next reply goes to. */
  settle?: { resolve(bytes: Uint8Array): void; reject(error: unknown): void };
}

/** Milliseconds between two looks at the signal and the clock. */
const LOOK = 50;

/**
 * Tiles in threads of this process. Threads start when they are needed and stay. One whose tile is cancelled or takes
 * too long is ended in the midst of it, and another started for the next.
 */
export class TileThreads implements TileRunner {
  readonly threads: number;
  readonly #start: StartTileThread;
  readonly #table: TileTable;
  readonly #seats: Seat[];
  readonly #waiting: (() => void)[] = [];
  /** Numbers of blobs whose hash is not known. */
  readonly #numbers = new WeakMap<Uint8Array, number>();
  #numbered = 0;
  #closed = false;

  constructor(start: StartTileThread, threads: number, table: TileTable) {
    if (!(Number.isInteger(threads) && threads >= 1)) {
      const cause = `(got ${threads}, expected a whole number ≥ 1)`;
      throw new PliantError('bad-option', 'tiles', cause, { option: 'threads' });
    }
    this.threads = threads;
    this.#start = start;
    this.#table = table;
    this.#seats = Array.from({ length: threads }, () => ({ busy: false }));
  }

  /** One tile, as soon as a thread is free. */
  async make(task: string, inputs: readonly TileInput[], job: unknown, options: MakeOptions = {}): Promise<Uint8Array> {
    const sizes = inputs.map(({ bytes }) => bytes.length);
    const checked = checkTile(this.#table, task, sizes, job);
    throwIfCancelled(options.signal, task);
    const key = this.#key(task, inputs);
    const seat = await this.#sit(key);
    try {
      throwIfCancelled(options.signal, task);
      return await this.#ask(seat, key, { task, inputs: inputs.map(({ bytes }) => bytes), job: checked }, options);
    } finally {
      seat.busy = false;
      this.#waiting.shift()?.();
    }
  }

  async *run(
    task: string,
    inputs: readonly TileInput[],
    jobs: readonly unknown[],
    { signal, onProgress }: TileRunOptions = {},
  ): AsyncGenerator<Tile> {
    // All before the first: a mistake in the last job must not cost the time of the others.
    const sizes = inputs.map(({ bytes }) => bytes.length);
    for (const job of jobs) checkTile(this.#table, task, sizes, job);
    const stop = { aborted: false };
    const either = {
      get aborted() {
        return stop.aborted || signal?.aborted === true;
      },
    };
    const made = new Map<number, Promise<Tile>>();
    let next = 0;
    const refill = () => {
      for (; next < jobs.length && made.size < this.threads + 1; next++) {
        const index = next;
        const tile = this.make(task, inputs, jobs[index], { signal: either }).then((bytes) => ({ index, bytes }));
        tile.catch(() => {}); // it may fail while nobody waits; who waits next is told
        made.set(index, tile);
      }
    };
    try {
      for (let done = 1; done <= jobs.length; done++) {
        refill();
        const tile = await Promise.race(made.values());
        made.delete(tile.index);
        refill();
        onProgress?.(done, jobs.length, task);
        yield tile;
      }
    } finally {
      // A run that is left early lets no thread go on with it.
      stop.aborted = true;
      await Promise.allSettled(made.values());
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#seats.map((seat) => this.#end(seat, new WorkerLost())));
  }

  /** Tells set-ups apart. */
  #key(task: string, inputs: readonly TileInput[]): string {
    const names = inputs.map(({ bytes, hash }) => {
      if (hash !== undefined) return hash;
      if (!this.#numbers.has(bytes)) this.#numbers.set(bytes, this.#numbered++);
      return `#${this.#numbers.get(bytes)}`;
    });
    return [task, ...names].join(' ');
  }

  /** A free seat: one that is set up already, else one without a thread, else any. */
  async #sit(key: string): Promise<Seat> {
    for (;;) {
      if (this.#closed) throw new WorkerLost();
      const free = this.#seats.filter(({ busy }) => !busy);
      const seat = free.find((each) => each.key === key) ?? free.find(({ thread }) => !thread) ?? free[0];
      if (seat) {
        seat.busy = true;
        return seat;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #ask(
    seat: Seat,
    key: string,
    { task, inputs, job }: Required<TileRequest>,
    { signal, timeLimit = Number.POSITIVE_INFINITY }: MakeOptions,
  ): Promise<Uint8Array> {
    seat.thread ??= await this.#start(
      (reply) => {
        const { settle } = seat;
        seat.settle = undefined;
        if ('bytes' in reply) settle?.resolve(reply.bytes);
        else settle?.reject(errorOf(reply.failed));
      },
      (error = new WorkerLost()) => void this.#end(seat, error),
    );
    const isSetUp = seat.key === key;
    // A set-up that fails leaves none: the next job brings the blobs again.
    seat.key = undefined;
    let over = false;
    const reply = new Promise<Uint8Array>((resolve, reject) => {
      seat.settle = { resolve, reject };
      seat.thread!.post({ task, job, ...(isSetUp ? {} : { inputs }) });
    });
    const watch = async () => {
      const started = performance.now();
      while (!over) {
        await new Promise<void>((resolve) => setTimeout(resolve, LOOK));
        const late = performance.now() - started > 1000 * timeLimit;
        if (over || !(late || signal?.aborted)) continue;
        const cause = `took longer than ${timeLimit} s`;
        await this.#end(seat, new PliantError(late ? 'too-large' : 'cancelled', task, late ? cause : 'cancelled'));
      }
    };
    void watch();
    try {
      const bytes = await reply;
      seat.key = key;
      return bytes;
    } finally {
      over = true;
    }
  }

  /** Ends the thread of a seat; whoever waits for its reply gets the error. */
  async #end(seat: Seat, error: PliantError): Promise<void> {
    const { thread, settle } = seat;
    seat.thread = undefined;
    seat.key = undefined;
    seat.settle = undefined;
    settle?.reject(error);
    await thread?.terminate();
  }
}
