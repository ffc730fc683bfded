import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Content } from './content.ts';
import { Doc } from './doc.ts';
import { groupFiles, groupName, type PathFile } from './file-groups.ts';
import { isCancelled, type Job, type Progress, startJob } from './job.ts';

/** A tab: on its way, there, or refused. */
export type TabState =
  | { kind: 'loading'; progress: Progress; cancel(): void }
  | { kind: 'failed'; about: 'file' | 'address'; message: string }
  | { kind: 'ready'; doc: Doc };

export interface Tab {
  readonly id: number;
  readonly title: string;
  readonly state: Signal<TabState>;
}

/** The whole application, without its looks. */
export class Studio {
  readonly tabs: Signal<readonly Tab[]> = signal([]);
  readonly active: Signal<number | undefined> = signal(undefined);
  readonly tab: ReadonlySignal<Tab | undefined> = computed(() =>
    this.tabs.value.find(({ id }) => id === this.active.value),
  );
  readonly doc: ReadonlySignal<Doc | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'ready' ? state.doc : undefined;
  });
  #lastId = 0;

  /** Opens what was picked or dropped, each thing in a tab of its own. */
  openFiles(files: PathFile[]): void {
    for (const paths of groupFiles(files)) {
      void this.#open(groupName(paths), (onProgress) => startJob('open', { files, paths }, onProgress));
    }
  }

  /** Makes a sample; resolves when its tab is ready or has failed. */
  openSample(name: string): Promise<Doc | undefined> {
    return this.#open(name, (onProgress) => startJob('sample', { name, options: {} }, onProgress));
  }

  /** Files that the studio's own server offers under `list`, each an address to read it from. */
  async openOffered(list: string): Promise<void> {
    if (!/^[\w-]+$/.test(list)) throw new Error(`address: files (got "${list}", expected the name of a list)`);
    const answer = await fetch(`given/${list}`);
    if (!answer.ok) throw new Error('the files of the command line are no longer offered: start pliant studio again');
    const offered = (await answer.json()) as { path: string; address: string }[];
    const files = await Promise.all(
      offered.map(async ({ path, address }): Promise<PathFile> => {
        const blob = await (await fetch(address)).blob();
        return [path, new File([blob], path.slice(path.lastIndexOf('/') + 1))];
      }),
    );
    this.openFiles(files);
  }

  /** A tab that only says what is wrong with the address. */
  refuse(title: string, message: string): void {
    this.#add(title, { kind: 'failed', about: 'address', message });
  }

  close(id: number): void {
    const tabs = this.tabs.value;
    const at = tabs.findIndex((tab) => tab.id === id);
    const state = tabs[at]?.state.value;
    if (state?.kind === 'loading') state.cancel();
    if (state?.kind === 'ready') state.doc.running.value?.cancel();
    this.tabs.value = tabs.filter((tab) => tab.id !== id);
    if (this.active.value === id) this.active.value = (this.tabs.value[at] ?? this.tabs.value[at - 1])?.id;
  }

  async #open(
    title: string,
    start: (onProgress: (progress: Progress) => void) => Job<Content>,
  ): Promise<Doc | undefined> {
    const job = start((progress) => {
      if (tab.state.value.kind === 'loading') tab.state.value = { ...tab.state.value, progress };
    });
    const tab = this.#add(title, { kind: 'loading', progress: { label: 'reading' }, cancel: job.cancel });
    try {
      const doc = new Doc(await job.result);
      tab.state.value = { kind: 'ready', doc };
      doc.playback.playing.value = doc.playback.last > 0;
      return doc;
    } catch (error) {
      if (isCancelled(error)) this.close(tab.id);
      else
        tab.state.value = {
          kind: 'failed',
          about: 'file',
          message: error instanceof Error ? error.message : String(error),
        };
      return undefined;
    }
  }

  #add(title: string, state: TabState): Tab {
    const tab = { id: ++this.#lastId, title, state: signal(state) };
    this.tabs.value = [...this.tabs.value, tab];
    this.active.value = tab.id;
    return tab;
  }
}
