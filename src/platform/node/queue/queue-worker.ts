import type { Job } from 'bullmq';
import { PliantError, plainError } from '../../../error.ts';
import type { RedisAddress } from './address.ts';
import {
  checkQueueJob,
  connectionTo,
  loadBullMq,
  PREFIX,
  type QueueJob,
  queueName,
  requireRedis,
} from './queue-job.ts';
import type { BlobName, BlobStore } from './store.ts';

/**
 * Seconds. A worker that is lost is noticed when its lock runs out, at the next look: with BullMQ's own 30 and 30 its job
 * starts again after a minute, with these after one to three seconds. Locks are renewed every second, so nothing in this
 * thread may take longer: work is done in threads and processes.
 */
const LOCK = 2;
const LOOK = 1;
/** A job that has ended this many workers ends no more. */
const MOST_LOST = 3;

/** How a job went. */
export interface JobEvent {
  task: string;
  key: string;
  /** `kept`: its result was there already. `handed-back`: this worker was told to stop. */
  state: 'done' | 'kept' | 'failed' | 'handed-back';
  seconds: number;
  error?: PliantError;
}

export interface QueueWorkerOptions {
  /** Jobs at once. */
  threads: number;
  version: string;
  signal: AbortSignal;
  /** Does a job: checks its options and sizes, then makes its result. */
  work(job: QueueJob, signal: AbortSignal): Promise<Uint8Array>;
  onJob(event: JobEvent): void;
  /** Redis is away, or there again. */
  onRedis(error?: Error): void;
  /** The disk is full: a job waits until there is room. */
  onFull(error: PliantError): void;
}

/** Milliseconds between two tries while the disk is full. */
const ROOM = 2000;

/** Errors that another attempt may not have: of the machine, not of the job. Files may be late in network folders. */
const mayPass = ({ code, operation }: PliantError): boolean =>
  code === 'system' || code === 'internal' || operation === 'store';

/** Does jobs until the signal comes. */
export async function serveQueue(address: RedisAddress, store: BlobStore, options: QueueWorkerOptions): Promise<void> {
  const { Worker, UnrecoverableError, DelayedError } = await loadBullMq();
  const { version, signal, onJob, onRedis } = options;
  let lastError: Error | undefined;

  /** Tries again and again while the disk is full: that is no fault of the job, and its lock is renewed meanwhile. */
  const whenThereIsRoom = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (signal.aborted || !(error instanceof PliantError && error.reason === 'disk-full')) throw error;
        options.onFull(error);
        await new Promise((resolve) => setTimeout(resolve, ROOM));
      }
    }
  };

  const makeResult = async (job: QueueJob, key: string): Promise<{ result: BlobName; isNew: boolean }> => {
    const known = await store.result(key);
    if (known) return { result: known, isNew: false };
    const bytes = await whenThereIsRoom(() => options.work(job, signal));
    const result = await whenThereIsRoom(() => store.put(bytes));
    await whenThereIsRoom(() => store.putResult(key, result));
    return { result, isNew: true };
  };

  const serve = async (job: Job, token?: string): Promise<BlobName> => {
    const started = performance.now();
    const key = String(job.id);
    const tell = (state: JobEvent['state'], error?: PliantError) =>
      onJob({ task: String(job.name), key, state, seconds: (performance.now() - started) / 1000, error });
    try {
      const { result, isNew } = await makeResult(checkQueueJob(version, job.id, job.data), key);
      tell(isNew ? 'done' : 'kept');
      return result;
    } catch (thrown) {
      if (signal.aborted) {
        tell('handed-back');
        await job.moveToDelayed(Date.now(), token);
        throw new DelayedError();
      }
      const error = thrown instanceof PliantError ? thrown : new PliantError('internal', 'queue', String(thrown));
      tell('failed', error);
      const text = JSON.stringify(plainError(error));
      throw mayPass(error) ? new Error(text) : new UnrecoverableError(text);
    }
  };

  const over = new AbortController();
  const worker = new Worker(queueName(version), serve, {
    connection: connectionTo(address, over.signal),
    prefix: PREFIX,
    concurrency: options.threads,
    lockDuration: 1000 * LOCK,
    stalledInterval: 1000 * LOOK,
    maxStalledCount: MOST_LOST,
    autorun: false,
  });
  worker.on('error', (error) => {
    lastError = error;
    onRedis(error);
  });
  worker.on('ready', () => onRedis());
  try {
    await requireRedis(worker.waitUntilReady(), () => lastError, address);
    const ended = worker.run();
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    // Jobs hand themselves back; without Redis others notice that their locks run out.
    await Promise.race([worker.close(), new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
    void ended.catch(() => {});
  } finally {
    over.abort();
    void worker.disconnect().catch(() => {});
  }
}
