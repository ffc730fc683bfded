import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSample } from '../../src/samples.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { Autosave, type Keeping } from '../../studio/src/core/session/autosave.ts';
import type { SessionDoc } from '../../studio/src/core/session/session.ts';
import type { KeptWork, WorkParts, WorkStore } from '../../studio/src/core/session/work-store.ts';
import type { Tab } from '../../studio/src/core/tabs.ts';

class MemoryStore implements WorkStore {
  readonly works = new Map<string, KeptWork>();
  readonly kept = new Map<string, WorkParts>();
  puts = 0;
  all = async () => [...this.works.values()].sort((a, b) => b.saved - a.saved);
  parts = async (id: string) => this.kept.get(id) ?? {};
  async put(work: KeptWork, parts: WorkParts) {
    this.puts++;
    this.works.set(work.id, structuredClone(work));
    this.kept.set(work.id, { ...this.kept.get(work.id), ...parts });
  }
  async remove(id: string) {
    this.works.delete(id);
    this.kept.delete(id);
  }
}

const empty = { meshes: [], sequences: [], motions: [], predictors: [], objects: [], notes: [] };

async function opened(format = 'glTF', bytes = 10): Promise<Doc> {
  const { model } = await makeSample('tube', { resolution: 60 });
  return new Doc({ ...empty, name: 'tube.glb', format, bytes, models: [model!] } as Content);
}

const tabOf = (doc: Doc, id = 1): Tab => ({ id, rank: id, title: 'tube.glb', state: signal({ kind: 'ready', doc }) });

/** An autosave over a store, with the sessions that it packed. */
function watched(keeping: Partial<Keeping> = {}) {
  const store = new MemoryStore();
  const packed: SessionDoc[] = [];
  const troubles: unknown[] = [];
  const tabs = signal<readonly Tab[]>([]);
  const autosave = new Autosave(
    {
      store,
      pack: async (doc) => {
        packed.push(doc);
        return new Blob([String(packed.length)]);
      },
      room: async () => 1e9,
      onTrouble: (error) => troubles.push(error),
      ...keeping,
    },
    tabs,
  );
  const [work, parts] = [() => [...store.works.values()], () => [...store.kept.values()]];
  return { autosave, store, packed, troubles, tabs, work, parts };
}

const soon = () => vi.advanceTimersByTimeAsync(5000);

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('keeps what was opened once, and every change after it', async () => {
    const { autosave, store, packed, tabs, work } = watched();
    const doc = await opened();
    tabs.value = [tabOf(doc)];
    expect(autosave.pending.value).toBe(true);
    await soon();
    expect(autosave.pending.value).toBe(false);
    expect(work()).toMatchObject([{ title: 'tube.glb', name: 'tube.glb', bytes: 10, whole: true, results: 0 }]);
    expect(packed.some(({ content }) => content === doc.content)).toBe(true);
    const before = packed.length;
    doc.edit('clip', doc.clip, '');
    doc.camera.value = { position: [1, 2, 3], target: [0, 0, 0] };
    expect(autosave.pending.value).toBe(true);
    await soon();
    expect(work()[0].state).toMatchObject({ clip: '', camera: { position: [1, 2, 3] } });
    // Neither what was opened nor the results have changed.
    expect(packed.length).toBe(before);
    const puts = store.puts;
    await soon();
    expect(store.puts).toBe(puts);
  });

  it('keeps results when they are made, and the job that runs', async () => {
    const { packed, tabs, work } = watched();
    const doc = await opened();
    tabs.value = [tabOf(doc)];
    await soon();
    doc.rig.mixed.value = doc.content.models;
    await soon();
    expect(work()[0].results).toBe(1);
    expect(packed.at(-1)).toMatchObject({ mixed: doc.content.models, content: { models: [] } });
    void doc.run('Fitting', () => ({ result: new Promise(() => {}), cancel: () => {} }));
    await soon();
    expect(work()[0].running).toBe('Fitting');
  });

  it('keeps samples only when something was done with them', async () => {
    const { tabs, work } = watched();
    const doc = await opened('sample');
    tabs.value = [tabOf(doc)];
    doc.camera.value = { position: [1, 2, 3], target: [0, 0, 0] };
    await soon();
    expect(work()).toEqual([]);
    doc.edit('clip', doc.clip, '');
    await soon();
    expect(work()).toHaveLength(1);
  });

  it('saves the last change of a tab that is closed, and lists it then', async () => {
    const { autosave, tabs, work } = watched();
    const doc = await opened();
    tabs.value = [tabOf(doc)];
    await soon();
    expect(autosave.closed.value).toEqual([]);
    doc.edit('clip', doc.clip, '');
    tabs.value = [];
    await soon();
    expect(work()[0].state.clip).toBe('');
    expect(autosave.closed.value).toMatchObject([{ title: 'tube.glb' }]);
    await autosave.forget(autosave.closed.value[0]);
    expect(autosave.closed.value).toEqual([]);
  });

  it('goes on with work that was reopened', async () => {
    const { autosave, packed, tabs, work } = watched();
    tabs.value = [tabOf(await opened())];
    await soon();
    tabs.value = [];
    const again = await opened();
    autosave.adopt(again, work()[0]);
    const before = packed.length;
    tabs.value = [tabOf(again, 2)];
    again.edit('clip', again.clip, '');
    await soon();
    expect(work()).toMatchObject([{ state: { clip: '' }, whole: true }]);
    expect(packed.length).toBe(before);
  });

  it('keeps the name of what is too large, and knows it again', async () => {
    const { autosave, tabs, work, parts } = watched({ room: async () => 8 });
    const doc = await opened();
    tabs.value = [tabOf(doc)];
    await soon();
    expect(work()).toMatchObject([{ name: 'tube.glb', whole: false }]);
    expect(parts()[0].content).toBeUndefined();
    expect(autosave.waitingFor(doc.content)).toMatchObject({ name: 'tube.glb' });
    expect(autosave.waitingFor({ ...doc.content, bytes: 11 })).toBeUndefined();
  });

  it('does without what was opened if the store is full, and says once if it takes nothing', async () => {
    const store = new MemoryStore();
    const put = store.put.bind(store);
    let most = 1;
    store.put = async (work, made) => {
      if ((made.content ? 2 : 1) > most) throw new DOMException('full', 'QuotaExceededError');
      await put(work, made);
    };
    const { autosave, tabs, troubles } = watched({ store });
    const doc = await opened();
    tabs.value = [tabOf(doc)];
    await soon();
    expect([...store.works.values()]).toMatchObject([{ whole: false }]);
    expect(troubles).toEqual([]);
    most = 0;
    for (const clip of ['', doc.clip.value, '']) {
      doc.edit('clip', doc.clip, clip);
      await soon();
    }
    expect(troubles).toHaveLength(1);
    expect(autosave.off.value).toBe(true);
    expect(autosave.pending.value).toBe(false);
  });

  it('keeps a file that is only looked at once, and never over what was done', async () => {
    const { tabs, work } = watched();
    for (const n of [1, 2, 3]) {
      tabs.value = [tabOf(await opened(), n)];
      await soon();
      tabs.value = [];
    }
    expect(work()).toHaveLength(1);
    const doc = await opened();
    tabs.value = [tabOf(doc, 4)];
    doc.edit('clip', doc.clip, '');
    await soon();
    tabs.value = [];
    tabs.value = [tabOf(await opened(), 5)];
    await soon();
    expect(work()).toHaveLength(2);
    expect(work().map(({ state }) => state.clip)).toContain('');
  });

  it('forgets the oldest', async () => {
    const { store, tabs } = watched();
    for (let n = 1; n <= 15; n++) {
      const doc = await opened();
      tabs.value = [tabOf(doc, n)];
      doc.edit('clip', doc.clip, '');
      await soon();
    }
    expect(store.works.size).toBe(12);
  });
});
