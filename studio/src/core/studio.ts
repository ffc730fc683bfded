import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-core';
import { explain, type Space } from '../../../src/index.ts';
import { stem } from '../../../src/io/paths.ts';
import { bytes, plural } from '../../../src/report/format.ts';
import type { Jobs } from '../worker/protocol.ts';
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
import { isSky, openSky } from './light/start-light.ts';
import { Notices, type Offer } from './notices.ts';
import { drawnBy } from './rig/rig-operators.ts';
import { Autosave } from './session/autosave.ts';
import { docInSpace } from './session/doc-in-space.ts';
import { restoreTabs, saveTabs } from './session/save-tabs.ts';
import type { SessionData, SessionDoc } from './session/session.ts';
import type { KeptWork, WorkStore } from './session/work-store.ts';
import { isRefused, type Opened, type Tab, Tabs, type Trouble } from './tabs.ts';
import type { Camera } from './view/looks.ts';

/** Where a cape is seen, m. */
const FROM_BEHIND: Camera = { position: [2.3, 1.7, -3.4], target: [0, 0.9, 0] };

/** What the page provides. */
export interface Surroundings {
  /** Whether the user prefers reduced motion. */
  calm(): boolean;
  /** Saves a file under this name. */
  download(name: string, file: Blob): void;
  /** Where work is kept between visits [default nowhere]. */
  store?: WorkStore;
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
  /** Tabs whose failure was in front. */
  readonly #told = new Set<number>();
  readonly #around: Surroundings;

  /** Keeps work between visits. */
  readonly autosave?: Autosave;

  constructor(around: Surroundings) {
    this.#around = around;
    effect(() => this.#clearFailed());
    const { store } = around;
    if (store) this.autosave = new Autosave({ store, pack, room, onTrouble: () => this.#warnOfStorage() }, this.tabs);
  }

  /** Whether leaving the page loses something: a job, or work that is not kept. */
  get wouldLose(): boolean {
    const docs = this.tabs.value.flatMap(({ state: { value } }) => (value.kind === 'ready' ? [value.doc] : []));
    const { autosave } = this;
    if (docs.some(({ running }) => running.value) || this.saving.value) return true;
    return autosave && !autosave.off.value ? autosave.pending.value : docs.some(({ hasResults }) => hasResults);
  }

  /** Opens work of an earlier visit. */
  async reopen(work: KeptWork): Promise<void> {
    const parts = await this.autosave!.parts(work).catch(() => undefined);
    const { results, content: file } = parts ?? {};
    if (!file) {
      this.notices.say(`Open ${work.name} again to continue: its file was too large to keep.`);
      return;
    }
    this.#restore(work, { file, name: work.title, kept: { results, state: work.state } });
    if (work.running) this.notices.say(`${work.running} did not finish when the page was closed. Start it again.`);
  }

  #restore(work: KeptWork, input: Jobs['load']['input']): void {
    const tabsOf = (session: SessionData): Opened => {
      const opened = restoreTabs(session);
      const { state } = opened.tabs[0];
      if (state.kind === 'ready') this.autosave!.adopt(state.doc, work);
      return opened;
    };
    void openInTab(this.#tabs, work.title, (onProgress) => startJob('load', input, onProgress), tabsOf);
  }

  /** What could not be opened leaves no tab: it is told in front, or by a notice, and then it is gone. */
  #clearFailed(): void {
    const { value: front } = this.active;
    for (const tab of this.tabs.value) {
      const state = tab.state.value;
      if (!isRefused(state)) continue;
      if (tab.id === front) this.#told.add(tab.id);
      else {
        if (!this.#told.has(tab.id)) this.notices.say(`${tab.title} cannot be opened. ${state.message}`, true);
        untracked(() => this.#tabs.remove(tab));
      }
    }
  }

  #warnOfStorage(): void {
    const text =
      'Your work cannot be kept in this browser: its storage is full or not allowed. Save the session instead.';
    this.notices.offer({
      ...{ text, bad: false },
      remedy: { name: 'Save', hint: 'Save everything that is open as one file', act: () => void this.save() },
    });
  }

  /** Opens picked or dropped files, each group in its own tab; a session opens all of its tabs. */
  openFiles(given: PathFile[]): void {
    const files = given.filter(([path]) => !isSky(path));
    this.#takeSky(given.find(([path]) => isSky(path))?.[1]);
    if (files.length === 0 && given.length > 0) return;
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

  /** Light from a map of surroundings, on the rig in front. */
  #takeSky(file: File | undefined): void {
    if (!file) return;
    const doc = this.doc.peek();
    if (doc?.panels.includes('light')) void openSky(doc, file);
    else
      this.refuse(file.name, 'HDR and EXR images light a rig. Open a rig first, then drop the image again.', 'format');
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

  /** Opens the motion of a rig, clip after clip, as a document of its own that can be fitted. */
  openClips(doc: Doc, clips: string[]): Promise<Doc | undefined> {
    const { operator } = doc;
    const models = doc.models.value.map((model) => ({
      ...model,
      operator: drawnBy(operator.value, model),
    }));
    const name = `${stem(doc.content.name)} (${clips.length > 2 ? plural(clips.length, 'clip') : clips.join(', ')})`;
    const input = { name, models, clips, operator: drawnBy(operator.value, models[0]) };
    return openInTab(this.#tabs, name, (onProgress) => startJob('bake', input, onProgress), this.#begun);
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

  /** Work whose file was too large to be kept, once that is open. */
  #offerWork(doc: Doc, work: KeptWork): void {
    const act = async () => {
      const { results } = await this.autosave!.parts(work);
      const tab = this.tabs.value.find(({ state: { value } }) => value.kind === 'ready' && value.doc === doc);
      this.#restore(work, { content: doc.content, name: work.title, kept: { results, state: work.state } });
      if (tab) this.close(tab.id);
    };
    const remedy = { name: 'Continue', hint: 'Restore results and settings', act: () => void act() };
    this.notices.offer({ text: `You worked on ${work.title} before.`, bad: false, remedy });
  }

  /** A document that starts playing, unless the user prefers reduced motion. */
  #begun = (content: Content, title: string): Opened => {
    const doc = new Doc(content);
    doc.playback.playing.value = doc.playback.last > 0 && !this.#around.calm();
    if (content.notes.some(({ code }) => code === 'maybe-z-up')) this.#offerZUp(doc, title);
    const work = this.autosave?.waitingFor(content);
    if (work) this.#offerWork(doc, work);
    return { tabs: [{ title, state: { kind: 'ready', doc } }], active: 0 };
  };
}

const pack = (doc: SessionDoc): Promise<Blob> => startJob('save', { active: 0, docs: [doc] }).result;

/** Bytes that this browser can still store; unknown is plenty, as a failure is handled. */
async function room(): Promise<number> {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return quota - usage;
}

/** Closes a document for good and releases its memory. */
function closeForGood(doc: Doc): void {
  doc.close();
  giveBackShared(doc.content);
}
