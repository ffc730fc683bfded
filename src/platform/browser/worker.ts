import { type PoolMessage, poolWorker } from '../../kernels/parallel.ts';
import { TASKS } from '../../tasks.ts';
import type { WorkerStart } from './pool.ts';

// A worker of `browserPool`: the first message starts it, the others are the pool's.
let handle: ((message: PoolMessage) => void) | undefined;
globalThis.onmessage = ({ data }: MessageEvent) => {
  if (handle) {
    handle(data as PoolMessage);
    return;
  }
  const { control, thread } = data as WorkerStart;
  handle = poolWorker(control, TASKS, thread);
  globalThis.postMessage('ready');
};
