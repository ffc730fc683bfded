import { type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../src/error.ts';
import { isCancelled, type Job, type Progress } from './job.ts';

/** A job that is under way. */
export interface Running {
  title: string;
  progress: Progress;
  cancel(): void;
}

/** Where the jobs of a document run: one at a time. */
export class JobSlot {
  readonly running: Signal<Running | undefined> = signal(undefined);
  /** What went wrong last, until it is dismissed or something else is begun. */
  readonly failure: Signal<string | undefined> = signal(undefined);
  #closed = false;
  /** Whether nobody waits for what runs any more. */
  #left = false;

  /** Resolves to undefined when something runs already, or when it was cancelled or failed, which is then told. */
  async run<T>(title: string, start: (onProgress: (progress: Progress) => void) => Job<T>): Promise<T | undefined> {
    if (this.#closed || this.running.value) return undefined;
    this.failure.value = undefined;
    this.#left = false;
    const job = start((progress) => {
      if (this.running.value) this.running.value = { ...this.running.value, progress };
    });
    this.running.value = { title, progress: { label: 'starting' }, cancel: job.cancel };
    try {
      const made = await job.result;
      // Some jobs that are cancelled have something by then.
      return this.#left ? undefined : made;
    } catch (error) {
      if (!isCancelled(error)) this.failure.value = explain(error);
      return undefined;
    } finally {
      this.running.value = undefined;
    }
  }

  /** Stops what runs: nobody waits for it. */
  leave(): void {
    this.#left = true;
    this.running.peek()?.cancel();
  }

  /** The same, and nothing begins any more. */
  close(): void {
    this.#closed = true;
    this.leave();
  }
}
