import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-core';
import type { Content } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import type { Tab, TabState } from '../tabs.ts';
import { type SessionDoc, saveDoc } from './session.ts';
import type { KeptWork, WorkParts, WorkStore } from './work-store.ts';

/** Milliseconds from a change until it is saved, with what changes meanwhile. */
const SOON = 1000;
/** Maximum number of works. */
const MOST_WORKS = 12;
/** Maximum bytes of one that is kept with what was opened. */
const MOST_BYTES = 5e8;

/** What the studio provides. */
export interface Keeping {
  store: WorkStore;
  /** A document as a session. */
  pack(doc: SessionDoc): Promise<Blob>;
  /** Bytes that can still be stored. */
  room(): Promise<number>;
  /** Called once, when nothing can be kept. */
  onTrouble(error: unknown): void;
}

/** Saves what is open, without being asked, for the next visit. */
export class Autosave {
  /** Newest first. */
  readonly recent: Signal<readonly KeptWork[]> = signal([]);
  readonly #keepers: Signal<ReadonlyMap<number, Keeper>> = signal(new Map());
  /** The works that documents were reopened from. */
  readonly #known = new WeakMap<Doc, KeptWork>();
  readonly #keeping: Keeping;
  readonly #off: Signal<boolean> = signal(false);
  /** Whether nothing can be kept. */
  readonly off: ReadonlySignal<boolean> = this.#off;
  /** Those that are not open. */
  readonly closed: ReadonlySignal<readonly KeptWork[]> = computed(() => {
    const open = new Set(Array.from(this.#keepers.value.values(), ({ id }) => id));
    return this.recent.value.filter(({ id }) => !open.has(id));
  });
  /** Whether something changed that is not saved yet. */
  readonly pending: ReadonlySignal<boolean> = computed(
    () => !this.#off.value && [...this.#keepers.value.values()].some(({ pending }) => pending.value),
  );

  constructor(keeping: Keeping, tabs: ReadonlySignal<readonly Tab[]>) {
    this.#keeping = keeping;
    // What is denied is said when there is something to keep.
    this.#refresh().catch(() => {});
    effect(() => {
      const open = tabs.value.map(({ id, title, state }) => ({ id, title, state: state.value }));
      // What keepers read does not concern this effect, which would hold it.
      untracked(() => this.#follow(open));
    });
  }

  /** Saves a reopened document where it was. */
  adopt(doc: Doc, work: KeptWork): void {
    this.#known.set(doc, work);
  }

  /** Work that waits for what was opened just now, which was too large to be kept. */
  waitingFor({ name, bytes }: Content): KeptWork | undefined {
    return this.recent.value.find((work) => !work.whole && work.name === name && work.bytes === bytes);
  }

  parts(work: KeptWork): Promise<WorkParts> {
    return this.#keeping.store.parts(work.id);
  }

  /** Forgets work that is not open. */
  async forget(work: KeptWork): Promise<void> {
    await this.#try(async () => {
      await this.#keeping.store.remove(work.id);
      await this.#refresh();
    });
  }

  /** One keeper for each document that is open. */
  #follow(tabs: readonly { id: number; title: string; state: TabState }[]): void {
    const before = this.#keepers.peek();
    const now = new Map<number, Keeper>();
    for (const { id, title, state } of tabs) {
      if (state.kind !== 'ready') continue;
      const last = before.get(id);
      const known = last?.work ?? this.#known.get(state.doc);
      const keeper = () => new Keeper(title, state.doc, this.#save, known, this.#placeOf(state.doc.content));
      now.set(id, last?.doc === state.doc ? last : keeper());
    }
    for (const [id, keeper] of before) if (now.get(id) !== keeper) keeper.close();
    this.#keepers.value = now;
  }

  /** The id under which the same file was looked at before. */
  #placeOf({ name, bytes }: Content): string | undefined {
    const same = (work: KeptWork) => work.untouched && work.name === name && work.bytes === bytes;
    return this.closed.peek().find(same)?.id;
  }

  /** Saves a work, with those of its parts that changed. */
  readonly #save: Save = async (work, changed) => {
    const { store, pack, room } = this.#keeping;
    let kept = work;
    await this.#try(async () => {
      const parts: WorkParts = {};
      // Nothing is packed for a store that is denied.
      if (changed.results || changed.content) await store.all();
      if (changed.results) parts.results = await pack(changed.results);
      if (changed.content) {
        const size = sizeOf(changed.content.content);
        kept = { ...work, whole: size < Math.min(MOST_BYTES, 0.8 * (await room())) };
        if (kept.whole) parts.content = await pack(changed.content);
      }
      await store.put(kept, parts).catch(async () => {
        // Without what was opened, there may be room.
        kept = { ...kept, whole: kept.whole && !parts.content };
        await store.put(kept, { results: parts.results });
      });
      await this.#refresh();
    });
    return kept;
  };

  async #refresh(): Promise<void> {
    const { store } = this.#keeping;
    const all = await store.all();
    for (const old of all.slice(MOST_WORKS)) await store.remove(old.id);
    this.recent.value = all.slice(0, MOST_WORKS);
  }

  /** After the first failure nothing more is tried, and it is said once. */
  async #try(act: () => Promise<void>): Promise<void> {
    if (this.#off.peek()) return;
    try {
      await act();
    } catch (error) {
      if (this.#off.peek()) return;
      this.#off.value = true;
      this.#keeping.onTrouble(error);
    }
  }
}

type Save = (work: KeptWork, changed: { content?: SessionDoc; results?: SessionDoc }) => Promise<KeptWork>;

/** Content of a session that holds results alone. */
const NOTHING: Content = {
  ...{ name: '', format: '', bytes: 0, meshes: [], sequences: [], models: [], motions: [] },
  ...{ predictors: [], objects: [], notes: [] },
};

/** Saves one document soon after each change. */
class Keeper {
  readonly doc: Doc;
  readonly id: string;
  readonly pending: Signal<boolean> = signal(false);
  work: KeptWork | undefined;
  readonly #title: string;
  readonly #save: Save;
  readonly #running: ReadonlySignal<string | undefined>;
  /** What is saved. */
  #saved?: SessionDoc;
  #stop = (): void => {};
  #timer?: ReturnType<typeof setTimeout>;
  #saving = false;
  /** Whether it changed while it was saved. */
  #again = false;
  #closed = false;

  /** @param known the work that it was reopened from. @param place the id of work that it replaces. */
  constructor(title: string, doc: Doc, save: Save, known: KeptWork | undefined, place: string | undefined) {
    this.doc = doc;
    this.work = known;
    this.id = known?.id ?? place ?? crypto.randomUUID();
    this.#title = title;
    this.#save = save;
    this.#running = computed(() => doc.running.value?.title);
    const now = this.#watch();
    // What was reopened is kept already.
    if (known?.whole) this.#saved = now;
    else this.#change();
  }

  /** Saves the last change. */
  close(): void {
    this.#closed = true;
    this.#stop();
    if (this.#timer !== undefined) void this.#now();
  }

  /** The document as it is. The next change is noticed. */
  #watch(): SessionDoc {
    let seen: SessionDoc | undefined;
    this.#stop();
    this.#stop = effect(() => {
      // Until it is saved, further changes make no difference.
      if (seen && this.#change()) return;
      void this.#running.value;
      void this.doc.history.undoable.value;
      seen = saveDoc(this.#title, this.doc);
    });
    return seen!;
  }

  /** Whether the change is to be saved. */
  #change(): boolean {
    if (!isWorthKeeping(this.doc)) return false;
    this.pending.value = true;
    if (this.#saving) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#now(), SOON);
    return true;
  }

  async #now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = true;
    const { doc } = this;
    const before = this.#saved;
    const now = this.#closed ? saveDoc(this.#title, doc) : this.#watch();
    this.#saved = now;
    const { content, state, title, ...results } = now;
    const bare: SessionDoc = { title, content: NOTHING, state: {}, fits: [] };
    const isOpened = content !== before?.content;
    const isMade = Object.entries(results).some(([name, value]) => value !== before?.[name as keyof SessionDoc]);
    const work: KeptWork = {
      whole: false,
      ...this.work,
      ...{ id: this.id, title, state, saved: Date.now(), name: content.name, bytes: content.bytes },
      results: doc.resultCount,
      untouched: this.#isUntouched,
      running: this.#closed ? undefined : this.#running.peek(),
    };
    this.work = await this.#save(work, {
      ...(isOpened && { content: { ...bare, content } }),
      ...(isMade && { results: { ...bare, ...results } }),
    });
    await this.#addPicture();
    this.#saving = false;
    this.pending.value = false;
    if (this.#again && !this.#closed) this.#change();
    this.#again = false;
  }

  /** Work of earlier versions of the studio counts as touched. */
  get #isUntouched(): boolean {
    const { work, doc } = this;
    return (work ? work.untouched === true : true) && !doc.hasResults && doc.history.undoable.peek() === undefined;
  }

  /** The view, once it is drawn. */
  async #addPicture(): Promise<void> {
    const picture = this.#closed ? undefined : await this.doc.portrait?.();
    if (picture && this.work) this.work = await this.#save({ ...this.work, picture }, {});
  }
}

/** Samples are made again, unless something was done with them. */
const isWorthKeeping = (doc: Doc): boolean =>
  doc.content.format !== 'sample' ||
  doc.hasResults ||
  doc.history.undoable.peek() !== undefined ||
  doc.running.peek() !== undefined;

/** About how many bytes the content takes. */
function sizeOf({ bytes, sequences, pairs = [] }: Content): number {
  const paired = pairs.flatMap(({ coarse, fine }) => [coarse, fine]);
  return bytes + [...sequences, ...paired].reduce((sum, { frames }) => sum + frames.byteLength, 0);
}
