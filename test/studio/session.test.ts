import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { fit } from '../../src/fit/fit.ts';
import { packData, unpackData } from '../../src/io/gltf/packed-data.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { makeSample } from '../../src/samples.ts';
import { learn } from '../../src/verbs/learn.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { LAB_START } from '../../studio/src/core/lab/lab-state.ts';
import { togglePin } from '../../studio/src/core/learn/driving.ts';
import { levelPanes } from '../../studio/src/core/levels/level-panes.ts';
import { LEVEL_KINDS, levelModels } from '../../studio/src/core/levels/levels-work.ts';
import { docInSpace } from '../../studio/src/core/session/doc-in-space.ts';
import { restoreDoc, type SessionData, type SessionDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { levelsJob } from '../../studio/src/worker/levels-job.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import { checkSession } from '../../studio/src/worker/session-check.ts';
import { sortBytes, writeSession } from '../../studio/src/worker/session-file.ts';
import { smallSample } from '../rig/linearize-rigs.ts';

const same = (a: unknown, b: unknown): boolean => Buffer.compare(packData(a), packData(b)) === 0;
const run = { onProgress: () => {}, signal: new AbortController().signal };
const empty = { meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [], notes: [] };

/** A motion that was fitted twice and learned from, and was looked at. */
async function workedOn(): Promise<Doc> {
  const { sequence } = await makeSample('flag', { resolution: 60, frames: 6 });
  const { rest, times, frameCount } = sequence!;
  const frames = new Float32Array(frameCount * rest.positions.length);
  for (let k = 0; k < frameCount; k++) frames.set(await sequence!.readFrame(k), k * rest.positions.length);
  const part = { name: 'flag', rest, times, frames };
  const doc = new Doc({
    ...empty,
    name: 'flag',
    format: 'sample',
    bytes: 12,
    sequences: [part],
    notes: [note('no-frames', {})],
  });
  for (const bones of [2, 3]) {
    const { model, fitted: _, ...found } = await fit(sequence!, { bones, preset: 'fast', iterations: 1 });
    const data = { ...found, merged: model, models: [model], bytes: 100 };
    doc.addFit({ options: { bones, preset: 'fast' }, data, seconds: 0.25 });
  }
  const given = { names: ['hem', 'corner'] };
  const { predictor, models, report: learned } = await learn(sequence!, { points: 2, bones: 3, given });
  doc.learned.value = { predictor, model: models[0], figures: learned.figures };
  doc.edit('Bones', doc.fitOptions, { bones: 7 });
  doc.selected.value = 1;
  doc.comparison.value = 'wipe';
  doc.paint.value = 'error';
  doc.wipe.value = 0.25;
  doc.panel.value = 'learn';
  doc.points.set(Float64Array.of(1, 2, 3, -0, 5, 6));
  togglePin(doc, 1);
  doc.learn.point.value = 1;
  doc.learn.whole.value = false;
  doc.learn.take.value = { times: Float64Array.of(0, 0.1), points: new Float64Array(12) };
  doc.camera.value = { position: [1, 2, 3], target: [0, 0.1, 0] };
  doc.playback.seek(4);
  doc.playback.speed.value = 0.5;
  doc.filmFrames.value = { from: undefined, to: 5 };
  doc.removeFit(2);
  return doc;
}

async function posed(): Promise<Doc> {
  const model = (await makeSample('box', { resolution: 60 })).model!;
  const motion = { name: 'motion', skeleton: model.skeleton, clips: model.clips };
  const content: Content = {
    ...empty,
    name: 'box.glb',
    format: 'glTF',
    bytes: 1,
    models: [model, model],
    motions: [motion],
  };
  const doc = new Doc(content);
  doc.turns.set(new Map([[1, [10, 20, 30]]]));
  const mixWeights = new Float32Array(vertexCount(model.mesh)).fill(0.5);
  doc.rig.mixed.value = content.models.map((rig) => ({ ...rig, mixWeights }));
  doc.operator.value = 'mix';
  doc.clip.value = model.clips[1].name;
  doc.playback.seek(3);
  return doc;
}

describe('a session file', () => {
  let session: SessionData;
  let file: Blob;
  beforeAll(async () => {
    session = {
      active: 1,
      lab: { ...LAB_START, angle: 30 },
      docs: [saveDoc('flag', await workedOn()), saveDoc('box.glb', await posed())],
    };
    file = await writeSession(session, run);
  });

  it('restores everything bit for bit', async () => {
    const read = await loadSession({ file: file, name: 'x.pliant' }, run);
    expect(same(read, session)).toBe(true);
    const [flag, box] = read.docs.map(restoreDoc);
    expect(saveDoc('flag', flag).state).toEqual(session.docs[0].state);
    expect([flag.selected.value, flag.fits.value.length, flag.playback.frame.value]).toEqual([1, 1, 4]);
    expect(flag.history.undoable.value).toBeUndefined();
    expect(box.turns.value.value.get(1)).toEqual([10, 20, 30]);
    expect([box.playback.frame.value, box.clip.value]).toEqual([3, box.content.models[0].clips[1].name]);
    // What was one skeleton is one again.
    const rigs = [...box.content.models, ...box.content.motions, ...(box.rig.mixed.value ?? [])];
    expect(new Set(rigs.map(({ skeleton }) => skeleton)).size).toBe(1);
    expect([flag.learn.pins.value.has(1), flag.learn.take.value?.times[1]]).toEqual([true, 0.1]);
    expect([flag.learn.point.value, flag.learn.whole.value]).toEqual([1, false]);
    expect(flag.filmFrames.value).toEqual({ from: undefined, to: 5 });
    expect(flag.predictor.value?.names).toEqual(['hem', 'corner']);
    // The next result does not take the place of an earlier one.
    flag.addFit(flag.fits.value[0]);
    expect(flag.fits.value.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('keeps levels of detail, and what is seen of them', async () => {
    const model = await smallSample('tube', 300, 8);
    const doc = new Doc({ ...empty, name: 'figure', format: 'sample', bytes: 1, models: [model] });
    const opened = { notes: [] };
    for (const kind of LEVEL_KINDS) {
      const options = kind === 'images' ? { images: true, patches: 20, depth: 1, poses: 4 } : { levels: 2, poses: 4 };
      doc.levels.take(kind, await levelsJob({ models: doc.rig.rigs, opened, options }, run));
    }
    doc.panel.value = 'levels';
    doc.levels.kind.value = 'images';
    doc.levels.options.meshes.value = { levels: 2 };
    doc.levels.look.value = 'crowd';
    doc.levels.shown.meshes.value = 2;
    const saved = { active: 0, docs: [saveDoc('figure', doc)] };
    const read = await loadSession({ file: await writeSession(saved, run), name: 'x.pliant' }, run);
    expect(same(read, saved)).toBe(true);
    const restored = restoreDoc(read.docs[0]);
    expect(restored.hasResults).toBe(true);
    expect(saveDoc('figure', restored).state).toEqual(saved.docs[0].state);
    expect(levelPanes(restored)).toEqual(['crowd']);
    restored.levels.look.value = 'side';
    expect(levelPanes(restored)).toEqual(['original', 'level', 'image-level', 'level-error']);
    const [given, ...levels] = levelModels(restored.rig.rigs, restored.levels.made.value.images!);
    expect(given).toEqual(restored.rig.rigs);
    for (const [level] of levels) validateModel(level, 'test');

    // Of another rig, or with figures of other levels.
    const { levels: made } = read.docs[0];
    const { meshes } = made!;
    const damaged = [{ parts: meshes!.parts.slice(1) }, { parts: meshes!.parts.map((level) => [...level, ...level]) }];
    for (const change of damaged) {
      const docs = [{ ...read.docs[0], levels: { meshes: { ...meshes!, ...change } } }];
      expect(() => checkSession({ active: 0, docs })).toThrow(PliantError);
    }
  });

  it('is small', () => expect(file.size).toBeLessThan(0.75 * packData(session).length));

  const refused = async (blob: Blob): Promise<PliantError> => {
    const error = await loadSession({ file: blob, name: 'x.pliant' }, run).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PliantError);
    return error as PliantError;
  };

  it('that is truncated anywhere is refused', async () => {
    for (const share of [0, 0.0001, 0.3, 0.7, 0.999]) {
      const error = await refused(file.slice(0, Math.floor(share * file.size)));
      expect(error.message).toMatch(/^open: x\.pliant: (not a session|damaged: )[^\n]*$/);
    }
    await refused(file.slice(0, file.size - 1));
  });

  it('of another kind or a later version is refused', async () => {
    expect((await refused(new Blob(['v 0 0 0\nv 1 0 0\nf 1 2 3\n'.repeat(9)]))).message).toMatch(/not a session/);
    const later = new Uint8Array(await file.arrayBuffer());
    later[8]++;
    expect(await refused(new Blob([later]))).toMatchObject({ code: 'unsupported' });
    const bomb = new Uint8Array(await file.slice(0, 64).arrayBuffer());
    bomb.fill(0x7f, 12, 16);
    expect((await refused(new Blob([bomb]))).message).toMatch(/damaged/);
  });

  it('with changed bytes is refused, or reads the same', async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = bytes.slice();
        changed[at] ^= change;
        const read = await loadSession({ file: new Blob([changed]), name: 'x.pliant' }, run).catch(
          (error: unknown) => error,
        );
        if (!(read instanceof PliantError)) expect(same(read, session)).toBe(true);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('with manipulated data is refused if inconsistent, never worse', () => {
    const data = packData(session);
    const json = 8 + new DataView(data.buffer).getUint32(0, true);
    const place = fc.oneof(fc.nat(json - 1), fc.nat(data.length - 1));
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = data.slice();
        for (const [at, value] of changes) changed[at] = value;
        try {
          const read = unpackData(changed);
          checkSession(read);
          for (const doc of (read as SessionData).docs) saveDoc('again', restoreDoc(doc));
        } catch (error) {
          if (!(error instanceof PliantError)) throw error;
        }
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  it('that selected something missing opens without the selection', () => {
    const [doc] = session.docs;
    const lost = { joint: 25, blendBone: 25, goneSince: 7 };
    const restored = restoreDoc({ ...doc, state: { ...doc.state, ...lost } });
    const { joint, rig } = restored;
    expect([joint.value, rig.blendBone.value]).toEqual([undefined, undefined]);
  });

  it('without a selected joint opens without one', async () => {
    const doc = restoreDoc(session.docs[1]);
    expect(doc.joint.value).toBeDefined();
    doc.letGo();
    const saved = await writeSession({ active: 0, docs: [saveDoc('box.glb', doc)] }, run);
    const { docs } = await loadSession({ file: saved, name: 'x.pliant' }, run);
    expect(restoreDoc(docs[0]).joint.value).toBeUndefined();
    const { joint: _, ...older } = docs[0].state;
    expect(restoreDoc({ ...docs[0], state: older }).joint.value).toBe(new Doc(doc.content).joint.value);
  });

  it('is saved with a removed result whose joint was selected, and opens', async () => {
    const doc = restoreDoc(session.docs[0]);
    doc.showInfluence(1);
    doc.removeFit(1);
    const saved = await writeSession({ active: 0, docs: [saveDoc('flag', doc)] }, run);
    const read = await loadSession({ file: saved, name: 'x.pliant' }, run);
    expect(restoreDoc(read.docs[0]).joint.value).toBeUndefined();
  });

  it('reports cancellation while it is written', async () => {
    const stop = new AbortController();
    const writing = writeSession(session, { onProgress: () => stop.abort(), signal: stop.signal });
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each<[string, (doc: SessionDoc) => object]>([
    ['a field that is missing', ({ content: { notes: _, ...content } }) => ({ content })],
    [
      'frames of another mesh',
      ({ content }) => ({
        content: { ...content, sequences: [{ ...content.sequences[0], frames: new Float32Array(12) }] },
      }),
    ],
    ['a model that is none', ({ fits: [fit] }) => ({ fits: [{ ...fit, data: { ...fit.data, models: [{}] } }] })],
    ['results of another mesh', ({ fits: [fit] }) => ({ fits: [{ ...fit, data: { ...fit.data, models: [] } }] })],
    ['an option that there is not', ({ fits: [fit] }) => ({ fits: [{ ...fit, options: { bones: -1 } }] })],
    ['a paint that there is not', ({ state }) => ({ state: { ...state, paint: 'gold' } })],
    ['points that are nowhere', ({ state }) => ({ state: { ...state, points: new Float64Array(6).fill(Number.NaN) } })],
    ['points of another predictor', ({ state }) => ({ state: { ...state, points: new Float64Array(5) } })],
  ])('with %s is refused', (_, spoil) => {
    const [doc] = session.docs;
    const spoilt = { ...doc, ...spoil(doc) } as SessionDoc;
    const open = () => {
      checkSession({ active: 0, docs: [spoilt] });
      restoreDoc(spoilt);
    };
    expect(open).toThrow(PliantError);
  });
});

it('bytes of floats are split and joined again', () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(bytes, (block) => {
      expect(sortBytes(sortBytes(block), true)).toEqual(new Uint8Array(block));
    }),
    { seed: 1 },
  );
});

it('another up axis keeps results and state, and leaves the camera', async () => {
  const doc = await workedOn();
  const space = { up: 'z', metresPerUnit: 0.01 } as const;
  const turned = docInSpace(doc, space);
  const { merged, models } = turned.fits.value[0].data;
  const { predictor, model } = turned.learned.value!;
  const { rest, frames } = turned.content.sequences[0];
  for (const mesh of [rest, merged.mesh, models[0].mesh, predictor.mesh, model.mesh]) expect(mesh.space).toEqual(space);
  expect(frames).toBe(doc.content.sequences[0].frames);
  expect(doc.content.sequences[0].rest.space).not.toEqual(space);
  const { camera, ...state } = saveDoc('', doc).state;
  expect(camera).toBeDefined();
  expect(saveDoc('', turned).state).toEqual({ ...state, camera: undefined });
});
