import { PliantError } from '../error.ts';

/**
 * Loops over shared memory, split among threads. The calling thread works too, and waits for the others: a call costs
 * one wake-up of sleeping workers, a few microseconds, so that a single frame of skinning can be split.
 *
 * Everything is synchronised through one small shared array. Workers sleep on TICKET. A call publishes its job, opens
 * it, and raises the ticket; whoever is awake takes pieces of the range until none is left. A worker enters (ACTIVE + 1)
 * before it looks whether the job is open, and the caller closes the job before it looks at ACTIVE: one of them sees the
 * other, so a worker that wakes late neither delays the call nor meets the next job half-written.
 *
 * A worker that is ended from outside leaves ACTIVE raised. No event of it can reach a caller that sleeps: the caller
 * looks up from time to time whether any worker has finished a piece since (DONE), and gives up when none has for long.
 * The pool is of no use from then on: a worker that was slow, not gone, may still write what it was asked to.
 */

/** Sets itself up from the data of a job, once per thread (0 is the caller's), and returns the body of the loop. */
export type RangeTask = (data: unknown, thread: number) => (begin: number, end: number) => void;

/** Tasks by name: the same table in every thread. */
export type TaskTable = Readonly<Record<string, RangeTask>>;

/** A loop that is ready to run in every thread. */
export interface ParallelJob {
  /** Runs the body over 0…count in pieces of `grain`, in any order, and returns when all are done. */
  run(count: number, grain: number): void;
  /** Forgets the task. */
  close(): void;
}

/** Threads that share loops over ranges. When one is lost, every later `run` throws `WorkerLost`: open another pool. */
export interface ParallelPool {
  /** Threads that work, the calling one included. */
  readonly threads: number;
  /** Sets a task up in every thread. `data` is cloned to the workers; buffers in it must be shared ones. */
  open(task: string, data: unknown): ParallelJob;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** A worker as the pool sees it. */
export interface PoolWorker {
  post(message: PoolMessage): void;
  terminate(): Promise<void>;
}

export type PoolMessage = { open: number; task: string; data: unknown } | { close: number };

const TICKET = 0;
const OPEN = 1;
const ACTIVE = 2;
const JOB = 3;
const NEXT = 4;
const COUNT = 5;
const GRAIN = 6;
/** Messages posted so far to each worker; workers that have seen fewer go and read them. */
const POSTED = 7;
/** Whose failure it was. */
const FAILED_JOB = 8;
/** Pieces that workers have finished, over all jobs. */
const DONE = 9;
/** Length of the message of the last failure, then its characters. */
const FAILURE = 10;
const FAILURE_LENGTH = 240;

export const controlArray = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(4 * (FAILURE + 1 + FAILURE_LENGTH)));

/** A worker is gone, and with it what it worked on and its pool. */
export class WorkerLost extends PliantError {
  constructor() {
    super('internal', 'parallel', 'a worker was terminated before it finished');
  }
}

/** The loop of one thread over one job: takes pieces until none is left. `done` is called after each. */
function takePieces(control: Int32Array, body: (begin: number, end: number) => void, done = () => {}): void {
  const count = control[COUNT];
  const grain = control[GRAIN];
  for (;;) {
    const begin = Atomics.add(control, NEXT, grain);
    if (begin >= count) return;
    body(begin, Math.min(begin + grain, count));
    done();
  }
}

function findTask(tasks: TaskTable, name: string): RangeTask {
  const task = tasks[name];
  if (!task) {
    const known = Object.keys(tasks).join(', ');
    throw new PliantError('internal', 'parallel', `no task "${name}" (expected one of: ${known})`);
  }
  return task;
}

/**
 * The caller's side. `canBlock`: whether this thread may sleep; a browser's main thread may not, and spins instead.
 * `patience`: seconds without a sign of life, which is a finished piece, after which workers are taken for lost. Most
 * pieces take milliseconds, but one of the sums of a fit is an eighth of all vertices, which may take seconds.
 */
export function createPool(
  workers: readonly PoolWorker[],
  control: Int32Array,
  tasks: TaskTable,
  canBlock: boolean,
  patience = 30,
): ParallelPool {
  let lastJob = 0;
  let lost = false;
  const post = (message: PoolMessage) => {
    // Counted first: a worker that is awake must not take the message for its last one.
    Atomics.add(control, POSTED, 1);
    for (const worker of workers) worker.post(message);
    wake();
  };
  const wake = () => {
    Atomics.add(control, TICKET, 1);
    Atomics.notify(control, TICKET);
  };
  return {
    threads: workers.length + 1,
    open(task, data) {
      const job = ++lastJob;
      const body = findTask(tasks, task)(data, 0);
      if (workers.length > 0) post({ open: job, task, data });
      return {
        run(count, grain) {
          if (lost) throw new WorkerLost();
          control[JOB] = job;
          control[COUNT] = count;
          control[GRAIN] = grain;
          Atomics.store(control, NEXT, 0);
          // What is left of another job, whose caller never asked, is no failure of this one.
          if (Atomics.load(control, FAILED_JOB) !== job) Atomics.store(control, FAILURE, 0);
          if (workers.length > 0 && count > grain) {
            Atomics.store(control, OPEN, 1);
            wake();
          }
          try {
            takePieces(control, body);
          } finally {
            Atomics.store(control, NEXT, count);
            Atomics.store(control, OPEN, 0);
            lost = !becomesIdle(control, canBlock, patience); // not thrown here: an error of the body comes first
          }
          if (lost) throw new WorkerLost();
          throwFailure(control, job);
        },
        close() {
          if (workers.length > 0) post({ close: job });
        },
      };
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Looks a few thousand times first: the last pieces of the others are usually microseconds away. */
const SPINS = 4000;

/** Times that a caller looks up before it gives up: one that was asleep with its machine has looked up only once more. */
const LOOKS = 20;

/** Waits until no worker is at work: true, or false where one seems to be lost. */
function becomesIdle(control: Int32Array, canBlock: boolean, patience: number): boolean {
  const pause = (1000 * patience) / LOOKS;
  let done = Atomics.load(control, DONE);
  let looked = performance.now();
  let silent = 0;
  for (let spin = 0; ; spin++) {
    const active = Atomics.load(control, ACTIVE);
    if (active === 0) return true;
    if (spin < SPINS) continue;
    if (canBlock) Atomics.wait(control, ACTIVE, active, pause);
    if (performance.now() - looked < pause) continue;
    looked = performance.now();
    const before = done;
    done = Atomics.load(control, DONE);
    silent = done === before ? silent + 1 : 0;
    if (silent === LOOKS) return false;
  }
}

function throwFailure(control: Int32Array, job: number): void {
  const length = Atomics.load(control, FAILURE);
  if (length === 0 || Atomics.load(control, FAILED_JOB) !== job) return;
  const message = String.fromCharCode(...control.subarray(FAILURE + 1, FAILURE + 1 + length));
  Atomics.store(control, FAILURE, 0);
  throw new PliantError('internal', 'parallel', `a worker failed: ${message}`);
}

function storeFailure(control: Int32Array, job: number, error: unknown): void {
  const text = String(error instanceof Error ? error.message : error).slice(0, FAILURE_LENGTH) || 'unknown';
  for (let c = 0; c < text.length; c++) control[FAILURE + 1 + c] = text.charCodeAt(c);
  Atomics.store(control, FAILED_JOB, job);
  Atomics.store(control, FAILURE, text.length);
}

/**
 * A worker's side: returns what it does with each message. After a message it serves jobs, asleep in between, until more
 * messages have been posted, which it can only receive by returning.
 */
export function poolWorker(control: Int32Array, tasks: TaskTable, thread: number): (message: PoolMessage) => void {
  const bodies = new Map<number, (begin: number, end: number) => void>();
  let handled = 0;
  let seen = 0;
  const live = () => Atomics.add(control, DONE, 1);

  const serve = () => {
    for (;;) {
      Atomics.wait(control, TICKET, seen);
      seen = Atomics.load(control, TICKET);
      if (Atomics.load(control, POSTED) !== handled) return;
      Atomics.add(control, ACTIVE, 1);
      try {
        // A job whose set-up failed here has no body: the failure is on its way, and the others do the work.
        const body = Atomics.load(control, OPEN) === 1 ? bodies.get(control[JOB]) : undefined;
        if (body) takePieces(control, body, live);
      } catch (error) {
        storeFailure(control, control[JOB], error);
      } finally {
        Atomics.sub(control, ACTIVE, 1);
        Atomics.notify(control, ACTIVE);
      }
    }
  };

  return (message) => {
    handled++;
    try {
      if ('open' in message) bodies.set(message.open, findTask(tasks, message.task)(message.data, thread));
      else bodies.delete(message.close);
    } catch (error) {
      storeFailure(control, 'open' in message ? message.open : message.close, error);
    }
    if (Atomics.load(control, POSTED) === handled) serve();
  };
}
