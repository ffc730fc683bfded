import { createHash } from 'node:crypto';
import { PliantError } from '../../../error.ts';
import type { RedisAddress } from './address.ts';
import { isHash } from './store.ts';

/** What goes through the queue: names, hashes and numbers. Never code, paths or data. */
export interface QueueJob {
  /** A name from a table that producers and workers both have. */
  task: string;
  /** Hashes of blobs in the store. */
  inputs: string[];
  /** What the task takes, as JSON. */
  job: unknown;
}

const MOST_INPUTS = 100_000;
/** Characters of a job as JSON: whatever is larger is a blob. */
const LARGEST_JOB = 2 ** 22;

/** Jobs of one release are for workers of the same: another may make other bytes. */
export const queueName = (version: string): string => `jobs-${version}`;

/** Names the job: the same task, blobs and options have the same result, whoever asks. */
export function keyOf(version: string, { task, inputs, job }: QueueJob): string {
  const text = JSON.stringify([version, task, inputs, job]);
  if (text.length > LARGEST_JOB) {
    throw new PliantError('too-large', 'queue', `a job of ${text.length} characters (expected at most ${LARGEST_JOB})`);
  }
  return createHash('sha256').update(text).digest('hex');
}

/** Data of a queue, if it is a job of that name. Throws `bad-option`. */
export function checkQueueJob(version: string, key: unknown, data: unknown): QueueJob {
  const { task, inputs, job } = (data ?? {}) as Partial<QueueJob>;
  const good =
    typeof task === 'string' && Array.isArray(inputs) && inputs.length <= MOST_INPUTS && inputs.every(isHash);
  if (!good || job === undefined) throw new PliantError('bad-option', 'queue', 'holds something that is no job');
  const checked = { task, inputs, job };
  // A result goes under this name: nobody may leave one under the name of another job.
  if (keyOf(version, checked) !== key) throw new PliantError('bad-option', 'queue', 'a job has the name of another');
  return checked;
}

type BullMq = typeof import('bullmq');

/** Loaded on use: who never asks for a queue needs none of it. */
export async function loadBullMq(): Promise<BullMq> {
  try {
    await import('ioredis');
    return await import('bullmq');
  } catch {
    const cause = 'a queue needs two more packages (install them: npm install bullmq ioredis)';
    throw new PliantError('unsupported', 'queue', cause);
  }
}

/** Where all keys of ours begin in Redis. */
export const PREFIX = 'pliant';

/** How BullMQ reaches Redis: it tries again and again, until the signal, and what is asked meanwhile waits. */
export const connectionTo = ({ host, port, db, username, password, tls }: RedisAddress, over: AbortSignal) => ({
  host,
  port,
  db,
  username,
  password,
  ...(tls && { tls: {} }),
  maxRetriesPerRequest: null,
  connectTimeout: 5000,
  // A connection that died without a word, as behind a router that was restarted. BullMQ waits for jobs up to 10 s.
  socketTimeout: 15_000,
  retryStrategy: (times: number) => (over.aborted ? null : Math.min(100 * times, 1000)),
});

/** Seconds to wait for Redis at the start. */
const START = 10;

/** Waits for the first connection; says why there is none. */
export async function requireRedis(
  ready: Promise<unknown>,
  lastError: () => Error | undefined,
  { shown }: RedisAddress,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => {
      const why = lastError() as (Error & { code?: string }) | undefined;
      const cause = why ? `: ${why.code ?? why.message}` : '';
      reject(new PliantError('system', 'queue', `cannot reach Redis at ${shown}${cause}`));
    };
    timer = setTimeout(refuse, 1000 * START);
  });
  try {
    await Promise.race([ready, late]);
  } catch (error) {
    if (error instanceof PliantError) throw error;
    const { message } = error as Error;
    throw new PliantError('system', 'queue', `cannot use Redis at ${shown}: ${message}`);
  } finally {
    clearTimeout(timer);
  }
}
