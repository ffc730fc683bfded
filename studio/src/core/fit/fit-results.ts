import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { FitOptions, FitResult, FitSoFar, SkinnedModel, SkinOperator } from '../../../../src/index.ts';
import { cssColour, oklch } from '../../../../src/report/colors.ts';

/** A fit as plain data. */
export interface FitData extends Omit<FitResult, 'model' | 'fitted'> {
  /** Of all parts as one mesh. */
  merged: SkinnedModel;
  /** One per part; they share one skeleton. */
  models: SkinnedModel[];
  /** Size of the GLB as it is exported by default. */
  bytes: number;
}

/** An entry of the history of fits. */
export interface FitEntry {
  id: number;
  /** As given. */
  options: Partial<FitOptions>;
  data: FitData;
  seconds: number;
}

/** The best bones that a running job has found for the motion. */
export interface SoFarBones extends FitSoFar {
  /** Of the job. */
  panel: 'fit' | 'learn';
  operator: SkinOperator;
  /** P: frames of the motion that the transforms are of. */
  frames: readonly number[];
  /** The frame that bones start from; −1 is the rest pose. */
  restFrame: number;
}

/** The fits of a document, and which one is selected. */
export class FitResults {
  /** All results; removed ones can come back. */
  readonly #made: Signal<FitEntry[]> = signal([]);
  /** Ids of removed results. */
  readonly removed: Signal<readonly number[]> = signal([]);
  readonly all: ReadonlySignal<FitEntry[]> = computed(() =>
    this.#made.value.filter(({ id }) => !this.removed.value.includes(id)),
  );
  readonly selected: Signal<number | undefined> = signal(undefined);
  readonly shown: ReadonlySignal<FitEntry | undefined> = computed(() => this.find(this.selected.value));

  /** Among results that were not removed. */
  find(id: number | undefined): FitEntry | undefined {
    return this.all.value.find((entry) => entry.id === id);
  }

  /** Adds a result and selects it. */
  add(found: Omit<FitEntry, 'id'>): void {
    const id = 1 + Math.max(0, ...this.#made.value.map((entry) => entry.id));
    this.#made.value = [...this.#made.value, { ...found, id }];
    this.selected.value = id;
  }

  /** Restores the results of a session. */
  restore(entries: FitEntry[]): void {
    this.#made.value = entries;
  }

  /** If the selected result is removed, the last one is selected. */
  remove(id: number): void {
    this.removed.value = [...this.removed.value, id];
    if (this.selected.value === id) this.selected.value = this.all.value.at(-1)?.id;
  }
}

/** A colour per result, visible on light and dark: blue first, neighbours far apart. */
export const resultColour = (id: number): string => cssColour(oklch(0.62, 0.15, (255 + (id - 1) * 137.508) % 360));
