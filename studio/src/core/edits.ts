import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

/** One step: the signals it touched, each with its value on the other side of the step. */
interface Step {
  name: string;
  touched: (readonly [value: Signal<unknown>, other: unknown])[];
}

/** Maximum number of steps. */
const MOST_STEPS = 500;

/**
 * The edits of a document, in order. Values are never changed in place, so a step is undone and redone by swapping the
 * current values of its signals with those on its other side.
 */
export class History {
  readonly #past: Signal<readonly Step[]> = signal([]);
  readonly #future: Signal<readonly Step[]> = signal([]);
  /** Names of the next steps; undefined if there is none. */
  readonly undoable: ReadonlySignal<string | undefined> = computed(() => this.#past.value.at(-1)?.name);
  readonly redoable: ReadonlySignal<string | undefined> = computed(() => this.#future.value.at(-1)?.name);

  /** Remembers the current values of these signals, before an edit changes them. */
  remember<T extends unknown[]>(name: string, ...touched: { [S in keyof T]: Signal<T[S]> }): void {
    const step = { name, touched: touched.map((value: Signal<unknown>) => [value, value.peek()] as const) };
    this.#past.value = [...this.#past.peek(), step].slice(-MOST_STEPS);
    this.#future.value = [];
  }

  undo(): void {
    exchange(this.#past, this.#future);
  }

  redo(): void {
    exchange(this.#future, this.#past);
  }
}

function exchange(from: Signal<readonly Step[]>, to: Signal<readonly Step[]>): void {
  const step = from.peek().at(-1);
  if (!step) return;
  const back = { ...step, touched: step.touched.map(([value]) => [value, value.peek()] as const) };
  batch(() => {
    for (const [value, other] of step.touched) value.value = other;
    from.value = from.peek().slice(0, -1);
    to.value = [...to.peek(), back];
  });
}

/** A value with undo, where one edit may consist of many changes: a drag. */
export class Edits<T> {
  readonly #history: History;
  readonly #name: string;
  readonly value: ReadonlySignal<T>;
  /** The signal that the history remembers. */
  readonly held: Signal<T>;
  /** Name of the next edit; undefined while one goes on. */
  #begins?: string;

  /** @param name default name of an edit: `turn of a joint`. */
  constructor(history: History, name: string, start: T) {
    this.#history = history;
    this.#name = name;
    this.value = this.held = signal(start);
  }

  /** Starts a new edit. Nothing is remembered before something changes. */
  begin(name: string = this.#name): void {
    this.#begins = name;
  }

  set(value: T): void {
    if (value === this.held.peek()) return;
    if (this.#begins !== undefined) this.#history.remember(this.#begins, this.held);
    this.#begins = undefined;
    this.held.value = value;
  }

  /** Sets a value without an edit. */
  reset(value: T): void {
    this.#begins = undefined;
    this.held.value = value;
  }
}
