import { PliantError } from '../../error.ts';
import { controlArray, createPool, type ParallelPool, type PoolWorker } from '../../kernels/parallel.ts';
import { TASKS } from '../../tasks.ts';

/** The first message to a worker. */
export interface WorkerStart {
  control: Int32Array<SharedArrayBuffer>;
  /** 1 for the first worker; 0 is the caller. */
  thread: number;
}

/**
 * A pool of `threads` threads, the calling one among them. Threads share memory, which browsers allow only on pages
 * served with the headers COOP `same-origin` and COEP `require-corp`; elsewhere the pool has one thread, the caller.
 */
export async function browserPool(threads: number = navigator.hardwareConcurrency): Promise<ParallelPool> {
  if (!(Number.isInteger(threads) && threads >= 1)) {
    const cause = `(got ${threads}, expected a whole number ≥ 1)`;
    throw new PliantError('bad-option', 'browserPool', cause, { option: 'threads' });
  }
  if (!globalThis.crossOriginIsolated || threads === 1) return createPool([], new Int32Array(16), TASKS, false);
  const control = controlArray();
  const started = Array.from({ length: threads - 1 }, (_, i) => startWorker({ control, thread: i + 1 }));
  // Only workers may sleep; a page's main thread looks again and again until the others are done.
  const canBlock = typeof document === 'undefined';
  return createPool(await Promise.all(started), control, TASKS, canBlock);
}

/** Resolves when the worker listens. */
function startWorker(start: WorkerStart): Promise<PoolWorker> {
  return new Promise((resolve, reject) => {
    // Bundlers recognise exactly this form and bundle the worker with what it imports.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    // Later its own failures are in the shared memory; of one that the browser ends, no event reaches a caller that sleeps.
    worker.onerror = (event) =>
      reject(
        new PliantError(
          'internal',
          'browserPool',
          `a worker did not start: ${event.message ?? 'its script did not load'}`,
        ),
      );
    worker.onmessage = () =>
      resolve({
        post: (message) => worker.postMessage(message),
        terminate: async () => worker.terminate(),
      });
    worker.postMessage(start);
  });
}
