import { parentPort, workerData } from 'node:worker_threads';
import { poolWorker } from '../../kernels/parallel.ts';
import { TASKS } from '../../tasks.ts';
import type { WorkerStart } from './pool.ts';

// A worker of `nodePool`.
const { control, thread } = workerData as WorkerStart;
parentPort!.on('message', poolWorker(control, TASKS, thread));
parentPort!.postMessage('ready');
