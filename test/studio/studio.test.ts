import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { makeSample } from '../../src/samples.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { startFit } from '../../studio/src/core/fit/start-fit.ts';
import { coarseOf, followCoarse } from '../../studio/src/core/inspect/coarse.ts';
import { LAB_START } from '../../studio/src/core/lab/lab-state.ts';
import { startLinearize, startMix } from '../../studio/src/core/rig/start-rig.ts';
import { type SessionData, saveDoc } from '../../studio/src/core/session/session.ts';
import { Studio } from '../../studio/src/core/studio.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import type { AssetData, FromWorker, ToWorker } from '../../studio/src/worker/protocol.ts';
import { writeSession } from '../../studio/src/worker/session-file.ts';

const run = { onProgress: () => {}, signal: new AbortController().signal };

/** Does the jobs of sessions here, and answers those of rigs with the rigs; others end only when they are asked to. */
class HereWorker {
  static alive: HereWorker[] = [];
  /** How the next jobs fail. */
  static failing: Extract<FromWorker, { failed: unknown }>['failed'][] = [];
  onmessage: (event: { data: FromWorker }) => void = () => {};
  kind = '';

  constructor() {
    HereWorker.alive.push(this);
  }

  async postMessage(message: ToWorker): Promise<void> {
    if ('cancel' in message) {
      this.onmessage({ data: { failed: { code: 'cancelled', message: 'cancelled' } } });
      return;
    }
    this.kind = message.start;
    const failed = HereWorker.failing.shift();
    if (failed) this.onmessage({ data: { failed } });
    const { models } = (message.input as { asset?: AssetData }).asset ?? {};
    const parts = models?.map((model) => ({ model, original: model }));
    const report = { figures: {}, detail: { parts: [] } };
    if (message.start === 'mix' || message.start === 'linearize') this.#done({ models, parts, report });
    if (message.start === 'save') this.#done(await writeSession(message.input as SessionData, run));
    if (message.start === 'load')
      this.#done(await loadSession({ file: (message.input as { file: File }).file, name: 'x' }, run));
  }

  terminate(): void {
    HereWorker.alive = HereWorker.alive.filter((other) => other !== this);
  }

  #done(done: unknown): void {
    this.onmessage({ data: { done } });
  }
}

beforeEach(() => {
  HereWorker.alive = [];
  HereWorker.failing = [];
  vi.stubGlobal('Worker', HereWorker);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const kinds = { meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [], notes: [] };

function opened(): { studio: Studio; files: File[] } {
  const files: File[] = [];
  const studio = new Studio({ calm: () => true, download: (name, file) => files.push(new File([file], name)) });
  return { studio, files };
}

const titles = ({ tabs }: Studio): string[] => tabs.value.map(({ title }) => title);
const open = async (studio: Studio, file: File): Promise<void> => {
  studio.openFiles([[file.name, file]]);
  await vi.waitFor(() => expect(studio.tabs.value.some(({ state }) => state.value.kind === 'loading')).toBe(false));
};

describe('tabs of a session', () => {
  const titled = (title: string) => saveDoc(title, new Doc({ ...kinds, name: title, format: 'test', bytes: 1 }));
  const file = async (session: SessionData): Promise<File> => new File([await writeSession(session, run)], 'x.pliant');

  it('are restored in order, with the lab and the front tab', async () => {
    const { studio, files } = opened();
    const docs = ['a', 'b'].map(titled);
    await open(studio, await file({ active: 1, docs, lab: LAB_START, beforeLab: 1 }));
    expect([titles(studio), studio.tab.value?.title]).toEqual([['a', 'Bending bar', 'b'], 'b']);
    studio.openLab();
    await studio.save();
    const again = opened().studio;
    await open(again, files[0]);
    expect([titles(again), again.tab.value?.title]).toEqual([['a', 'Bending bar', 'b'], 'Bending bar']);
  });

  it('have the lab last in older sessions', async () => {
    const { studio } = opened();
    await open(studio, await file({ active: 0, docs: [titled('a')], lab: LAB_START }));
    expect([titles(studio), studio.tab.value?.title]).toEqual([['a', 'Bending bar'], 'a']);
  });

  it('have one lab, that of the session', async () => {
    const { studio } = opened();
    studio.openLab();
    await open(studio, await file({ active: 0, docs: [titled('a')], lab: { ...LAB_START, angle: 30 } }));
    expect(titles(studio)).toEqual(['a', 'Bending bar']);
    const { state } = studio.tabs.value[1];
    expect(state.value).toMatchObject({ kind: 'lab', lab: { state: { value: { value: { angle: 30 } } } } });
  });

  it('have their own history, the lab too', async () => {
    const { studio } = opened();
    expect(studio.history.value).toBeUndefined();
    studio.openLab();
    const state = studio.tab.value!.state.value;
    if (state.kind !== 'lab') throw new Error('no lab');
    const { lab } = state;
    expect(studio.history.value).toBe(lab.history);
    lab.begin();
    lab.change({ angle: 10 });
    lab.change({ angle: 20 });
    lab.begin('fall-off');
    lab.change({ fallOff: LAB_START.fallOff });
    expect(lab.history.undoable.value).toBe('bend');
    lab.change({ fallOff: 3 });
    lab.history.undo();
    expect(lab.state.value.value).toEqual({ ...LAB_START, angle: 20 });
    lab.history.undo();
    expect(lab.state.value.value).toEqual(LAB_START);
    lab.history.redo();
    lab.history.redo();
    expect(lab.state.value.value).toEqual({ ...LAB_START, angle: 20, fallOff: 3 });
    await open(studio, await file({ active: 0, docs: [titled('a')] }));
    expect(studio.history.value).toBe(studio.doc.value!.history);
  });

  it('that are still loading are not saved, which is reported', async () => {
    const { studio, files } = opened();
    studio.openLab();
    studio.openFiles([['late.glb', new File([], 'late.glb')]]);
    await studio.save();
    expect(files[0].name).toBe('Bending bar.pliant');
    expect(studio.notices.said.value?.text).toMatch(/, without late\.glb, still being read$/);
  });
});

describe('a tab that could not be opened', () => {
  const about = ({ tab }: Studio): string | undefined => {
    const state = tab.value?.state.value;
    return state?.kind === 'failed' ? state.about : state?.kind;
  };
  const again = ({ tab }: Studio): (() => void) | undefined => {
    const state = tab.value?.state.value;
    return state?.kind === 'failed' ? state.again : undefined;
  };
  const noMemory = (message = 'no memory') => ({ code: 'internal', message }) as const;

  it('is retried in place and resolves to the document', async () => {
    const { studio } = opened();
    HereWorker.failing = [noMemory('first'), noMemory('second')];
    const waiting = studio.openSample('flag');
    studio.openLab();
    studio.active.value = studio.tabs.value[0].id;
    for (const message of ['first', 'second']) {
      await vi.waitFor(() => expect(studio.tab.value!.state.value).toMatchObject({ about: 'file', message }));
      again(studio)!();
    }
    await vi.waitFor(() => expect(HereWorker.alive).toHaveLength(1));
    expect([titles(studio), about(studio)]).toEqual([['flag', 'Bending bar'], 'loading']);
    HereWorker.alive[0].onmessage({ data: { done: { ...kinds, name: 'flag', format: 'sample', bytes: 0 } } });
    expect(await waiting).toBe(studio.doc.value);
    expect([titles(studio), about(studio)]).toEqual([['flag', 'Bending bar'], 'ready']);
  });

  it('is cancelled when it is closed', async () => {
    const { studio } = opened();
    HereWorker.failing = [noMemory()];
    const waiting = studio.openSample('flag');
    await vi.waitFor(() => expect(about(studio)).toBe('file'));
    studio.close(studio.active.value!);
    expect([await waiting, titles(studio)]).toEqual([undefined, []]);
  });

  it.each([
    ['bad-file', 'format'],
    ['unsupported', 'format'],
    ['too-large', 'file'],
  ] as const)('for a file that is %s is not tried again', async (code, told) => {
    const { studio } = opened();
    HereWorker.failing = [{ code, message: code }];
    expect(await studio.openSample('flag')).toBeUndefined();
    expect([about(studio), again(studio)]).toEqual([told, undefined]);
  });
});

describe('solved operators', () => {
  it('are shown at once, and undo shows the previous one', async () => {
    const model = sampleFigure(2500, 2, 24);
    const doc = new Doc({ ...kinds, name: 'figure', format: 'test', bytes: 1, models: [model] });
    const { operator, history, rig } = doc;
    await startMix(doc);
    expect([operator.value, history.undoable.value]).toEqual(['mix', 'skinning operator']);
    await startLinearize(doc);
    expect(operator.value).toBe('linearized');
    history.undo();
    expect(operator.value).toBe('mix');
    history.undo();
    expect([operator.value, history.undoable.value]).toEqual([model.operator, undefined]);
    // What is made again takes the place of what was, and of what was looked at.
    const before = rig.linearized.value;
    rig.blendBone.value = 3;
    await startLinearize(doc);
    expect([rig.blendBone.value, operator.value]).toEqual([undefined, 'linearized']);
    history.undo();
    expect([rig.linearized.value, rig.blendBone.value, operator.value]).toEqual([before, 3, model.operator]);
  });
});

describe('a tab that is closed', () => {
  const offers = ({ notices }: Studio): string[] => notices.offers.value.map(({ text }) => text);
  /** @param made those with results. */
  const session = async (made: string): Promise<File> => {
    const doc = new Doc({ ...kinds, name: 'a', format: 'test', bytes: 1 });
    const docs = ['a', 'b'].map((title) => saveDoc(title, doc));
    const take = { times: Float64Array.of(0, 1), points: new Float64Array() };
    for (const title of made) docs['ab'.indexOf(title)].state.take = take;
    return new File([await writeSession({ active: 0, docs }, run)], 'x.pliant');
  };

  it('is gone at once if it had no results', async () => {
    const { studio } = opened();
    await open(studio, await session(''));
    const closed = vi.spyOn(studio.doc.value!, 'close');
    studio.close(studio.active.value!);
    expect([closed.mock.calls.length, offers(studio)]).toEqual([1, []]);
  });

  it('with results can be reopened in place until the offer expires', async () => {
    const { studio } = opened();
    await open(studio, await session('a'));
    const doc = studio.doc.value!;
    const closed = vi.spyOn(doc, 'close');
    studio.close(studio.active.value!);
    expect([titles(studio), offers(studio)]).toEqual([['b'], ['Closed a, with its results']]);
    studio.notices.take(studio.notices.offers.value[0]);
    expect([titles(studio), studio.doc.value, offers(studio)]).toEqual([['a', 'b'], doc, []]);
    studio.close(studio.active.value!);
    expect(closed).not.toHaveBeenCalled();
    const [offer] = studio.notices.offers.value;
    studio.notices.drop(offer);
    studio.notices.drop(offer);
    expect(closed).toHaveBeenCalledOnce();
  });

  it('can be reopened beside others: of more than three the first is gone', async () => {
    const { studio } = opened();
    const docs: Doc[] = [];
    for (let n = 0; n < 4; n++) {
      await open(studio, await session('a'));
      docs.push(studio.doc.value!);
    }
    const closed = docs.map((doc) => vi.spyOn(doc, 'close'));
    for (const doc of docs) {
      const ready = studio.tabs.value.find(({ state: { value } }) => value.kind === 'ready' && value.doc === doc);
      studio.close(ready!.id);
    }
    expect(closed.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 0]);
    expect(offers(studio)).toHaveLength(3);
    for (const offer of studio.notices.offers.value) studio.notices.take(offer);
    expect([titles(studio).filter((title) => title === 'a').length, offers(studio)]).toEqual([3, []]);
    expect(closed.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 0]);
  });

  it.each(['ab', 'ba'])('returns to its place when reopened in the order %s', async (order) => {
    const { studio } = opened();
    await open(studio, await session('ab'));
    studio.openLab();
    for (const title of ['a', 'b']) studio.close(studio.tabs.value.find((tab) => tab.title === title)!.id);
    for (const title of order) {
      const text = `Closed ${title}, with its results`;
      studio.notices.take(studio.notices.offers.value.find((offer) => offer.text === text)!);
    }
    expect([titles(studio), studio.tab.value?.title]).toEqual([['a', 'b', 'Bending bar'], order[1]]);
  });

  it('can be reopened despite other notices and while a session is saved', async () => {
    const { studio, files } = opened();
    await open(studio, await session('a'));
    const doc = studio.doc.value!;
    studio.close(studio.active.value!);
    await studio.save();
    expect(files).toHaveLength(1);
    studio.close(studio.active.value!);
    await studio.save();
    expect(studio.notices.said.value?.text).toBe('There is nothing to save yet.');
    studio.notices.take(studio.notices.offers.value[0]);
    expect([titles(studio), studio.doc.value]).toEqual([['a'], doc]);
  });
});

describe('a fit that is finished', () => {
  it('is announced, with its file name if another tab is in front', async () => {
    const { studio } = opened();
    const fitted = async (): Promise<string | undefined> => {
      const telling = startFit(studio, doc, 1);
      await vi.waitFor(() => expect(HereWorker.alive).toHaveLength(1));
      const result = { bones: 4, errors: { rmsePercent: 0.25 } };
      const done = { result, models: [], file: new Uint8Array(1) };
      HereWorker.alive[0].onmessage({ data: { done } });
      await telling;
      return studio.notices.said.value?.text;
    };
    const opening = studio.openSample('flag');
    await vi.waitFor(() => expect(HereWorker.alive).toHaveLength(1));
    HereWorker.alive[0].onmessage({ data: { done: { ...kinds, name: 'flag', format: 'sample', bytes: 0 } } });
    const doc = (await opening)!;
    expect(await fitted()).toBe('Fitted 4 bones: RMSE 0.25 %');
    studio.openLab();
    expect(await fitted()).toBe('Fitted 4 bones to flag: RMSE 0.25 %');
  });
});

describe('the motion with fewer vertices', () => {
  it('is made for the current placement of the fit only', async () => {
    const { sequence } = await makeSample('flag', { resolution: 60, frames: 2 });
    const { rest, times } = sequence!;
    const frames = Float32Array.of(...rest.positions, ...rest.positions);
    const content: Content = {
      ...kinds,
      name: 'flag',
      format: 'test',
      bytes: 1,
      sequences: [{ name: 'flag', rest, times, frames }],
    };
    const doc = new Doc(content);
    const alive = () => HereWorker.alive.length;
    followCoarse(doc);
    expect(alive()).toBe(0);
    doc.panel.value = 'inspect';
    doc.inspection.merged.value = 0.5;
    followCoarse(doc);
    followCoarse(doc);
    expect([alive(), coarseOf(doc).progress.value?.label]).toEqual([1, 'starting']);
    doc.fitOptions.value = { placement: 'optimal' };
    followCoarse(doc);
    await vi.waitFor(() => expect(alive()).toBe(1));
    expect(doc.inspection.coarse.second.progress.value).toBeUndefined();
    expect(coarseOf(doc)).toBe(doc.inspection.coarse.optimal);
    doc.panel.value = 'fit';
    expect(doc.inspection.merged.value).toBe(0);
    doc.inspection.merged.value = 0.5;
    doc.close();
    await vi.waitFor(() => expect(alive()).toBe(0));
    followCoarse(doc);
    expect(alive()).toBe(0);
  });
});
