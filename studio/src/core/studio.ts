import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../src/error.ts';
import { stem } from '../../../src/io/paths.ts';
import { bytes } from '../../../src/report/format.ts';
import type { Content } from './content/content.ts';
import { groupFiles, groupName, type PathFile, SESSION } from './content/file-groups.ts';
import { giveBackShared } from './content/give-back.ts';
import { openInTab } from './content/open-in-tab.ts';
import { Doc } from './doc.ts';
import type { History } from './edits.ts';
import { isCancelled, startJob } from './jobs/job.ts';
import type { Running } from './jobs/job-slot.ts';
import { LAB_TITLE, Lab } from './lab/lab-state.ts';
import { Notices, type Offer } from './notices.ts';
import { restoreTabs, saveTabs } from './session/save-tabs.ts';
import { type Opened, type Tab, Tabs, type Trouble } from './tabs.ts';

/** What the page around it can do. */
export interface Surroundings {
  /** Whether the person has asked for less motion. */
  calm(): boolean;
  /** Hands a file to the person under this name. */
  download(name: string, file: Blob): void;
}

/** The whole application, without its looks. */
export class Studio {
  readonly #tabs = new Tabs();
  readonly tabs: Signal<readonly Tab[]> = this.#tabs.all;
  readonly active: Signal<number | undefined> = this.#tabs.active;
  readonly tab: ReadonlySignal<Tab | undefined> = this.#tabs.front;
  readonly doc: ReadonlySignal<Doc | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'ready' ? state.doc : undefined;
  });
  /** Of what is in front. */
  readonly history: ReadonlySignal<History | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'lab' ? state.lab.history : this.doc.value?.history;
  });
  readonly notices: Notices = new Notices();
  /** The session, while it is written. */
  readonly saving: Signal<Running | undefined> = signal(undefined);
  /** That it was not saved last, and can be tried again. */
  #unsaved?: Offer;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Opens what was picked or dropped, each thing in a tab of its own; a session in as many as it has. */
  openFiles(files: PathFile[]): void {
    const sessions = files.filter(([path]) => path.toLowerCase().endsWith(SESSION));
    const groups = groupFiles(files.filter((file) => !sessions.includes(file)));
    if (groups.length + sessions.length === 0) this.refuse('An empty folder', 'No files were found.', 'format');
    for (const [path, file] of sessions) {
      const name = groupName([path]);
      void openInTab(this.#tabs, name, (onProgress) => startJob('load', { file, name }, onProgress), restoreTabs);
    }
    for (const paths of groups) {
      void openInTab(
        this.#tabs,
        groupName(paths),
        (onProgress) => startJob('open', { files, paths }, onProgress),
        this.#begun,
      );
    }
  }

  /** Makes a sample; resolves when its tab is ready, to nothing once that was given up. */
  openSample(name: string): Promise<Doc | undefined> {
    return openInTab(
      this.#tabs,
      name,
      (onProgress) => startJob('sample', { name, options: {} }, onProgress),
      this.#begun,
    );
  }

  /** The bending bar: one tab at most. */
  openLab(): void {
    const open = this.#tabs.lab;
    if (open) this.active.value = open.id;
    else this.#tabs.add(LAB_TITLE, { kind: 'lab', lab: new Lab() });
  }

  /** A tab that only says what is wrong. */
  refuse(title: string, message: string, about: Trouble = 'address'): void {
    this.#tabs.add(title, { kind: 'failed', about, message });
  }

  /** Closes a tab. One with results can be reopened until the offer is gone: only then their memory is given back. */
  close(id: number): void {
    const tab = this.tabs.value.find((open) => open.id === id);
    // Pressed twice, before it is gone from the screen.
    if (!tab) return;
    const state = tab.state.value;
    if (state.kind === 'loading') state.cancel();
    if (state.kind === 'failed') state.giveUp?.();
    this.#tabs.remove(tab);
    // Nobody asks for the history of nothing: until it is computed anew it holds on to what it was computed from.
    this.history.peek();
    if (state.kind !== 'ready') return;
    const { doc } = state;
    if (!doc.hasResults) {
      closeForGood(doc);
      return;
    }
    doc.rest();
    const act = () => this.#tabs.insert(tab);
    const remedy = { name: 'Reopen', hint: 'Reopen it with its results', act };
    const text = `Closed ${tab.title}, with its results`;
    this.notices.offer({ text, bad: false, remedy, onLost: () => closeForGood(doc) });
  }

  /** Hands everything that is open to the person as one file. */
  async save(): Promise<void> {
    if (this.saving.value) return;
    const saved = saveTabs(this.tabs.value, this.active.value);
    if (!saved) {
      this.notices.say('There is nothing to save yet.');
      return;
    }
    const job = startJob('save', saved.session, (progress) => {
      if (this.saving.value) this.saving.value = { ...this.saving.value, progress };
    });
    this.notices.said.value = undefined;
    if (this.#unsaved) this.notices.drop(this.#unsaved);
    this.saving.value = { title: 'Saving the session', progress: { label: 'saving' }, cancel: job.cancel };
    try {
      const more = saved.left.length > 0 ? `, without ${saved.left.join(', ')}, still being read` : '';
      this.give(stem(saved.title) + SESSION, await job.result, more);
    } catch (error) {
      if (!isCancelled(error)) {
        const remedy = { name: 'Try again', hint: 'Save the session', act: () => void this.save() };
        this.#unsaved = { text: `The session is not saved. ${explain(error)}`, bad: true, remedy };
        this.notices.offer(this.#unsaved);
      }
    } finally {
      this.saving.value = undefined;
    }
  }

  /** Hands a file to the person, and says so. @param more what else there is to say. */
  give(name: string, file: Blob, more = ''): void {
    this.#around.download(name, file);
    this.notices.say(`Saved ${name}: ${bytes(file.size)}${more}`);
  }

  /** A document that begins with its motion, unless the person has asked for less of it. */
  #begun = (content: Content, title: string): Opened => {
    const doc = new Doc(content);
    doc.playback.playing.value = doc.playback.last > 0 && !this.#around.calm();
    return { tabs: [{ title, state: { kind: 'ready', doc } }], active: 0 };
  };
}

/** Closes a document for good, and has its memory given back. */
function closeForGood(doc: Doc): void {
  doc.close();
  giveBackShared(doc.content);
}
