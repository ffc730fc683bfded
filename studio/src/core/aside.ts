import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { isCancelled, type Job, type Progress } from './job.ts';

/** A job that runs beside what the person does, once, when its result is first needed. */
export class Aside<T> {
  readonly #result: Signal<T | undefined> = signal(undefined);
  readonly #progress: Signal<Progress | undefined> = signal(undefined);
  readonly #failure: Signal<string | undefined> = signal(undefined);
  #job?: Job<T>;

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

  /** Begins unless it has begun. */
  begin(start: (onProgress: (progress: Progress) => void) => Job<T>): void {
    if (this.#job) return;
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
        if (isCancelled(error)) this.#job = undefined;
        else this.#failure.value = error instanceof Error ? error.message : String(error);
      },
    );
  }

  /** Stops what runs, and forgets what came out: it can begin anew. */
  reset(): void {
    if (this.#progress.peek()) this.#job?.cancel();
    this.#job = undefined;
    this.#result.value = this.#progress.value = this.#failure.value = undefined;
  }
}
