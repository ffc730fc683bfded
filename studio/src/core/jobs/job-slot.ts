import { type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../../src/index.ts';
import { isCancelled, mayGoWell, type Progress, type Start } from './job.ts';

/** A job that is under way. */
export interface Running {
  title: string;
  progress: Progress;
  cancel(): void;
}

/** What went wrong. */
export interface Failure {
  message: string;
  /** Tries once more, where that may help; whoever waits for the result gets it then. */
  again?(): void;
  dismiss(): void;
}

/** Where the jobs of a document run: one at a time. */
export class JobSlot {
  readonly running: Signal<Running | undefined> = signal(undefined);
  /** What went wrong last, until it is dismissed or something else is begun. */
  readonly failure: Signal<Failure | undefined> = signal(undefined);
  #closed = false;
  /** Whether nobody waits for what runs any more. */
  #left = false;

  /**
   * Resolves to undefined when something runs already, when it was cancelled, or when it failed, which is told: where
   * another try may help, only once that was dismissed.
   */
  async run<T>(title: string, start: Start<T>): Promise<T | undefined> {
    if (this.#closed || this.running.value) return undefined;
    this.failure.peek()?.dismiss();
    this.#left = false;
    for (;;) {
      try {
        const made = await this.#once(title, start);
        // Some jobs that are cancelled have something by then.
        return this.#left ? undefined : made;
      } catch (error) {
        if (this.#left || isCancelled(error) || !(await this.#wantedAgain(error))) return undefined;
      }
    }
  }

  /** Stops what runs: nobody waits for it. */
  leave(): void {
    this.#left = true;
    this.running.peek()?.cancel();
    this.failure.peek()?.dismiss();
  }

  /** The same, and nothing begins any more. */
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

  /** Tells what went wrong. Where another try may help it waits for the person to say so. */
  #wantedAgain(error: unknown): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (again: boolean) => {
        this.failure.value = undefined;
        resolve(again);
      };
      const again = mayGoWell(error) ? () => end(true) : undefined;
      this.failure.value = { message: explain(error), again, dismiss: () => end(false) };
      if (!again) resolve(false);
    });
  }
}
