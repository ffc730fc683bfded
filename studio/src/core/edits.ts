import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

/** A value with undo and redo. Values are never changed in place. */
export class Edits<T> {
  readonly #value: Signal<T>;
  readonly #past: Signal<T[]> = signal([]);
  readonly #future: Signal<T[]> = signal([]);

  constructor(start: T) {
    this.#value = signal(start);
  }

  get value(): ReadonlySignal<T> {
    return this.#value;
  }

  get canUndo(): boolean {
    return this.#past.value.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.value.length > 0;
  }

  /** Remembers where an edit began: a whole drag is one step. */
  begin(): void {
    this.#past.value = [...this.#past.value, this.#value.peek()];
    this.#future.value = [];
  }

  set(value: T): void {
    this.#value.value = value;
  }

  undo(): void {
    this.#move(this.#past, this.#future);
  }

  redo(): void {
    this.#move(this.#future, this.#past);
  }

  #move(from: Signal<T[]>, to: Signal<T[]>): void {
    if (from.value.length === 0) return;
    to.value = [...to.value, this.#value.peek()];
    this.#value.value = from.value[from.value.length - 1];
    from.value = from.value.slice(0, -1);
  }
}
