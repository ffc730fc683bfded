import { describe, expect, it } from 'vitest';
import { skinTransforms } from '../../src/math/trs.ts';
import { type Asset, emptyAsset } from '../../src/model/asset.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { motionsOf, playOn } from '../../src/verbs/other-motions.ts';
import { assetOf } from '../../src/verbs/verb.ts';
import { weights } from '../../src/verbs/weights.ts';
import type { WeightsVerbOptions } from '../../src/verbs/weights-parts.ts';
import { codesOf } from '../notes.ts';

const tube = sampleTube(300, 6, 24);

/** The tube's skeleton and first clip as motion capture, with other names and ten times the size. */
function captured(rename = (name: string) => name): Asset {
  const { skeleton, clips } = sampleTube(300, 6, 24);
  const names = skeleton.names.map(rename);
  const larger = skeleton.restLocals.map((x, c) => (c % 10 < 3 ? 10 * x : x));
  const inverseBind = skeleton.inverseBind.map((x, c) => (c % 4 === 3 ? 10 * x : x));
  const motion = { name: 'take', skeleton: { ...skeleton, names, restLocals: larger, inverseBind }, clips: [clips[0]] };
  return { ...emptyAsset('memory', 0), motions: [motion] };
}

describe('weights', () => {
  it('binds a mesh to the skeleton of a rig, with its clips', async () => {
    const { models, report, file } = await weights(tube.mesh, { skeleton: assetOf(tube) });
    expect(models[0].skeleton.names).toEqual(tube.skeleton.names);
    expect(report.clips.map(({ name }) => name)).toEqual(tube.clips.map(({ name }) => name));
    expect(report.parts).toMatchObject([{ bones: 4, influences: 4 }]);
    expect(report.detail.parts).toMatchObject([{ method: 'volume', bound: { bones: 4 } }]);
    expect(file).toBeUndefined();
  });

  it('fits a captured skeleton into the mesh, whose clip then moves it', async () => {
    const apart = await weights(tube.mesh, { skeleton: captured() });
    expect(codesOf(apart.report.notes)).toContain('skeleton-apart');
    const { report } = await weights(tube.mesh, { skeleton: captured(), align: true });
    expect(codesOf(report.notes)).toEqual(['skeleton-aligned', 'clip-retargeted']);
    expect(report.clips).toMatchObject([{ frames: 6 }]);
  });

  it('fits it into all meshes together', async () => {
    const beside = { ...tube.mesh, name: 'beside', positions: tube.mesh.positions.map((x, c) => (c % 3 ? x : x + 3)) };
    const all = { ...emptyAsset('memory', 0), meshes: [tube.mesh, beside] };
    const offsetOf = async (asset: Asset) => {
      const { report } = await weights(asset, { skeleton: captured(), align: true, method: 'rigid' });
      return report.notes.flatMap((each) => (each.code === 'skeleton-aligned' ? each.data.offset : []));
    };
    const [alone, together] = [await offsetOf(assetOf(tube.mesh)), await offsetOf(all)];
    expect(together[0] - alone[0]).toBeCloseTo(1.5, 5);
  });

  it('binds meshes that share a skeleton as one body, whether or not they share its object', async () => {
    const whole = await weights(tube, { method: 'volume' });
    const half = (from: number, to: number) => ({
      ...tube,
      name: `from ${from}`,
      mesh: { positions: tube.mesh.positions, triangles: tube.mesh.triangles.slice(from, to) },
      skeleton: { ...tube.skeleton, names: [...tube.skeleton.names] },
    });
    const middle = 3 * Math.floor(tube.mesh.triangles.length / 6);
    const halves = { ...emptyAsset('memory', 0), models: [half(0, middle), half(middle, Infinity)] };
    const { models, report } = await weights(halves, { method: 'volume' });
    for (const model of models) expect(model.weights).toEqual(whole.models[0].weights);
    // Bones that several parts follow count once.
    expect(report.figures.followedBones).toBe(whole.report.figures.followedBones);
    expect(report.detail.parts.map(({ bound }) => bound?.voxels)).toEqual(
      models.map(() => whole.report.detail.parts[0].bound?.voxels),
    );
  });

  it('trims a rig, and measures what that costs in every clip', async () => {
    const { models, report } = await weights(tube, { influences: 1, glb: {} });
    expect(models[0].weights.influences).toBe(1);
    expect(report.detail.parts[0].method).toBeUndefined();
    expect(report.parts[0].figures?.influencesBefore).toBe(4);
    expect(report.figures.maxWeightLost).toBeGreaterThan(0.1);
    expect(report.clips).toHaveLength(3);
    for (const { figures } of report.clips) {
      expect(figures?.maxErrorPercent).toBeGreaterThan(figures?.rmsePercent ?? Infinity);
    }
    for (const { worst } of report.detail.parts[0].trimming) expect(worst).toHaveLength(5);
  });

  it('keeps the weights of a rig, smooths them, or binds it again where a method is named', async () => {
    const methodOf = async (options: WeightsVerbOptions) =>
      (await weights(tube, options)).report.detail.parts[0].method;
    expect((await weights(tube)).models[0].weights).toEqual(tube.weights);
    expect(await methodOf({ smoothing: 3 })).toBeUndefined();
    expect(await methodOf({ method: 'rigid' })).toBe('rigid');
    expect(await methodOf({ exclude: ['bone4'] })).toBe('volume');
  });

  it('adds the clips of other assets, by the names of joints or by a map', async () => {
    const other = captured((name) => `other ${name}`);
    const { models, report } = await weights(tube, { clips: [other], map: { 'other bone2': 'bone2' } });
    expect(models[0].clips.at(-1)?.name).toBe('bend');
    expect(models[0].clips).toHaveLength(4);
    const unmatched = ['other bone1', 'other bone3', 'other bone4'];
    expect(report.notes).toMatchObject([{ code: 'clip-retargeted', data: { joints: 4, unmatched } }]);
  });

  it('leaves clips of a scene where they are, on the skeleton that they were made for', () => {
    const { skeleton } = tube;
    const locals = tube.clips[0].locals!.map((x, c) => (c % 40 < 3 ? x + 2 : x));
    const clip = {
      ...tube.clips[0],
      locals,
      transforms: skinTransforms(skeleton.parents, skeleton.inverseBind, locals),
    };
    const off = (fromRest: boolean) => {
      const motion = { name: 'scene', skeleton, clips: [clip], captured: true, fromRest };
      const [{ transforms }] = playOn('weights', { skeleton }, motion, {}, []);
      return Math.max(...transforms.map((x, c) => Math.abs(x - clip.transforms[c])));
    };
    expect(off(true)).toBeLessThan(1e-5);
    expect(off(false)).toBeGreaterThan(1);
  });

  it('refuses clips that match nothing but a node above the joints, unless a map says so', () => {
    const [motion] = motionsOf(
      'weights',
      captured((name) => (name === 'bone1' ? name : `other ${name}`)),
    );
    const rig = { skeleton: tube.skeleton, deforms: (bone: number) => bone > 0 };
    const play = (map: Record<string, string>) => () => playOn('weights', rig, motion, map, []);
    expect(play({})).toThrow(expect.objectContaining({ reason: 'no-common-joints' }));
    expect(play({ 'other bone2': 'bone4' })).not.toThrow();
  });

  it.each<[string, object, WeightsVerbOptions]>([
    ['a mesh without a skeleton', { code: 'not-found', reason: 'needs-skeleton' }, {}],
    ['a skeleton that is none', { code: 'not-found' }, { skeleton: assetOf(tube.mesh) }],
  ])('refuses %s', async (_, error, options) => {
    await expect(weights(tube.mesh, options)).rejects.toMatchObject(error);
  });

  it.each<[string, object, WeightsVerbOptions]>([
    ['alignment of a rig with itself', { code: 'bad-option', option: 'align' }, { align: true }],
    ['a map without clips', { code: 'bad-option', option: 'map' }, { map: {} }],
    ['clips of a stranger', { reason: 'no-common-joints' }, { clips: [captured((name) => `x${name}`)] }],
    ['bones that do not exist', { code: 'not-found', option: 'exclude' }, { exclude: ['nose'] }],
    ['options of other methods', { code: 'bad-option', option: 'exponent' }, { exponent: 2 }],
    ['objects that do not exist', { code: 'not-found', option: 'object' }, { object: 'hat' }],
    ['to make a mesh symmetric that is not', { code: 'bad-input' }, { symmetrize: true, mirrorAxis: 'z' }],
  ])('refuses %s', async (_, error, options) => {
    await expect(weights(tube, options)).rejects.toMatchObject(error);
  });
});
