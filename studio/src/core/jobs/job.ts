import type { Signal } from '@preact/signals-core';
import { PliantError } from '../../../../src/index.ts';

/** A job in its own worker: the page stays responsive, and its memory is released with the worker. */
export interface Job<T> {
  result: Promise<T>;
  /** Asks the job to stop; `result` then rejects with `cancelled`. */
  cancel(): void;
}

export interface Progress {
  /** 0…1; undefined if unknown. */
  share?: number;
  label: string;
  /** About how many seconds are left. */
  left?: number;
}

/** Starts a job that reports its progress. */
export type Start<T> = (onProgress: (progress: Progress) => void) => Job<T>;

/** The same job, which forgets what was shown of it when it ends. */
export function forgetting<T>(job: Job<T>, shown: Signal<unknown>): Job<T> {
  const forget = () => {
    shown.value = undefined;
  };
  job.result.then(forget, forget);
  return job;
}

export const codeOf = (error: unknown): PliantError['code'] => (error instanceof PliantError ? error.code : 'internal');

export const isCancelled = (error: unknown): boolean => codeOf(error) === 'cancelled';
