import { errorOf, type PlainError, PliantError, throwIfCancelled } from '../../../error.ts';
import { checkTile, findTileTask, type TileRunner } from '../../../kernels/tiles.ts';
import { TILES } from '../../../tile-tasks.ts';
import type { RedisAddress } from './address.ts';
import { connectionTo, keyOf, loadBullMq, PREFIX, type QueueJob, queueName, requireRedis } from './queue-job.ts';
import type { BlobName, BlobStore } from './store.ts';

/** Milliseconds between two looks at the store, and at the queue. */
const LOOK = 100;
const ASK = 1000;
/** Milliseconds for tidying up, where Redis may be away. */
const GIVE_UP = 2000;
/** Seconds that Redis may be away. */
const PATIENCE = 900;
/** Times that a result which cannot be read is made again. */
const MOST_AGAIN = 3;
/** Tiles that are in the queue at once: enough for many workers, few enough to forget when a run is left. */
const WINDOW = 256;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A queue, as who has work for it sees it. */
export interface QueueClient {
  readonly store: BlobStore;
  /** Has a job done, by whatever worker, and returns its result. A job that was done before is not done again. */
  make(job: QueueJob, signal?: AbortSignal): Promise<BlobName>;
  /** Forgets the result of a job, which turned out to be damaged: `make` has it made again. */
  forget(job: QueueJob, result: BlobName): Promise<void>;
  /** Workers that are there. */
  workers(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the queue for jobs of this version. */
export async function openQueue(address: RedisAddress, store: BlobStore, version: string): Promise<QueueClient> {
  const { Queue } = await loadBullMq();
  const over = new AbortController();
  const queue = new Queue(queueName(version), { connection: connectionTo(address, over.signal), prefix: PREFIX });
  const disconnect = () => {
    over.abort();
    void queue.disconnect().catch(() => {});
  };
  let lastError: Error | undefined;
  queue.on('error', (error) => {
    lastError = error;
  });
  try {
    await requireRedis(queue.waitUntilReady(), () => lastError, address);
  } catch (error) {
    disconnect();
    throw error;
  }

  /** What the queue knows of a job; a job that it does not know, it is given. */
  const ask = async (key: string, data: QueueJob, isFirst: boolean): Promise<BlobName | undefined> => {
    const known = await queue.getJob(key);
    const state = known && (await known.getState());
    if (state === 'completed') {
      const result = known!.returnvalue as BlobName | undefined;
      if (result && (await store.size(result.hash)) === result.bytes) return result;
      // Its blob was deleted, or is on its way through a slow network folder; done again it is there at once.
      await known!.remove().catch(() => {});
    } else if (state === 'failed') {
      // An earlier run's failure says nothing of this one.
      if (!isFirst) throw failureIn(known!.failedReason);
      await known!.remove().catch(() => {});
    } else if (state && state !== 'unknown') return undefined;
    await queue.add(data.task, data, {
      jobId: key,
      attempts: 3,
      backoff: { type: 'fixed', delay: 1000 },
      removeOnComplete: { age: 3600, count: 10_000 },
      removeOnFail: { age: 3600, count: 10_000 },
    });
    return undefined;
  };

  return {
    store,
    async make(data, signal) {
      const key = keyOf(version, data);
      let asked = Number.NEGATIVE_INFINITY;
      let heard = performance.now();
      let isFirst = true;
      let asking: Promise<BlobName | undefined> | undefined;
      let answer: { result?: BlobName; error?: unknown } = {};
      for (;;) {
        if (signal?.aborted) {
          // Nobody waits for it any more; one that a worker has already begun stays.
          const remove = async () => {
            await asking?.catch(() => {}); // which may be about to add it
            await queue.remove(key).catch(() => {});
          };
          await Promise.race([remove(), pause(GIVE_UP)]);
          throwIfCancelled(signal, 'queue');
        }
        const done = answer.result ?? (await store.result(key));
        if (done) return done;
        if (answer.error) throw answer.error;
        const now = performance.now();
        if (!asking && now - asked > ASK) {
          asked = now;
          asking = ask(key, data, isFirst);
          isFirst = false;
          asking.then(
            (result) => {
              heard = performance.now();
              asking = undefined;
              answer = { result };
            },
            (error) => {
              asking = undefined;
              answer = { error: error instanceof PliantError ? error : undefined };
            },
          );
        }
        if (now - heard > 1000 * PATIENCE) {
          const why = lastError ? `: ${lastError.message}` : '';
          throw new PliantError('system', 'queue', `Redis at ${address.shown} was away for ${PATIENCE} s${why}`);
        }
        await pause(LOOK);
      }
    },
    forget: (data, { hash }) => store.forget(keyOf(version, data), hash),
    workers: async () => (await queue.getWorkers()).length,
    async close() {
      const timer = setTimeout(disconnect, GIVE_UP);
      await queue.close().catch(() => {});
      clearTimeout(timer);
    },
  };
}

/** The failure that a worker put into words. */
function failureIn(reason: string | undefined): PliantError {
  try {
    return errorOf(JSON.parse(reason ?? '') as PlainError);
  } catch {
    const stalled = /stalled/.test(reason ?? '');
    const cause = stalled ? 'the job ended its worker again and again' : `a worker failed: ${reason || 'unknown'}`;
    return new PliantError('internal', 'queue', cause);
  }
}

/** The bytes of a result. One that is damaged is made again. */
export async function readResult(
  client: QueueClient,
  job: QueueJob,
  name: BlobName,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  for (let again = 0, result = name; ; again++) {
    try {
      return await client.store.read(result.hash);
    } catch (error) {
      if (again === MOST_AGAIN || !(error instanceof PliantError && error.operation === 'store')) throw error;
      await client.forget(job, result);
      result = await client.make(job, signal);
    }
  }
}

/** Makes tiles on the queue: the same bytes as `nodeTiles`. */
export const queueTiles = (client: QueueClient): TileRunner => ({
  async *run(task, inputs, jobs, { signal, onProgress } = {}) {
    const { version } = findTileTask(TILES, task);
    const sizes = inputs.map(({ bytes }) => bytes.length);
    for (const job of jobs) checkTile(TILES, task, sizes, job);
    const names: string[] = [];
    for (const { bytes } of inputs) names.push((await client.store.put(bytes)).hash);
    const left = new AbortController();
    const stop = () => left.abort();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();

    const dataOf = (index: number): QueueJob => ({ task, inputs: names, job: { version, job: jobs[index] } });
    /** Only names wait for who asks, so that memory stays bounded. */
    const make = async (index: number) => ({ index, name: await client.make(dataOf(index), left.signal) });
    const made = new Map<number, ReturnType<typeof make>>();
    let next = 0;
    try {
      for (let done = 1; done <= jobs.length; done++) {
        for (; next < jobs.length && made.size < WINDOW; next++) {
          const name = make(next);
          name.catch(() => {}); // it may fail while nobody waits; who waits next is told
          made.set(next, name);
        }
        const { index, name } = await Promise.race(made.values());
        const bytes = await readResult(client, dataOf(index), name, left.signal);
        made.delete(index);
        onProgress?.(done, jobs.length, task);
        yield { index, bytes };
      }
    } finally {
      stop();
      signal?.removeEventListener('abort', stop);
      await Promise.allSettled(made.values());
    }
  },
  close: () => client.close(),
});
