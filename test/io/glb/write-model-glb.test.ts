import { describe, expect, it } from 'vitest';
import { GENERATOR } from '../../../src/io/glb/document.ts';
import type { ModelGlbOptions } from '../../../src/io/glb/options.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { skinTransforms } from '../../../src/math/trs.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { vertexNormals } from '../../../src/mesh/normals.ts';
import { note } from '../../../src/model/note.ts';
import { clipFrame, type Skeleton } from '../../../src/model/skeleton.ts';
import { expectRefusal } from '../../refusal.ts';
import { bindOf, jsonOf, largestDistance, naiveLbs, packageVersion, tubeModel, wavingClip } from '../gltf/fixtures.ts';
import { expectSameMesh, expectSamePoses, written } from './round-trip.ts';

describe('writeModelGlb', () => {
  const cases: (Partial<ModelGlbOptions> & { tolerance: number })[] = [
    { weights: 'float', tolerance: 1e-6 },
    { weights: 'u16', tolerance: 5e-5 },
    { weights: 'u8', tolerance: 1e-2 },
    { weights: 'float12', tolerance: 5e-4 },
    { weights: 'float12', compress: 'meshopt', tolerance: 5e-4 },
    { weights: 'float12', compress: 'meshopt', influences: 8, tolerance: 5e-4 },
    { weights: 'float', compress: 'meshopt', tolerance: 1e-6 },
    { weights: 'float', influences: 8, joints: 'u16', tolerance: 1e-6 },
    { weights: 'float', rotations: 'i16', tolerance: 2e-4 },
    { weights: 'float', names: false, tolerance: 1e-6 },
  ];
  it.each(cases)(
    'write, then read, gives the same model: $weights $influences $compress $rotations $names',
    async ({ tolerance, ...options }) => {
      const model = tubeModel(6, options.influences === 8 ? 6 : 4);
      const { asset } = await written(model, options);
      expect(asset.notes).toEqual([]);
      const [got] = asset.models;
      expect(got.operator).toBe('lbs');
      expect(got.skeleton.parents).toEqual(model.skeleton.parents);
      expect(largestDistance(got.skeleton.inverseBind, model.skeleton.inverseBind)).toBe(0);
      if (options.names !== false) {
        expect(got.skeleton.names).toEqual(model.skeleton.names);
        expectSameMesh(got.mesh, { ...model.mesh });
      }
      expect(got.weights.influences).toBe(model.weights.influences);
      expect(got.weights.joints).toEqual(model.weights.joints);
      expectSamePoses(got, model, tolerance);
    },
  );

  it('keeps weights of 12 bits exactly, whatever compresses them', async () => {
    const model = tubeModel(6);
    const plain = (await written(model, { weights: 'float12' })).asset.models[0].weights;
    expect((await written(model, { weights: 'float12', compress: 'meshopt' })).asset.models[0].weights).toEqual(plain);
    for (const [s, weight] of plain.weights.entries()) {
      expect(Number.isInteger(4096 * weight)).toBe(true);
      expect(Math.abs(weight - model.weights.weights[s])).toBeLessThan(1 / 4096);
    }
  });

  it('gives a model without normals and material smooth normals and the plain material', async () => {
    const model = tubeModel();
    const { positions, triangles } = model.mesh;
    const { asset, bytes } = await written({ ...model, mesh: { positions, triangles } });
    expect(largestDistance(asset.models[0].mesh.normals!, vertexNormals({ positions, triangles }))).toBeLessThan(1e-6);
    expect(asset.models[0].mesh.materials).toEqual([]);
    expect(jsonOf(bytes).materials).toMatchObject([{ name: 'plain', doubleSided: true }]);
  });

  it('gives the same bytes every time, says who wrote it, and leaves its input alone', async () => {
    const model = tubeModel();
    const before = structuredClone(model);
    const a = await writeModelGlb(model);
    const b = await writeModelGlb(structuredClone(model));
    expect(a.bytes).toEqual(b.bytes);
    expect(model).toEqual(before);
    expect(jsonOf(a.bytes).asset.generator).toBe(`pliant ${packageVersion()}`);
    expect(GENERATOR).toBe(`pliant ${packageVersion()}`);
    expect(a.report.figures.bytes).toBe(a.bytes.length);
  });

  it('shares one time accessor per clip and leaves out tracks that do not move', async () => {
    const { bytes } = await written(tubeModel(4));
    const { animations } = jsonOf(bytes);
    for (const { samplers, channels } of animations!) {
      expect(new Set(samplers.map((sampler) => sampler.input)).size).toBe(1);
      // All four bones turn, the first moves, the last grows.
      expect(channels.map(({ target }) => target.path).sort()).toEqual([
        'rotation',
        'rotation',
        'rotation',
        'rotation',
        'scale',
        'translation',
      ]);
    }
  });

  it('keeps a clip in which nothing moves, and constant poses that are not the rest pose', async () => {
    const model = tubeModel();
    const poses = (locals: Float32Array) => skinTransforms(model.skeleton.parents, model.skeleton.inverseBind, locals);
    const still = wavingClip('still', model.skeleton, 3, 5);
    const b = model.skeleton.parents.length;
    for (let k = 0; k < 3; k++) still.locals!.set(model.skeleton.restLocals, 10 * b * k);
    const leaning = structuredClone(still);
    leaning.name = 'leaning';
    for (let k = 0; k < 3; k++) leaning.locals![10 * (k * b + 1)] = 0.5;
    model.clips = [
      { ...still, transforms: poses(still.locals!) },
      { ...leaning, transforms: poses(leaning.locals!) },
    ];
    const { asset } = await written(model, { weights: 'float' });
    expectSamePoses(asset.models[0], model, 1e-6);
  });

  it('interpolates rotations the short way: neighbouring keys are on one side', async () => {
    const model = tubeModel();
    const { locals } = model.clips[0];
    for (let at = 3; at < locals!.length; at += 20) for (let c = 0; c < 4; c++) locals![at + c] *= -1;
    const { asset } = await written(model, { weights: 'float' });
    expectSamePoses(asset.models[0], model, 1e-6);
    const got = asset.models[0].clips[0].locals!;
    const stride = 10 * model.skeleton.parents.length;
    for (let at = stride; at < got.length; at += 10) {
      let dot = 0;
      for (let c = 3; c < 7; c++) dot += got[at + c] * got[at - stride + c];
      expect(dot).toBeGreaterThan(0);
    }
  });

  it('finds local poses of clips that only have matrices', async () => {
    const model = tubeModel();
    model.clips = model.clips.map(({ locals: _, ...clip }) => clip);
    // The last bone's scale makes no shear, since nothing hangs below it.
    const { asset } = await written(model, { weights: 'float' });
    expectSamePoses(asset.models[0], model, 1e-5);
  });

  it('refuses matrices with shear', async () => {
    const model = tubeModel();
    const [{ locals: _, ...clip }] = model.clips;
    const transforms = clip.transforms.slice();
    transforms[1] += 0.1;
    model.clips = [{ ...clip, transforms }];
    await expect(writeModelGlb(model)).rejects.toThrow(
      /^writeModelGlb: clip "wave", bone 0 \("bone 0"\): not translation, rotation and scale at key 0 \(got a shear of /,
    );
  });

  it('gives free joints a common root, which reading takes away again', async () => {
    const model = tubeModel();
    const b = model.skeleton.parents.length;
    const skeleton: Skeleton = { ...model.skeleton, parents: new Int32Array(b).fill(-1) };
    skeleton.inverseBind = bindOf(skeleton.parents, skeleton.restLocals);
    const free = { ...model, skeleton, clips: [wavingClip('wave', skeleton, 4, 3)] };
    const { bytes, asset } = await written(free, { weights: 'float' });
    expect(jsonOf(bytes).scenes![0].nodes!.length).toBe(2);
    expect([...asset.models[0].skeleton.parents]).toEqual([-1, -1, -1, -1]);
    expectSamePoses(asset.models[0], free, 1e-6);
  });

  it('plays clips of one name in several models as one animation', async () => {
    const a = tubeModel();
    const b = { ...tubeModel(5), name: 'other' };
    const { bytes, asset } = await written([a, b], { weights: 'float' });
    expect(jsonOf(bytes).animations!.map(({ name }) => name)).toEqual(['wave', 'nod']);
    expect(asset.models.map(({ name }) => name)).toEqual(['tube', 'other']);
    expectSamePoses(asset.models[0], a, 1e-6);
    expectSamePoses(asset.models[1], b, 1e-6);
  });

  it('keeps two clips of one name in one model apart', async () => {
    const model = tubeModel();
    model.clips[1].name = 'wave';
    const { asset } = await written(model);
    expect(asset.models[0].clips.map(({ name }) => name)).toEqual(['wave', 'wave 2']);
  });

  it('keeps operator and mix weights', async () => {
    const model = tubeModel();
    model.operator = 'mix';
    model.mixWeights = Float32Array.from({ length: model.mesh.positions.length / 3 }, (_, i) => (i % 7) / 6);
    const { asset, report } = await written(model);
    expect(asset.models[0].operator).toBe('mix');
    expect(asset.models[0].mixWeights).toEqual(model.mixWeights);
    expect(report.notes).toEqual([note('players-blend-linearly', { operator: 'mix' }, 'tube')]);
  });

  it('says what was lost when influences are dropped', async () => {
    const { asset, report } = await written(tubeModel(6, 6), { influences: 2 });
    expect(asset.models[0].weights.influences).toBe(2);
    expect(report.notes).toEqual([
      { code: 'influences-trimmed', data: { influences: 2, maxWeightLost: expect.any(Number) }, about: 'tube' },
    ]);
  });

  it.each(['x', 'z'] as const)('converts %s up and centimetres: every pose is the same one, in metres', async (up) => {
    const model = tubeModel();
    model.mesh.space = { up, metresPerUnit: 0.01 };
    const { asset } = await written(model, { weights: 'float' });
    const [got] = asset.models;
    const convert = (p: Float32Array) =>
      p.map((_, c) => {
        const i = c - (c % 3);
        const [x, y, z] = [p[i], p[i + 1], p[i + 2]];
        const turnedPoint = up === 'z' ? [x, z, -y] : [-y, x, z];
        return 0.01 * turnedPoint[c % 3];
      });
    const diagonal = diagonalOf(got.mesh.positions);
    expect(largestDistance(got.mesh.positions, convert(model.mesh.positions))).toBeLessThan(1e-6 * diagonal);
    got.clips.forEach((clip, c) => {
      for (let k = 0; k < clip.times.length; k++) {
        const expected = convert(naiveLbs(model, clipFrame(model.clips[c], k)));
        expect(largestDistance(naiveLbs(got, clipFrame(clip, k)), expected)).toBeLessThan(1e-5 * diagonal);
      }
    });
    // Bones keep scale 1: units live in translations.
    expect(got.skeleton.restLocals[7]).toBeCloseTo(1, 6);
  });

  it('refuses options and models it cannot write', async () => {
    const nine = writeModelGlb(tubeModel(), { influences: 9 });
    await expectRefusal(nine, 'bad-option', { option: 'influences', values: [9, 1, 8] });
    const empty = tubeModel();
    empty.mesh = {
      ...empty.mesh,
      triangles: new Uint32Array(0),
      seams: undefined,
      groups: undefined,
      uvs: undefined,
      normals: undefined,
    };
    await expectRefusal(writeModelGlb(empty), 'bad-input', { values: ['tube'] });
    const late = tubeModel();
    late.clips[0].times = late.clips[0].times.map((t) => t + 1e9);
    await expectRefusal(writeModelGlb(late), 'bad-input', { values: ['float32'] });
  });

  it('moves clips that start before 0', async () => {
    const model = tubeModel();
    const { times } = model.clips[0];
    model.clips[0].times = times.map((t) => t - 1);
    const { asset, report } = await written(model);
    expect(asset.models[0].clips[0].times[0]).toBe(0);
    expect(report.notes).toEqual([note('start-moved', { seconds: -1 }, 'wave')]);
  });
});
