import { explain, PliantError } from '../../../src/index.ts';
import { WorkerLost } from '../../../src/kernels/parallel.ts';
import { ENDED, inWords } from '../core/jobs/memory-trouble.ts';
import { buffersOf } from './crossing.ts';
import { openJob, sampleJob } from './open-jobs.ts';
import type { FromWorker, JobKind, JobRun, JobTable, SoFar, ToWorker } from './protocol.ts';

/** Jobs for the first picture, and small ones that come often: those load only their own script. */
const NOW = {
  open: openJob,
  sample: sampleJob,
  thumb: async (input, run) => (await import('./thumb-job.ts')).thumbJob(input, run),
  save: async (input, run) => (await import('./session-file.ts')).writeSession(input, run),
} satisfies Partial<JobTable>;

/** All others. */
const later = async (): Promise<Omit<JobTable, keyof typeof NOW>> => (await import('./later-jobs.ts')).LATER;

const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => globalThis.postMessage(message, { transfer });
const controller = new AbortController();

/** Minimum milliseconds between two progress messages with the same label. */
const PATIENCE = 100;
let told = { at: -Infinity, label: '' };

function tellProgress(done: number, total: number, label: string): void {
  const at = performance.now();
  if (label === told.label && at - told.at < PATIENCE) return;
  told = { at, label };
  say({ progress: { done, total, label } });
}

/** Minimum milliseconds between two results that are not finished. */
const SOON = 1000;
let shown = performance.now();

/** Buffers are copied: the job goes on with them. */
function tellSoFar(look: () => SoFar[keyof SoFar]): void {
  if (performance.now() - shown < SOON) return;
  say({ soFar: look() });
  shown = performance.now();
}

async function work(kind: JobKind, input: unknown): Promise<void> {
  const run = { signal: controller.signal, onProgress: tellProgress, onSoFar: tellSoFar };
  try {
    const jobs = kind in NOW ? NOW : await later();
    const job = (jobs as JobTable)[kind] as (input: unknown, run: JobRun) => Promise<unknown>;
    const done = await job(input, run);
    // The worker ends with its job, so buffers are transferred instead of copied.
    say({ done }, buffersOf(done));
  } catch (error) {
    const code = error instanceof PliantError ? error.code : 'internal';
    const message = error instanceof WorkerLost ? ENDED : explain(error);
    say({ failed: { code, message: code === 'internal' ? inWords(message) : message } });
  }
}

/**
 * Begins once it holds the lock, which is released only when the worker ends: the page waits for that. Insecure pages have no
 * locks, and pages without storage may be refused them.
 */
function live(life: string, begin: () => void): void {
  if (!navigator.locks) begin();
  else {
    const held = () => {
      say({ alive: true });
      begin();
      return new Promise<never>(() => {});
    };
    navigator.locks.request(life, held).catch(begin);
  }
}

globalThis.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('cancel' in data) controller.abort();
  else live(data.life, () => void work(data.start, data.input));
};
