import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PliantError } from '../../error.ts';
import { type StartTileThread, type TileReply, TileThreads } from '../../kernels/tile-threads.ts';
import { TILES } from '../../tile-tasks.ts';

/**
 * Makes tiles in `threads` threads of this process; they do not keep it alive.
 * `worker`: the compiled tile-worker.js, when it does not lie beside this file.
 */
export const nodeTiles = (
  threads: number = availableParallelism(),
  worker: URL = new URL('./tile-worker.js', import.meta.url),
): TileThreads => new TileThreads(startIn(worker), threads, TILES);

/** Resolves when the thread listens. */
const startIn =
  (url: URL): StartTileThread =>
  (reply, lost) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(url);
      let isOurs = false;
      let isReady = false;
      const fail = (error: Error & { code?: string }) => {
        if (isOurs) return;
        isOurs = true;
        const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const cause = outOfMemory ? 'a thread ran out of memory' : `a thread ended: ${error.message}`;
        const told = new PliantError(outOfMemory ? 'too-large' : 'internal', 'tiles', cause);
        if (isReady) lost(told);
        else reject(told);
      };
      worker.on('error', fail);
      worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
      worker.on('message', (message: TileReply | 'ready') => {
        if (message !== 'ready') return reply(message);
        isReady = true;
        worker.unref();
        resolve({
          post: (request) => worker.postMessage(request),
          async terminate() {
            isOurs = true;
            await worker.terminate();
          },
        });
      });
    });
