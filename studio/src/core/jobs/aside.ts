import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../../src/index.ts';
import { isCancelled, type Job, type Progress, type Start } from './job.ts';

/** A job that runs beside what the person does, once, when its result is first needed. */
export class Aside<T> {
  readonly #result: Signal<T | undefined> = signal(undefined);
  readonly #progress: Signal<Progress | undefined> = signal(undefined);
  readonly #failure: Signal<string | undefined> = signal(undefined);
  /** What began, until it is cancelled or reset. */
  #start?: Start<T>;
  #job?: Job<T>;
  #closed = false;

  get result(): ReadonlySignal<T | undefined> {
    return this.#result;
  }

  /** While it runs. */
  get progress(): ReadonlySignal<Progress | undefined> {
    return this.#progress;
  }

  get failure(): ReadonlySignal<string | undefined> {
    return this.#failure;
  }

  /** Begins unless it has begun. What failed is not begun again by whoever needs its result, but by `again`. */
  begin(start: Start<T>): void {
    if (this.#closed || this.#start) return;
    this.#start = start;
    this.#run(start);
  }

  /** Tries once more what has failed. */
  again(): void {
    if (this.#start && this.#failure.peek() !== undefined) this.#run(this.#start);
  }

  /** Stops what runs, and forgets what came out: it can begin anew. */
  reset(): void {
    this.stop();
    this.#start = this.#job = undefined;
    this.#result.value = this.#failure.value = undefined;
  }

  /** Stops what runs: it can begin anew. What has come out stays. */
  stop(): void {
    if (!this.#progress.peek()) return;
    this.#job?.cancel();
    this.#start = this.#job = undefined;
    this.#progress.value = undefined;
  }

  /** Stops what runs; nothing begins any more. */
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
