import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { explain, type Space } from '../../../src/index.ts';
import { stem } from '../../../src/io/paths.ts';
import { bytes } from '../../../src/report/format.ts';
import { type Content, spaceOf } from './content/content.ts';
import { groupFiles, groupName, type PathFile, SESSION } from './content/file-groups.ts';
import { giveBackShared } from './content/give-back.ts';
import { openInTab } from './content/open-in-tab.ts';
import { Doc } from './doc.ts';
import type { History } from './edits.ts';
import { isCancelled } from './jobs/job.ts';
import type { Running } from './jobs/job-slot.ts';
import { startJob } from './jobs/start-job.ts';
import { LAB_TITLE, Lab } from './lab/lab-state.ts';
import { Notices, type Offer } from './notices.ts';
import { docInSpace } from './session/doc-in-space.ts';
import { restoreTabs, saveTabs } from './session/save-tabs.ts';
import { type Opened, type Tab, Tabs, type Trouble } from './tabs.ts';
import type { Camera } from './view/looks.ts';

/** Where a cape is seen, m. */
const FROM_BEHIND: Camera = { position: [2.3, 1.7, -3.4], target: [0, 0.9, 0] };

/** What the page provides. */
export interface Surroundings {
  /** Whether the user prefers reduced motion. */
  calm(): boolean;
  /** Saves a file under this name. */
  download(name: string, file: Blob): void;
}

/** The whole application, without its user interface. */
export class Studio {
  readonly #tabs = new Tabs();
  readonly tabs: Signal<readonly Tab[]> = this.#tabs.all;
  readonly active: Signal<number | undefined> = this.#tabs.active;
  readonly tab: ReadonlySignal<Tab | undefined> = this.#tabs.front;
  readonly doc: ReadonlySignal<Doc | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'ready' ? state.doc : undefined;
  });
  /** Of the tab in front. */
  readonly history: ReadonlySignal<History | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'lab' ? state.lab.history : this.doc.value?.history;
  });
  readonly notices: Notices = new Notices();
  /** The session being saved. */
  readonly saving: Signal<Running | undefined> = signal(undefined);
  /** The offer to try again after a failed save. */
  #unsaved?: Offer;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Opens picked or dropped files, each group in its own tab; a session opens all of its tabs. */
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

  /** Makes a sample. Resolves when its tab is ready; to undefined if it was cancelled. */
  openSample(name: string): Promise<Doc | undefined> {
    return openInTab(
      this.#tabs,
      name,
      (onProgress) => startJob('sample', { name, options: {} }, onProgress),
      this.#begun,
    );
  }

  /** Makes the figure and puts a cape on it. */
  async openCape(): Promise<void> {
    const doc = await this.openSample('figure');
    if (!doc) return;
    doc.panel.value = 'cloth';
    doc.clip.value = 'walk';
    doc.letGo();
    doc.joints.value = false;
    doc.camera.value = FROM_BEHIND;
    doc.cloth.wear({});
  }

  /** Opens the bending bar: at most one tab. */
  openLab(): void {
    const open = this.#tabs.lab;
    if (open) this.active.value = open.id;
    else this.#tabs.add(LAB_TITLE, { kind: 'lab', lab: new Lab() });
  }

  /** Opens a tab with an error message. */
  refuse(title: string, message: string, about: Trouble = 'address'): void {
    this.#tabs.add(title, { kind: 'failed', about, message });
  }

  /** Closes a tab. One with results can be reopened while the offer is shown; its memory is released afterwards. */
  close(id: number): void {
    const tab = this.tabs.value.find((open) => open.id === id);
    // A second click before the tab is gone.
    if (!tab) return;
    const state = tab.state.value;
    if (state.kind === 'loading') state.cancel();
    if (state.kind === 'failed') state.giveUp?.();
    this.#tabs.remove(tab);
    // Recompute the history now: until then it keeps the closed document alive.
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

  /** Chooses the up axis and the unit of a document whose file does not store them. */
  setSpace(doc: Doc, space: Space): void {
    const tab = this.tabs.value.find(({ state: { value } }) => value.kind === 'ready' && value.doc === doc);
    if (!tab || doc.running.peek()) return;
    tab.state.value = { kind: 'ready', doc: docInSpace(doc, space) };
    doc.close();
  }

  /** Saves everything that is open as one file. */
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

  /** Saves a file and says so. @param more is added to the message. */
  give(name: string, file: Blob, more = ''): void {
    this.#around.download(name, file);
    this.notices.say(`Saved ${name}: ${bytes(file.size)}${more}`);
  }

  #offerZUp(doc: Doc, title: string): void {
    const act = () => this.setSpace(doc, { ...spaceOf(doc.content), up: 'z' });
    const remedy = { name: 'Z up', hint: 'Show and export it with z up', act };
    this.notices.offer({ text: `${title} seems to lie on its side.`, bad: false, remedy });
  }

  /** A document that starts playing, unless the user prefers reduced motion. */
  #begun = (content: Content, title: string): Opened => {
    const doc = new Doc(content);
    doc.playback.playing.value = doc.playback.last > 0 && !this.#around.calm();
    if (content.notes.some(({ code }) => code === 'maybe-z-up')) this.#offerZUp(doc, title);
    return { tabs: [{ title, state: { kind: 'ready', doc } }], active: 0 };
  };
}

/** Closes a document for good and releases its memory. */
function closeForGood(doc: Doc): void {
  doc.close();
  giveBackShared(doc.content);
}
