import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Doc } from './doc.ts';
import type { Progress } from './jobs/job.ts';
import type { Lab } from './lab/lab-state.ts';

/** State of a tab. */
export type TabState =
  | { kind: 'loading'; progress: Progress; cancel(): void }
  | { kind: 'failed'; about: Trouble; message: string; again?(): void; giveUp?(): void }
  | { kind: 'ready'; doc: Doc }
  | { kind: 'lab'; lab: Lab };

/** What failed: the format of a file, a file that it needs, something else about it, or the address. */
export type Trouble = 'format' | 'missing' | 'file' | 'address';

export interface Tab {
  readonly id: number;
  /** Increases from tab to tab. */
  readonly rank: number;
  readonly title: string;
  readonly state: Signal<TabState>;
}

/** The tabs that replace a loading tab. */
export interface Opened {
  tabs: { title: string; state: TabState }[];
  /** Which of them is shown. */
  active: number;
}

/** The tabs in order, with at most one in front. */
export class Tabs {
  readonly all: Signal<readonly Tab[]> = signal([]);
  readonly active: Signal<number | undefined> = signal(undefined);
  readonly front: ReadonlySignal<Tab | undefined> = computed(() =>
    this.all.value.find(({ id }) => id === this.active.value),
  );
  #lastId = 0;

  /** The tab of the lab, if it is open: there is at most one. */
  get lab(): Tab | undefined {
    return this.all.value.find(isLab);
  }

  /** Adds a tab and brings it to the front. */
  add(title: string, state: TabState): Tab {
    const id = ++this.#lastId;
    const tab = { id, rank: id, title, state: signal(state) };
    this.insert(tab);
    return tab;
  }

  /** Inserts a tab by its rank and brings it to the front. */
  insert(tab: Tab): void {
    batch(() => {
      const before = this.all.value.filter(({ rank }) => rank < tab.rank);
      this.all.value = [...before, tab, ...this.all.value.slice(before.length)];
      this.active.value = tab.id;
    });
  }

  /** Removes a tab; the next one comes to the front. */
  remove(tab: Tab): void {
    const at = this.all.value.indexOf(tab);
    batch(() => {
      this.all.value = this.all.value.filter((other) => other !== tab);
      if (this.active.value === tab.id) this.active.value = (this.all.value[at] ?? this.all.value[at - 1])?.id;
    });
  }

  /** Replaces a loading tab by what was loaded. */
  replace(tab: Tab, { tabs, active }: Opened): void {
    // A loading tab has a whole number as its rank, so fractions fit before the next.
    const ready = tabs.map(({ title, state }, t) => {
      return { id: ++this.#lastId, rank: tab.rank + t / tabs.length, title, state: signal(state) };
    });
    batch(() => {
      // The lab of a session replaces an open one.
      const lab = ready.find(isLab);
      const replaced = lab && this.lab;
      if (replaced && this.active.value === replaced.id) this.active.value = lab.id;
      const others = this.all.value.filter((other) => other !== replaced);
      this.all.value = others.flatMap((other) => (other === tab ? ready : [other]));
      if (this.active.value === tab.id) this.active.value = ready[active].id;
    });
  }
}

/** Whether it failed and another try is of no use. */
export const isRefused = (state: TabState): state is Extract<TabState, { kind: 'failed' }> =>
  state.kind === 'failed' && !state.again;

const isLab = ({ state }: Tab): boolean => state.value.kind === 'lab';
