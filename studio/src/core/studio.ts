import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { explain } from '../../../src/error.ts';
import { stem } from '../../../src/io/paths.ts';
import { bytes } from '../../../src/report/format.ts';
import type { Content } from './content/content.ts';
import { groupFiles, groupName, type PathFile, SESSION } from './content/file-groups.ts';
import { giveBackShared } from './content/give-back.ts';
import { Doc } from './doc.ts';
import type { History } from './edits.ts';
import { codeOf, isCancelled, type Job, mayGoWell, type Progress, type Start, startJob } from './jobs/job.ts';
import type { Running } from './jobs/job-slot.ts';
import { Lab } from './lab/lab-state.ts';
import { restoreDoc, type SessionData, saveDoc } from './session/session.ts';

/** A tab: on its way, there, or refused. */
export type TabState =
  | { kind: 'loading'; progress: Progress; cancel(): void }
  | { kind: 'failed'; about: Trouble; message: string; again?(): void; giveUp?(): void }
  | { kind: 'ready'; doc: Doc }
  | { kind: 'lab'; lab: Lab };

/** What stands in the way: the format of a file, something else about it, or what the address asks for. */
type Trouble = 'format' | 'file' | 'address';

const LAB_TITLE = 'Bending bar';

export interface Tab {
  readonly id: number;
  readonly title: string;
  readonly state: Signal<TabState>;
}

export interface Notice {
  text: string;
  bad: boolean;
}

/** Something told that can be helped, as long as it is there to be read. */
export interface Offer extends Notice {
  remedy: { name: string; hint: string; act(): void };
}

/** What the page around it can do. */
export interface Surroundings {
  /** Whether the person has asked for less motion. */
  calm(): boolean;
  /** Hands a file to the person under this name. */
  download(name: string, file: Blob): void;
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
  /** Of what is in front. */
  readonly history: ReadonlySignal<History | undefined> = computed(() => {
    const state = this.tab.value?.state.value;
    return state?.kind === 'lab' ? state.lab.history : this.doc.value?.history;
  });
  /** The session, while it is written. */
  readonly saving: Signal<Running | undefined> = signal(undefined);
  /** What was said last in passing. */
  readonly notice: Signal<Notice | undefined> = signal(undefined);
  /** What was offered last: nothing that is said in passing takes its place. */
  readonly offer: Signal<Offer | undefined> = signal(undefined);
  readonly #around: Surroundings;
  /** A document that was closed, while it can come back: as long as the offer is there. */
  #closing?: { offer: Offer; doc: Doc };
  #lastId = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.offer.subscribe((offer) => {
      if (this.#closing?.offer === offer) return;
      if (this.#closing) letGo(this.#closing.doc);
      this.#closing = undefined;
    });
  }

  /** Opens what was picked or dropped, each thing in a tab of its own; a session in as many as it has. */
  openFiles(files: PathFile[]): void {
    const sessions = files.filter(([path]) => path.toLowerCase().endsWith(SESSION));
    const groups = groupFiles(files.filter((file) => !sessions.includes(file)));
    if (groups.length + sessions.length === 0)
      this.refuse('An empty folder', 'There are no files in what was given.', 'format');
    for (const [path, file] of sessions) {
      const name = groupName([path]);
      void this.#open(name, (onProgress) => startJob('load', { file, name }, onProgress), restored);
    }
    for (const paths of groups) {
      void this.#open(groupName(paths), (onProgress) => startJob('open', { files, paths }, onProgress), this.#begun);
    }
  }

  /** Hands everything that is open to the person as one file. */
  async save(): Promise<void> {
    const tabs = this.tabs.value.map(({ id, title, state }) => ({ id, title, state: state.value }));
    const ready = tabs.flatMap(({ state, ...tab }) => (state.kind === 'ready' ? [{ ...tab, doc: state.doc }] : []));
    const labs = tabs.flatMap(({ state, ...tab }) =>
      state.kind === 'lab' ? [{ ...tab, lab: state.lab.state.value.value }] : [],
    );
    const open = [...ready, ...labs];
    if (open.length === 0) this.say('There is nothing to save yet.');
    if (open.length === 0 || this.saving.value) return;
    const active = Math.max(
      0,
      open.findIndex(({ id }) => id === this.active.value),
    );
    const docs = ready.map(({ title, doc }) => saveDoc(title, doc));
    const beforeLab = tabs.slice(
      0,
      tabs.findIndex(({ state }) => state.kind === 'lab'),
    );
    const session = {
      active,
      docs,
      lab: labs[0]?.lab,
      beforeLab: labs[0] && beforeLab.filter(({ state }) => state.kind === 'ready').length,
    };
    const left = tabs.flatMap(({ title, state }) => (state.kind === 'loading' ? [title] : []));
    const job = startJob('save', session, (progress) => {
      if (this.saving.value) this.saving.value = { ...this.saving.value, progress };
    });
    this.notice.value = undefined;
    // That it was not saved before is old by now; what was closed can still come back.
    if (this.offer.value?.bad) this.offer.value = undefined;
    this.saving.value = { title: 'Saving the session', progress: { label: 'saving' }, cancel: job.cancel };
    try {
      const file = await job.result;
      const name = stem(open[active].title) + SESSION;
      this.give(name, file, left.length > 0 ? `, without ${left.join(', ')}, still being read` : '');
    } catch (error) {
      if (!isCancelled(error)) {
        const remedy = { name: 'Try again', hint: 'Save the session', act: () => void this.save() };
        this.offer.value = { text: `The session is not saved. ${explain(error)}`, bad: true, remedy };
      }
    } finally {
      this.saving.value = undefined;
    }
  }

  /** Hands a file to the person, and says so. @param more what else there is to say. */
  give(name: string, file: Blob, more = ''): void {
    this.#around.download(name, file);
    this.say(`Saved ${name}: ${bytes(file.size)}${more}`);
  }

  /** Says something in passing. */
  say(text: string, bad = false): void {
    this.notice.value = { text, bad };
  }

  /** Makes a sample; resolves when its tab is ready, to nothing once that was given up. */
  openSample(name: string): Promise<Doc | undefined> {
    return this.#open(name, (onProgress) => startJob('sample', { name, options: {} }, onProgress), this.#begun);
  }

  /** The bending bar: one tab at most. */
  openLab(): void {
    const open = this.tabs.value.find(isLab);
    if (open) this.active.value = open.id;
    else this.#add(LAB_TITLE, { kind: 'lab', lab: new Lab() });
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

  /** A tab that only says what is wrong. */
  refuse(title: string, message: string, about: Trouble = 'address'): void {
    this.#add(title, { kind: 'failed', about, message });
  }

  /** Closes a tab. One with results can be reopened until the offer is gone: only then their memory is given back. */
  close(id: number): void {
    const tabs = this.tabs.value;
    const at = tabs.findIndex((tab) => tab.id === id);
    const state = tabs[at]?.state.value;
    if (state?.kind === 'loading') state.cancel();
    if (state?.kind === 'failed') state.giveUp?.();
    this.tabs.value = tabs.filter((tab) => tab.id !== id);
    if (this.active.value === id) this.active.value = (this.tabs.value[at] ?? this.tabs.value[at - 1])?.id;
    // Nobody asks for the history of nothing: until it is computed anew it holds on to what it was computed from.
    this.history.peek();
    if (state?.kind === 'ready' && state.doc.hasResults) this.#closeForNow(tabs[at], at, state.doc);
    else if (state?.kind === 'ready') letGo(state.doc);
  }

  #closeForNow(tab: Tab, at: number, doc: Doc): void {
    doc.rest();
    const act = () => {
      this.#closing = undefined;
      batch(() => {
        this.tabs.value = this.tabs.value.toSpliced(at, 0, tab);
        this.active.value = tab.id;
        this.offer.value = undefined;
      });
    };
    const remedy = { name: 'Reopen', hint: 'Open it again, with everything that was made', act };
    const offer = { text: `Closed ${tab.title}, with its results`, bad: false, remedy };
    // One at a time: whatever was offered before gives way.
    this.offer.value = offer;
    this.#closing = { offer, doc };
  }

  /** A tab for a job, which becomes the tabs that `tabsOf` makes of what it found. Where it fails it may be tried again there. */
  async #open<T>(
    title: string,
    start: Start<T>,
    tabsOf: (found: T, title: string) => Opened,
  ): Promise<Doc | undefined> {
    const begin = (): { job: Job<T>; state: TabState } => {
      const job = start((progress) => {
        if (tab.state.value.kind === 'loading') tab.state.value = { ...tab.state.value, progress };
      });
      return { job, state: { kind: 'loading', progress: { label: 'reading' }, cancel: job.cancel } };
    };
    let { job, state } = begin();
    const tab = this.#add(title, state);
    for (;;) {
      try {
        return this.#replace(tab, tabsOf(await job.result, title));
      } catch (error) {
        if (isCancelled(error)) this.close(tab.id);
        if (isCancelled(error) || !(await wantedAgain(tab, error))) return undefined;
      }
      ({ job, state } = begin());
      tab.state.value = state;
    }
  }

  /** Puts what was found into the place of the tab that waited for it; the document in front of it. */
  #replace(tab: Tab, { tabs, active }: Opened): Doc | undefined {
    const ready = tabs.map((opened) => this.#tab(opened.title, opened.state));
    batch(() => {
      // There is one lab at most: that of a session takes the place of an open one.
      const lab = ready.find(isLab);
      const replaced = lab && this.tabs.value.find(isLab);
      if (replaced && this.active.value === replaced.id) this.active.value = lab.id;
      const others = this.tabs.value.filter((other) => other !== replaced);
      this.tabs.value = others.flatMap((other) => (other === tab ? ready : [other]));
      if (this.active.value === tab.id) this.active.value = ready[active].id;
    });
    const { state } = tabs[active];
    return state.kind === 'ready' ? state.doc : undefined;
  }

  /** A document that begins with its motion, unless the person has asked for less of it. */
  #begun = (content: Content, title: string): Opened => {
    const doc = new Doc(content);
    doc.playback.playing.value = doc.playback.last > 0 && !this.#around.calm();
    return { tabs: [{ title, state: { kind: 'ready', doc } }], active: 0 };
  };

  #tab = (title: string, state: TabState): Tab => ({ id: ++this.#lastId, title, state: signal(state) });

  #add(title: string, state: TabState): Tab {
    const tab = this.#tab(title, state);
    this.tabs.value = [...this.tabs.value, tab];
    this.active.value = tab.id;
    return tab;
  }
}

interface Opened {
  tabs: { title: string; state: TabState }[];
  active: number;
}

/** Tells in its tab why something was not opened. Where another try may help it waits for the person to say so. */
function wantedAgain({ state }: Tab, error: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const may = mayGoWell(error);
    const code = codeOf(error);
    state.value = {
      kind: 'failed',
      about: code === 'bad-file' || code === 'unsupported' ? 'format' : 'file',
      message: explain(error),
      again: may ? () => resolve(true) : undefined,
      giveUp: () => resolve(false),
    };
    if (!may) resolve(false);
  });
}

/** Closes a document for good, and has its memory given back. */
function letGo(doc: Doc): void {
  doc.close();
  giveBackShared(doc.content);
}

const isLab = ({ state }: Tab): boolean => state.value.kind === 'lab';

/** The tabs of a session as they were left. */
function restored({ docs, lab, beforeLab = docs.length, active }: SessionData): Opened {
  const tabs: Opened['tabs'] = docs.map((saved) => ({
    title: saved.title,
    state: { kind: 'ready', doc: restoreDoc(saved) },
  }));
  if (!lab) return { tabs, active };
  tabs.splice(beforeLab, 0, { title: LAB_TITLE, state: { kind: 'lab', lab: new Lab(lab) } });
  return { tabs, active: active === docs.length ? beforeLab : active + (active >= beforeLab ? 1 : 0) };
}
