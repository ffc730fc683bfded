import { PliantError } from '../../../../src/index.ts';

/** A job that runs in a worker of its own: the page stays free, and the memory goes with the worker. */
export interface Job<T> {
  result: Promise<T>;
  /** Asks the job to stop; `result` then rejects with `cancelled`. */
  cancel(): void;
}

export interface Progress {
  /** 0…1; undefined while nobody knows. */
  share?: number;
  label: string;
}

/** Begins a job, which says how far it has come. */
export type Start<T> = (onProgress: (progress: Progress) => void) => Job<T>;

export const codeOf = (error: unknown): PliantError['code'] => (error instanceof PliantError ? error.code : 'internal');

export const isCancelled = (error: unknown): boolean => codeOf(error) === 'cancelled';

/** Whether what failed may go well another time: nothing is wrong with what was asked for. */
export const mayGoWell = (error: unknown): boolean => codeOf(error) === 'internal';
