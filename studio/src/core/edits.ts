import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

/** One thing a person did: what it touched, each with its value on the other side of the step. */
interface Step {
  name: string;
  touched: (readonly [value: Signal<unknown>, other: unknown])[];
}

/** Steps that are remembered. */
const MOST_STEPS = 500;

/**
 * What a person did to a document, in order, whatever it was done to. Values are never changed in place, so that a step is
 * undone and done again by exchanging what its signals hold now for what they held on its other side.
 */
export class History {
  readonly #past: Signal<readonly Step[]> = signal([]);
  readonly #future: Signal<readonly Step[]> = signal([]);
  /** Names of the steps that come next, undefined where there is none. */
  readonly undoable: ReadonlySignal<string | undefined> = computed(() => this.#past.value.at(-1)?.name);
  readonly redoable: ReadonlySignal<string | undefined> = computed(() => this.#future.value.at(-1)?.name);

  /** Remembers what these signals hold now, before an edit changes them. */
  remember(name: string, ...touched: Signal<unknown>[]): void {
    const step = { name, touched: touched.map((value) => [value, value.peek()] as const) };
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

/** A value that a history goes back and forth in, where one edit may be many changes: a drag. */
export class Edits<T> {
  readonly #history: History;
  readonly #name: string;
  readonly #value: Signal<T>;
  /** What the edit that comes next is called; undefined while one goes on. */
  #begins?: string;

  /** @param name what one edit of it is usually called: `turn of a joint`. */
  constructor(history: History, name: string, start: T) {
    this.#history = history;
    this.#name = name;
    this.#value = signal(start);
  }

  get value(): ReadonlySignal<T> {
    return this.#value;
  }

  /** What a history remembers of it, beside other things. */
  get held(): Signal<unknown> {
    return this.#value as Signal<unknown>;
  }

  /** What comes next is an edit of its own. Nothing is remembered before something changes. */
  begin(name: string = this.#name): void {
    this.#begins = name;
  }

  set(value: T): void {
    if (value === this.#value.peek()) return;
    if (this.#begins !== undefined) this.#history.remember(this.#begins, this.held);
    this.#begins = undefined;
    this.#value.value = value;
  }

  /** Starts over with a value, which is no edit. */
  reset(value: T): void {
    this.#begins = undefined;
    this.#value.value = value;
  }
}
