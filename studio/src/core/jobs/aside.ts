import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../../src/index.ts';
import { isCancelled, type Job, type Progress, type Start } from './job.ts';

/** A background job that runs once, when its result is first needed. */
export class Aside<T> {
  readonly #result: Signal<T | undefined> = signal(undefined);
  readonly result: ReadonlySignal<T | undefined> = this.#result;
  readonly #progress: Signal<Progress | undefined> = signal(undefined);
  /** While it runs. */
  readonly progress: ReadonlySignal<Progress | undefined> = this.#progress;
  readonly #failure: Signal<string | undefined> = signal(undefined);
  readonly failure: ReadonlySignal<string | undefined> = this.#failure;
  /** How the job is started, until it is cancelled or reset. */
  #start?: Start<T>;
  #job?: Job<T>;
  #closed = false;

  /** Starts the job unless it has been started. After an error only `again` restarts it. */
  begin(start: Start<T>): void {
    if (this.#closed || this.#start) return;
    this.#start = start;
    this.#run(start);
  }

  /** Restarts the job after an error. */
  again(): void {
    if (this.#start && this.#failure.peek() !== undefined) this.#run(this.#start);
  }

  /** Cancels the job and drops its result: it can be started again. */
  reset(): void {
    this.stop();
    this.#start = this.#job = undefined;
    this.#result.value = this.#failure.value = undefined;
  }

  /** Cancels the job if it is running: it can be started again. A result is kept. */
  stop(): void {
    if (!this.#progress.peek()) return;
    this.#job?.cancel();
    this.#start = this.#job = undefined;
    this.#progress.value = undefined;
  }

  /** Cancels the job; it cannot be started again. */
  close(): void {
    this.#closed = true;
    this.stop();
  }

  #run(start: Start<T>): void {
    this.#failure.value = undefined;
    this.#progress.value = { label: 'starting' };
    const job = start((progress) => {
      if (this.#job === job) this.#progress.value = progress;
    });
    this.#job = job;
    job.result.then(
      (result) => {
        if (this.#job !== job) return;
        this.#result.value = result;
        this.#progress.value = undefined;
      },
      (error: unknown) => {
        if (this.#job !== job) return;
        this.#progress.value = undefined;
        if (isCancelled(error)) this.#start = undefined;
        else this.#failure.value = explain(error);
      },
    );
  }
}
