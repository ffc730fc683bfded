import { beforeAll, describe, expect, it } from 'vitest';
import { PairsWriter } from '../../src/cloth/pairs-folder.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { blobFiles } from '../../src/platform/browser/files.ts';
import { makeSample } from '../../src/samples.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { BodyRig, mergedRig } from '../../studio/src/core/cloth/body-rig.ts';
import { ClothClock } from '../../studio/src/core/cloth/cloth-clock.ts';
import { clothPanes } from '../../studio/src/core/cloth/cloth-panes.ts';
import { CALM, type Dress, windVelocity } from '../../studio/src/core/cloth/dress.ts';
import { limbsOf, ownGarment } from '../../studio/src/core/cloth/start-cloth.ts';
import { groupFiles, groupName, type PathFile } from '../../studio/src/core/content/file-groups.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { PosedRig } from '../../studio/src/core/rig/posed-rig.ts';
import { restoreDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { shownPanes } from '../../studio/src/core/view/view-labels.ts';
import { blobSink } from '../../studio/src/worker/blob-sink.ts';
import { clothFileJob } from '../../studio/src/worker/cloth-file-job.ts';
import { clothPlayJob, clothTrainJob } from '../../studio/src/worker/cloth-train-jobs.ts';
import { dressed, FIGURE, standOf } from '../../studio/src/worker/garment.ts';
import { openJob } from '../../studio/src/worker/open-jobs.ts';
import { checkSession } from '../../studio/src/worker/session-check.ts';
import { WornGarment } from '../../studio/src/worker/worn-cloth.ts';
import { squeezedPair, wavy } from '../cloth/squeezed-pair.ts';
import { memoryFolder } from '../io/support.ts';
import { expectRefusal } from '../refusal.ts';
import { expectValidCloth, expectValidGlb } from '../validate-glb.ts';

const run = { signal: new AbortController().signal, onProgress: () => {} };
const empty = { meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [], notes: [] };
const QUICK: Dress = { options: { vertices: 300, coarseVertices: 60, settle: 0.1 } };
const STILL = { seconds: 0, breeze: CALM, bending: 1e-4, reset: false, shows: { embedding: false, coarse: false } };

let figure: SkinnedModel;
beforeAll(async () => {
  figure = (await makeSample('figure', { resolution: 2500, frames: 4 })).model!;
});

const atRest = ({ skeleton }: SkinnedModel): Float32Array =>
  Float32Array.from({ length: MATRIX_STRIDE * skeleton.names.length }, (_, c) => ((c % 12) % 5 === 0 ? 1 : 0));
const heaviest = ({ weights: { joints, influences } }: SkinnedModel): Uint16Array =>
  joints.filter((_, slot) => slot % influences === 0);
const newDoc = (): Doc => new Doc({ ...empty, name: 'figure', format: 'sample', bytes: 1, models: [figure] });
const sheet: Mesh = { positions: Float32Array.of(0, 1, 0, 1, 1, 0, 0, 1, 1), triangles: Uint32Array.of(0, 1, 2) };

/** The largest distance between points, of which every one is moved first. */
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, x, c) => Math.max(most, Math.abs(x - b[c])), 0);

/** A rig with z up, in centimetres. */
function inCentimetres(model: SkinnedModel): SkinnedModel {
  const turn = (points: Float32Array) =>
    points.map((_, c) => 100 * (c % 3 === 0 ? points[c] : c % 3 === 1 ? -points[c + 1] : points[c - 1]));
  // (A | t) becomes (A·R | 100 t), with R from z up to y up.
  const inverseBind = model.skeleton.inverseBind.map((x, c, all) => [x, -all[c + 1], all[c - 1], 100 * x][c % 4]);
  const mesh = {
    ...model.mesh,
    positions: turn(model.mesh.positions),
    normals: undefined,
    space: { up: 'z', metresPerUnit: 0.01 } as const,
  };
  return { ...model, mesh, skeleton: { ...model.skeleton, inverseBind }, clips: [] };
}

describe('cloth in the studio', () => {
  it('is a panel of documents with rigs', () => {
    expect(newDoc().panels).toContain('cloth');
    expect(new Doc({ ...empty, name: 'a', format: 'OBJ', bytes: 1, meshes: [sheet] }).panels).not.toContain('cloth');
  });

  it('puts on, takes off, blows and stiffens with undo', () => {
    const { cloth, history } = newDoc();
    cloth.putOn();
    expect(cloth.worn.value).toEqual({ options: {} });
    cloth.takeOff();
    history.undo();
    expect(cloth.worn.value).toEqual({ options: {} });
    history.undo();
    expect(cloth.worn.value).toBeUndefined();
    cloth.choose({ name: 'towel', mesh: sheet });
    cloth.putOn();
    expect(cloth.worn.value?.own?.name).toBe('towel');
    cloth.breeze.begin();
    for (const speed of [1, 2, 3]) cloth.breeze.set({ speed, heading: 90 });
    cloth.bending.begin();
    cloth.bending.set(1e-6);
    for (const wanted of [1e-4, 1e-4, 1e-4]) {
      history.undo();
      expect(cloth.bending.value.value).toBe(wanted);
    }
    expect(cloth.breeze.value.value).toBe(CALM);
    history.undo();
    expect(cloth.own.value).toBeUndefined();
    expect(cloth.options.value.garment).toBeUndefined();
  });

  it('shows one garment or three side by side, and only that it is worn in other panels', () => {
    const doc = newDoc();
    expect(clothPanes(doc)).toBeUndefined();
    doc.cloth.state.value = { kind: 'on', facts: { vertices: 1, coarseVertices: 1, pinned: 1, notes: [] } };
    doc.cloth.look.value = 'side';
    expect(clothPanes(doc)).toEqual(['folds']);
    doc.panel.value = 'cloth';
    expect(clothPanes(doc)).toEqual(['coarse', 'embedding', 'folds']);
    doc.cloth.look.value = 'coarse';
    expect(clothPanes(doc)).toEqual(['coarse']);
    // Operators are compared on the body, dressed or not.
    doc.panel.value = 'rig';
    expect(shownPanes(doc)).toEqual(['folds']);
    doc.rig.beside.value = 'dqs';
    expect(shownPanes(doc)).toEqual(['original', 'beside']);
  });

  it('is kept by sessions: what is worn, wind and stiffness', () => {
    const doc = newDoc();
    doc.cloth.choose({ name: 'towel', mesh: sheet });
    doc.cloth.options.value = { ...doc.cloth.options.value, pinBone: 'chest' };
    doc.cloth.putOn();
    doc.cloth.breeze.set({ speed: 3, heading: -90 });
    doc.cloth.bending.set(1e-5);
    doc.cloth.look.value = 'side';
    const saved = saveDoc('figure', doc);
    checkSession({ active: 0, docs: [saved] });
    const { cloth } = restoreDoc(saved);
    expect(cloth.worn.value).toEqual({ options: { garment: 'own', pinBone: 'chest' }, own: doc.cloth.own.value });
    expect(cloth.breeze.value.value).toEqual({ speed: 3, heading: -90 });
    expect(cloth.bending.value.value).toBe(1e-5);
    expect(cloth.look.value).toBe('side');
    for (const state of [{ breeze: { speed: 1e9, heading: 0 } }, { worn: { vertices: -1 } }, { bending: 'stiff' }]) {
      expect(() => restoreDoc({ ...saved, state })).toThrow();
    }
  });
});

describe('ClothClock', () => {
  it('runs with the player, waits while it is paused, and goes on for a while when stirred', () => {
    const clock = new ClothClock();
    clock.tick(0.1, 0.5, true, false);
    expect(clock.take()).toBeCloseTo(0.05);
    clock.pause();
    clock.tick(0.1, 1, false, false);
    expect(clock.runs).toBe(false);
    clock.stir();
    let passed = 0;
    for (let t = 0; t < 100; t++) {
      clock.tick(0.1, 1, false, false);
      passed += clock.take();
    }
    expect(passed).toBeGreaterThan(1);
    expect(passed).toBeLessThan(3);
    clock.tick(0.1, 1, false, true);
    expect(clock.take()).toBeCloseTo(0.1);
    clock.calm = true;
    clock.tick(0.1, 1, false, true);
    expect(clock.runs).toBe(false);
    clock.stir();
    clock.tick(0.1, 1, false, true);
    expect(clock.take()).toBeCloseTo(0.1);
    for (let t = 0; t < 100; t++) clock.tick(1, 1, true, false);
    expect(clock.take()).toBeLessThan(1);
  });
});

describe('a body of several parts', () => {
  it('is skinned as its parts are, and its clip has turned joints', () => {
    const slim = {
      ...figure,
      weights: { influences: 1, joints: heaviest(figure), weights: new Float32Array(vertexCount(figure.mesh)).fill(1) },
    };
    const doc = new Doc({ ...empty, name: 'two', format: 'GLB', bytes: 1, models: [figure, slim] });
    const body = new BodyRig(doc);
    const turns = new Map([[doc.rig.joints.value.names.indexOf('chest'), [30, 0, 0] as const]]);
    const { times, transforms } = body.clip('walk', Float64Array.of(0.5, 0.6), turns);
    expect([...times]).toEqual([0, expect.closeTo(0.1)]);
    expect(transforms.subarray(transforms.length / 2)).toEqual(body.transforms);
    const surface = body.surface().slice();
    let first = 0;
    for (const [part, model] of [figure, slim].entries()) {
      const rig = new PosedRig(model);
      rig.pose('walk', 0.6, doc.rig.turnsOf(part, turns));
      const own = rig.skinned(new Skinner(model, { normals: false }));
      expect(apart(surface.subarray(first, first + own.length), own)).toBeLessThan(1e-6);
      first += own.length;
    }
    expect(surface).toHaveLength(first);
    expect(() => validateModel(mergedRig([figure, slim]), 'test')).not.toThrow();
  });
});

describe('garments', () => {
  it('are modelled on the sample figure, and fitted to others', () => {
    const stand = standOf(figure.mesh.positions);
    expect(stand.height).toBeCloseTo(FIGURE.height, 2);
    expect(stand.x).toBeCloseTo(FIGURE.x, 2);
    expect(stand.z).toBeCloseTo(FIGURE.z, 2);
    const { garment } = dressed(QUICK, figure);
    const doubled = { ...figure.mesh, positions: figure.mesh.positions.map((x, c) => 2 * x + [5, 1, -2][c % 3]) };
    const large = dressed(QUICK, { ...figure, mesh: doubled }).garment;
    expect(
      apart(
        large.mesh.positions,
        garment.mesh.positions.map((x, c) => 2 * x + [5, 1, -2][c % 3]),
      ),
    ).toBeLessThan(0.02);
    expect(large.pinned).toEqual(garment.pinned);
  });

  it('are held by a bone if one is named; a bone far away is refused', async () => {
    const { capsules } = dressed(QUICK, figure);
    const solid = figure.skeleton.names.filter((_, bone) => capsules.some((capsule) => capsule.bone === bone));
    expect(limbsOf([figure, figure])).toEqual(solid);
    const { garment } = dressed({ options: { ...QUICK.options, pinBone: 'chest', pinDistance: 0.05 } }, figure);
    expect(garment.pinned.length).toBeGreaterThan(0);
    const wear = async () => dressed({ options: { ...QUICK.options, pinBone: 'foot.L' } }, figure);
    await expectRefusal(wear(), 'bad-option', { option: 'pinBone' });
  });

  it('come from the largest surface of what is open', () => {
    const point: Mesh = { positions: new Float32Array(9000), triangles: new Uint32Array() };
    expect(ownGarment('a', { ...empty, name: 'a', format: '', bytes: 0, meshes: [point, sheet] })?.mesh).toBe(sheet);
    expect(ownGarment('a', { ...empty, name: 'a', format: '', bytes: 0, meshes: [point] })).toBeUndefined();
  });

  it('are worn by messages; axes and units of the body do not matter', async () => {
    const wearing = { dress: QUICK, breeze: CALM, bending: 1e-4 };
    const metric = inCentimetres(figure);
    const [worn, { pose, facts, mesh }] = await WornGarment.wear(
      { ...wearing, model: figure, transforms: atRest(figure) },
      run,
    );
    const [other, { pose: turned }] = await WornGarment.wear(
      { ...wearing, model: metric, transforms: atRest(metric) },
      run,
    );
    const back = (points: Float32Array) =>
      points.map((_, c) => (c % 3 === 0 ? points[c] : c % 3 === 1 ? points[c + 1] : -points[c - 1]) / 100);
    expect(facts.vertices).toBe(vertexCount(mesh));
    expect(facts.coarseVertices).toBeLessThan(facts.vertices);
    expect(apart(back(turned.folds), pose.folds)).toBeLessThan(1e-3);

    const blown = {
      ...STILL,
      seconds: 0.1,
      breeze: { speed: 8, heading: 0 },
      shows: { embedding: true, coarse: true },
    };
    const windy = worn.step({ ...blown, transforms: atRest(figure) });
    const windyToo = other.step({ ...blown, transforms: atRest(metric) });
    expect(windy.steps).toBeGreaterThan(0);
    expect(apart(back(windyToo.folds), windy.folds)).toBeLessThan(0.01);
    expect(windy.embedding).toHaveLength(windy.folds.length);
    expect(windy.coarse).toHaveLength(3 * facts.coarseVertices);
    expect(boundsOf(windy.folds).max[2]).toBeGreaterThan(boundsOf(pose.folds).max[2]);
    expect(windVelocity({ speed: 2, heading: 90 })[0]).toBeCloseTo(2);

    const vertex = 0;
    const place = [0, 0.1, -0.2].map((way, c) => windy.folds[c] + way) as [number, number, number];
    let held = windy;
    for (let k = 0; k < 10; k++)
      held = worn.step({ ...STILL, seconds: 0.05, transforms: atRest(figure), grip: { vertex, place } });
    expect(Math.hypot(...place.map((x, c) => held.folds[c] - x))).toBeLessThan(0.1);
    const fresh = worn.step({ ...STILL, transforms: atRest(figure), reset: true });
    expect(apart(fresh.folds, pose.folds)).toBeLessThan(0.05);
  });

  it('are saved with their motion as GLB and as Alembic', async () => {
    const doc = newDoc();
    const body = new BodyRig(doc);
    const clip = body.clip('walk', Float64Array.of(0, 0.1, 0.2), new Map());
    const input = {
      dress: QUICK,
      model: { ...body.model, clips: [clip] },
      breeze: { speed: 1, heading: 0 },
      bending: 1e-4,
    };
    for (const format of ['glb', 'abc'] as const) {
      const { file } = await clothFileJob({ ...input, format }, run);
      if (format === 'glb') await expectValidGlb(new Uint8Array(await file.arrayBuffer()));
      const name = `cape.${format}`;
      const { sequences } = await readAsset(blobFiles([[name, file as File]]), [name]);
      expect(sequences[0].frameCount).toBeGreaterThan(1);
    }
  });
});

describe('pairs of cloth', () => {
  const files = async (): Promise<PathFile[]> => {
    const folder = memoryFolder('capes/');
    const writer = new PairsWriter(folder, 'sheet');
    for (const [name, motion] of Object.entries({ wave: wavy, press: (t: number) => 0.05 * t })) {
      await writer.add({ ...squeezedPair(motion, 12), name });
    }
    await writer.finish();
    return Object.entries(folder.contents()).map(([path, bytes]) => [path, new File([new Uint8Array(bytes)], path)]);
  };

  it('are opened as one: a folder with a list, or a coarse and a fine cache', () => {
    const group = (...paths: string[]) => groupFiles(paths.map((path) => [path, new File([], path)]));
    const folder = ['a/pairs.json', 'a/coarse.obj', 'a/walk.coarse.abc', 'a/walk.fine.abc', 'a/body.glb'];
    expect(group(...folder, 'b.glb')).toEqual([['a/pairs.json'], ['b.glb']]);
    expect(group('walk.fine.abc', 'walk.coarse.abc', 'c.abc')).toEqual([
      ['walk.coarse.abc', 'walk.fine.abc'],
      ['c.abc'],
    ]);
    expect(group('coarse.abc', 'other.abc')).toEqual([['coarse.abc'], ['other.abc']]);
    expect(groupName(['a/pairs.json'])).toBe('a');
  });

  it('are played, trained, and kept by sessions', async () => {
    const content = await openJob({ files: await files(), paths: ['capes/pairs.json'] }, run);
    const doc = new Doc(content);
    expect([content.name, doc.panels[0], doc.clip.value]).toEqual(['capes', 'cloth', 'wave']);
    expect(clothPanes(doc)).toEqual(['truth']);
    const pair = content.pairs![1];
    const before = await clothPlayJob({ pair }, run);
    const { cloth, ...found } = await clothTrainJob({ pairs: content.pairs!, options: { modes: 2 } }, run);
    await expectValidCloth(found.file);
    expect(found.heldOutMotion).toBe('press');
    const after = await clothPlayJob({ pair, cloth }, run);
    expect(after.embedding).toEqual(before.embedding);
    expect(after.folds).toHaveLength(pair.fine.frames.length);

    const own = ownGarment('sheet', content, cloth)!;
    const dress = { options: { garment: 'own', settle: 0.1 }, own } as const;
    const wearing = { dress, model: figure, transforms: atRest(figure), breeze: CALM, bending: 1e-4 };
    const [, { facts, pose }] = await WornGarment.wear(wearing, run);
    expect(facts.coarseVertices).toBe(vertexCount(cloth.coarse));
    expect(pose.folds).toHaveLength(cloth.fine.positions.length);

    doc.cloth.pairs.trained.value = { cloth, ...found };
    expect(doc.hasResults).toBe(true);
    const saved = saveDoc('capes', doc);
    checkSession({ active: 0, docs: [saved] });
    const again = restoreDoc(saved);
    expect(again.cloth.pairs.trained.value?.best).toEqual(found.best);
    expect(again.content.pairs).toHaveLength(2);
  });
});

it('blobSink patches what was written before, across parts', async () => {
  const sink = blobSink();
  for (const part of [
    [1, 2, 3],
    [4, 5],
    [6, 7, 8],
  ])
    await sink.write(Uint8Array.from(part));
  await sink.patch(2, Uint8Array.of(30, 40, 50, 60));
  expect([...new Uint8Array(await sink.blob('').arrayBuffer())]).toEqual([1, 2, 30, 40, 50, 60, 7, 8]);
});
