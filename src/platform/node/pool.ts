import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PliantError } from '../../error.ts';
import { controlArray, createPool, type ParallelPool, type PoolWorker } from '../../kernels/parallel.ts';
import { TASKS } from '../../tasks.ts';

/** What a worker is started with. */
export interface WorkerStart {
  control: Int32Array<SharedArrayBuffer>;
  /** 1 for the first worker; 0 is the caller. */
  thread: number;
}

/**
 * A pool of `threads` threads, the calling one among them. Its workers do not keep the process alive.
 * `worker`: the compiled worker.js, when it does not lie beside this file.
 */
export async function nodePool(
  threads: number = availableParallelism(),
  worker: URL = new URL('./worker.js', import.meta.url),
): Promise<ParallelPool> {
  if (!(Number.isInteger(threads) && threads >= 1)) {
    const cause = `(got ${threads}, expected a whole number ≥ 1)`;
    throw new PliantError('bad-option', 'nodePool', cause, { option: 'threads' });
  }
  const control = controlArray();
  const started = Array.from({ length: threads - 1 }, (_, i) => startWorker(worker, { control, thread: i + 1 }));
  return createPool(await Promise.all(started), control, TASKS, true);
}

/** Resolves when the worker listens. */
function startWorker(url: URL, workerData: WorkerStart): Promise<PoolWorker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData });
    worker.once('error', (error) =>
      reject(new PliantError('internal', 'nodePool', `a worker did not start: ${error.message}`)),
    );
    worker.once('message', () => {
      worker.unref();
      resolve({
        post: (message) => worker.postMessage(message),
        terminate: async () => {
          await worker.terminate();
        },
      });
    });
  });
}
