import { describe, expect, it } from 'vitest';
import { packData } from '../../src/io/gltf/packed-data.ts';
import { checkTile, type TileRunner, tilesHere } from '../../src/kernels/tiles.ts';
import { bakeLight } from '../../src/light/light.ts';
import { LightScene } from '../../src/light/scene.ts';
import { bakedSpheres, posedSpheres, sceneSpheres, splitSpheres } from '../../src/light/scene-spheres.ts';
import { packPoses, packScene } from '../../src/light-tile.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { choosePoses } from '../../src/skin/choose-poses.ts';
import { TILES } from '../../src/tile-tasks.ts';
import { lightBake } from '../../src/verbs/light-bake.ts';
import { lightMeasure } from '../../src/verbs/light-measure.ts';
import { equationsWith, traceWith } from '../../src/verbs/light-parts.ts';
import { lightFilm, lightRender } from '../../src/verbs/light-render.ts';
import { smallFigure } from './small-figure.ts';

const figure = smallFigure();
const nobody = async () => {};
const QUICK = { poses: 10, rays: 64, spheres: 12, directions: 16, modes: 4, glossModes: 5, fit: false } as const;

/** Makes tiles in the opposite order, as workers may. */
const backwards: TileRunner = {
  async *run(name, inputs, jobs, options) {
    const tiles = [];
    for await (const tile of tilesHere(TILES).run(name, inputs, jobs, options)) tiles.push(tile);
    yield* tiles.reverse();
  },
  async close() {},
};

describe('baked light', () => {
  it('is valid, and the same whoever traces and in whatever order', async () => {
    const [model] = (await bakeLight([figure], QUICK, traceWith())).models;
    validateModel(model);
    expect(model.light!.residual!.groupOf.length).toBe(vertexCount(figure.mesh));
    expect(model.light!.made).toMatchObject({ clips: ['wave', 'walk'], poses: 10, rays: 64 });
    const again = (await bakeLight([figure], QUICK, traceWith(backwards))).models[0];
    expect(again.light).toEqual(model.light);
    const other = (await bakeLight([figure], { ...QUICK, seed: 2 }, traceWith())).models[0];
    expect(other.light).not.toEqual(model.light);
  });

  it('fits the same spheres whoever makes the equations, and takes none of another fit', async () => {
    const options = { ...QUICK, poses: 3, spheres: 4, fit: true };
    const [here] = (await bakeLight([figure], options, traceWith())).models;
    const far = { equations: equationsWith(backwards) };
    expect((await bakeLight([figure], options, traceWith(), far)).models[0].light).toEqual(here.light);
    const [unfitted] = (await bakeLight([figure], { ...options, fit: false }, traceWith())).models;
    expect(here.light!.spheres).not.toEqual(unfitted.light!.spheres);

    const made = async (...blobs: unknown[]) => {
      const inputs = blobs.map((blob) => ({ bytes: packData(blob) }));
      for await (const _ of tilesHere(TILES).run('spheres', inputs, [{}]));
    };
    const fit = { spheres: here.light!.spheres, morphs: [], order: 5, directions: 16, groups: 1, witnesses: [] };
    const whole = { ...fit, bounceFactors: here.light!.bounceFactors };
    for (const blobs of [
      [{}, {}],
      [fit, new Float64Array(20)],
      [whole, new Float64Array(19)],
      [whole, new Float64Array(20)],
      [{ ...whole, directions: 1e9 }, new Float64Array(20)],
      [{ ...whole, witnesses: [{ groupOf: Uint32Array.of(7) }] }, new Float64Array(20)],
    ]) {
      await expect(made(...blobs)).rejects.toMatchObject({ code: 'bad-option' });
    }
  });

  it('is closer to traced light than spheres alone, and these than none; also with fitted spheres and gloss', async () => {
    const { models, report } = await lightBake(figure, { ...QUICK, fit: true, gloss: true });
    expect(report.detail).toMatchObject({
      task: 'bake',
      poses: 10,
      mixedPoses: 5,
      spheres: 12,
      baked: ['wave', 'walk'],
    });
    const { diffuse, visibility } = models[0].light!.residual!;
    expect([diffuse.modes, visibility?.modes]).toEqual([4, 5]);
    const { clips } = (await lightMeasure(models[0], { frames: 2, rays: 256, spheres: 12 })).report;
    expect(clips.map(({ name }) => name)).toEqual(['wave', 'walk']);
    for (const { baked, shadingErrorPercent, basePercent, poseSpacePercent, unshadowedPercent } of clips) {
      expect(baked).toBe(true);
      expect(shadingErrorPercent).toBeLessThan(basePercent!);
      expect(basePercent).toBeLessThan(unshadowedPercent!);
      expect(poseSpacePercent).toBeGreaterThan(0);
    }
  });

  it('of clips that are left out is not called baked', async () => {
    const { models } = await lightBake(figure, { ...QUICK, clips: ['walk'] });
    const lit: SkinnedModel = { ...figure, light: models[0].light };
    const { clips } = (await lightMeasure(lit, { frames: 1, rays: 32 })).report;
    expect(clips.map(({ name, baked }) => [name, baked])).toEqual([
      ['wave', false],
      ['walk', true],
    ]);
  });

  it('without a bake is measured as that of spheres', async () => {
    const { report } = await lightMeasure(figure, { frames: 1, rays: 32, clips: ['walk'] });
    expect(report.notes.map(({ code }) => code)).toContain('light-not-baked');
    const [clip] = report.detail.clips;
    expect(clip.shadingErrorPercent).toBe(clip.basePercent);
    expect(clip.poseSpacePercent).toBeUndefined();
  });

  it('of a rig without clips goes through a range of motion', async () => {
    const { report } = await lightBake({ ...figure, clips: [] }, QUICK);
    expect(report.notes.map(({ code }) => code)).toContain('light-without-clips');
    expect(report.detail.poses).toBe(10);
  });

  it.each([
    ['no skin', () => lightBake(figure.mesh, QUICK), 'not-found'],
    ['no clips', () => lightMeasure({ ...figure, clips: [] }), 'not-found'],
    ['a clip that is not there', () => lightBake(figure, { ...QUICK, clips: ['jump'] }), 'not-found'],
    ['nothing baked', () => lightRender(figure, { show: 'baked' }), 'bad-input'],
    ['a film of no clip', () => lightFilm({ ...figure, clips: [] }, { onPicture: nobody }), 'not-found'],
    ['a film past its clip', () => lightFilm(figure, { end: 1e6, onPicture: nobody }), 'bad-option'],
    ['a moment past its clip', () => lightRender(figure, { time: 1e6 }), 'bad-option'],
    ['a film that is left', () => lightFilm(figure, { signal: AbortSignal.abort(), onPicture: nobody }), 'cancelled'],
    ['too many poses', () => lightBake(figure, { poses: 1e6 }), 'bad-option'],
    ['a signal', () => lightBake(figure, { ...QUICK, signal: AbortSignal.abort() }), 'cancelled'],
    [
      'faces without area only',
      () =>
        lightBake({ ...figure, mesh: { ...figure.mesh, positions: new Float32Array(figure.mesh.positions.length) } }),
      'bad-input',
    ],
  ])('is refused with one clear error: %s', async (_, work, code) => {
    await expect(work()).rejects.toMatchObject({ name: 'PliantError', code });
  });
});

describe('a picture of light', () => {
  it('shows the rig in a pose, darker with shadows', async () => {
    const sum = async (show: 'base' | 'unshadowed') => {
      const { picture, report } = await lightRender(figure, { clip: 'walk', time: 0.2, show, width: 64, height: 64 });
      expect(report.detail).toMatchObject({ pose: { clip: 'walk', time: 0.2 }, show });
      expect([picture.width, picture.height]).toEqual([64, 64]);
      return picture.pixels.reduce((total, x, c) => total + (c % 4 < 3 ? x : 0), 0);
    };
    expect(await sum('base')).toBeLessThan(await sum('unshadowed'));
  });
});

describe('models that shade each other', () => {
  const pair = [figure, { ...figure, name: 'second', clips: figure.clips.slice(0, 1) }];

  it('have spheres of their own, which come apart as they were joined', () => {
    const scene = new LightScene(pair);
    const joined = sceneSpheres(scene, 16);
    const own = splitSpheres(scene, joined);
    expect(own.map(({ spheres }) => spheres.count)).toEqual([8, 8]);
    const again = bakedSpheres(
      pair.map((model, m) => ({
        light: { ...own[m], order: 5 } as never,
        bones: boneCount(model.skeleton),
        morphs: 0,
      })),
    );
    const { parts } = choosePoses(pair, { poses: 2 }).poses[1];
    expect(posedSpheres(again, parts)).toEqual(posedSpheres(joined, parts));
  });

  it('are baked together, each with its own light', async () => {
    const { models } = await bakeLight(pair, { ...QUICK, poses: 4 }, traceWith());
    models.forEach((model) => void validateModel(model));
    expect(models.map(({ light }) => light!.residual!.poses.count)).toEqual([4, 4]);
  });
});

describe('a tile of light', () => {
  const inputs = [packScene([figure]), packPoses([choosePoses([figure], { poses: 1 }).poses[0].parts])];
  const sizes = inputs.map(({ length }) => length);

  it('refuses jobs that are none, before anything is read', () => {
    expect(checkTile(TILES, 'light', sizes, { pose: 0, rays: 32 })).toMatchObject({ pose: 0, rays: 32, order: 5 });
    for (const job of [null, [], { path: '/etc' }, { rays: 1e9 }, { order: 99 }, { pose: -1 }]) {
      expect(() => checkTile(TILES, 'light', sizes, job)).toThrow();
    }
  });

  it('refuses blobs that are none, and poses that are not there', async () => {
    await expect(TILES.light.open([inputs[0], Uint8Array.of(1, 2, 3)])).rejects.toMatchObject({ name: 'PliantError' });
    await expect(TILES.light.open([Uint8Array.of(1), inputs[1]])).rejects.toMatchObject({ name: 'PliantError' });
    const make = await TILES.light.open(inputs);
    expect(() => make(TILES.light.check({ pose: 7 }))).toThrow();
  });
});
