import { type Signal, signal } from '@preact/signals-core';
import { explain, type PliantErrorCode } from '../../../../src/index.ts';
import { codeOf, isCancelled, type Progress, type Start } from './job.ts';
import { inWords } from './memory-trouble.ts';

/** A running job. */
export interface Running {
  title: string;
  progress: Progress;
  cancel(): void;
}

export interface Failure {
  code: PliantErrorCode;
  message: string;
  /** Tries again, if that may help. The promise of the first try then resolves to the result. */
  again?(): void;
  dismiss(): void;
}

/** Runs the jobs of a document, one at a time. */
export class JobSlot {
  readonly running: Signal<Running | undefined> = signal(undefined);
  /** The last error, until it is dismissed or another job starts. */
  readonly failure: Signal<Failure | undefined> = signal(undefined);
  #closed = false;
  /** Whether the result of the running job is no longer wanted. */
  #left = false;

  /**
   * Resolves to undefined if another job is running, or if this one was cancelled or failed. After an error that another
   * try may avoid, it resolves when the error is dismissed.
   */
  async run<T>(title: string, start: Start<T>): Promise<T | undefined> {
    if (this.#closed || this.running.value) return undefined;
    this.failure.peek()?.dismiss();
    this.#left = false;
    for (;;) {
      try {
        const made = await this.#once(title, start);
        // A cancelled job may have finished already.
        return this.#left ? undefined : made;
      } catch (error) {
        if (this.#left || isCancelled(error) || !(await this.#wantedAgain(error))) return undefined;
      }
    }
  }

  /** Cancels the running job and drops its result. */
  leave(): void {
    this.#left = true;
    this.running.peek()?.cancel();
    this.failure.peek()?.dismiss();
  }

  /** The same; no job can start afterwards. */
  close(): void {
    this.#closed = true;
    this.leave();
  }

  async #once<T>(title: string, start: Start<T>): Promise<T> {
    const job = start((progress) => {
      if (this.running.value) this.running.value = { ...this.running.value, progress };
    });
    this.running.value = { title, progress: { label: 'starting' }, cancel: job.cancel };
    try {
      return await job.result;
    } finally {
      this.running.value = undefined;
    }
  }

  /** Shows an error. Resolves to whether to try again: an internal error may not happen twice. */
  #wantedAgain(error: unknown): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (again: boolean) => {
        this.failure.value = undefined;
        resolve(again);
      };
      const code = codeOf(error);
      const again = code === 'internal' ? () => end(true) : undefined;
      this.failure.value = { code, message: inWords(explain(error)), again, dismiss: () => end(false) };
      if (!again) resolve(false);
    });
  }
}
