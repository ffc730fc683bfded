import { PliantError } from '../../../../src/index.ts';
import type { FromWorker, JobKind, Jobs, SoFar, ToWorker } from '../../worker/protocol.ts';
import type { Job, Progress } from './job.ts';
import { ENDED, inWords, LOST_PART } from './memory-trouble.ts';
import { steadyProgress } from './steady-progress.ts';

/** Number of jobs so far, for unique names. */
let started = 0;

/** Milliseconds that a cancelled job has to stop by itself. */
const PATIENCE = 1500;

/** @param onSoFar takes what the job has found, while it goes on. */
export function startJob<K extends JobKind>(
  kind: K,
  input: Jobs[K]['input'],
  onProgress: (progress: Progress) => void = () => {},
  onSoFar: (found: K extends keyof SoFar ? SoFar[K] : never) => void = () => {},
): Job<Jobs[K]['output']> {
  const worker = new Worker(new URL('../../worker/worker.ts', import.meta.url), { type: 'module' });
  const tell = (message: ToWorker): void => worker.postMessage(message);
  const life = `pliant ${performance.timeOrigin} ${++started}`;
  const steady = steadyProgress(kind);
  let stop = (): void => {};
  const result = new Promise<Jobs[K]['output']>((resolve, reject) => {
    const cancelled = () => reject(new PliantError('cancelled', kind, 'cancelled'));
    stop = () => {
      tell({ cancel: true });
      setTimeout(cancelled, PATIENCE);
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('progress' in data) {
        const { done, total, label } = data.progress;
        onProgress(steady(done, total, label));
      } else if ('soFar' in data) onSoFar(data.soFar as Parameters<typeof onSoFar>[0]);
      else if ('alive' in data) {
        // The lock is free when the worker has ended, for whatever reason. After a result this has no effect.
        const ended = () => reject(new PliantError('internal', kind, ENDED));
        // Some pages may not use locks.
        navigator.locks.request(life, ended).catch(() => {});
      } else if ('done' in data) resolve(data.done as Jobs[K]['output']);
      else reject(new PliantError(data.failed.code, kind, data.failed.message));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new PliantError('internal', kind, inWords(event.message || LOST_PART)));
    };
    try {
      tell({ start: kind, input, life });
    } catch (error) {
      reject(error);
    }
  });
  return { result: result.finally(() => worker.terminate()), cancel: () => stop() };
}

/** Threads for a job: one core is left for the page. */
export const jobThreads = (): number => Math.max(1, Math.min(8, navigator.hardwareConcurrency - 1));
