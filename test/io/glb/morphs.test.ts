import { describe, expect, it } from 'vitest';
import { type ModelGlbOptions, SMALL_MODEL_GLB } from '../../../src/io/glb/options.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { expandToSplit } from '../../../src/mesh/seams.ts';
import { type Clip, clipFrame, clipMorphWeights } from '../../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../../src/model/skinned-model.ts';
import { morphWeightsAt, poseAt } from '../../../src/skin/poses.ts';
import { loadInThree, threeVertices, withoutTextures } from '../../three-scene.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { jsonOf, largestDistance, morphedTube, naiveLbs, readGlb } from '../gltf/fixtures.ts';

const written = async (model: SkinnedModel | SkinnedModel[], options: Partial<ModelGlbOptions> = {}) => {
  const { bytes, orders } = await writeModelGlb(model, options);
  await expectValidGlb(bytes);
  const asset = await readGlb(bytes);
  for (const got of asset.models) validateModel(got);
  return { bytes, orders, asset };
};

/** Values of vertices, per split vertex in the order in which the file has them. */
function stored(model: SkinnedModel, values: Float32Array, order?: Uint32Array): Float32Array {
  const split = model.mesh.seams ? expandToSplit(values, 3, model.mesh.seams) : values;
  return order ? Float32Array.from(split, (_, c) => split[3 * order[Math.floor(c / 3)] + (c % 3)]) : split;
}

const posed = (model: SkinnedModel, clip: Clip, k: number) =>
  naiveLbs(model, clipFrame(clip, k), clipMorphWeights(clip, k));

const between = (model: SkinnedModel, clip: Clip, time: number) =>
  naiveLbs(model, poseAt(model.skeleton, clip, time), morphWeightsAt(clip, time));

/** Every combination of what changes how morphs are stored. */
const STORAGE = [false, true].flatMap((reorder) =>
  [false, true].flatMap((quantize) =>
    (['none', 'meshopt'] as const).map((compress) => ({ reorder, quantize, compress })),
  ),
);

describe('morphs of a model, written and read', () => {
  it.each(STORAGE)('are the same: reorder $reorder, quantize $quantize, $compress', async (options) => {
    const model = morphedTube();
    const before = structuredClone(model);
    const { asset, orders } = await written(model, { weights: 'float', ...options });
    expect(model).toEqual(before);
    expect(asset.notes).toEqual([]);
    const [got] = asset.models;
    const diagonal = diagonalOf(model.mesh.positions);
    const exact = !options.quantize;

    expect(got.morphs!.map(({ name }) => name)).toEqual(['bulge', 'shear', 'unused']);
    for (const [m, { positions }] of got.morphs!.entries()) {
      const ours = stored(got, positions);
      const theirs = stored(model, model.morphs![m].positions, orders[0]);
      expect(largestDistance(ours, theirs) / diagonal).toBeLessThanOrEqual(exact ? 0 : 6e-5);
    }
    expect(got.clips.map(({ name }) => name)).toEqual(['wave', 'nod']);
    expect(got.clips[0].times).toEqual(model.clips[0].times);
    if (exact) expect(got.clips[0].morphWeights).toEqual(model.clips[0].morphWeights);
    got.clips[0].morphWeights!.forEach((weight, w) => {
      expect(Math.abs(weight - model.clips[0].morphWeights![w])).toBeLessThan(1e-4);
    });
    expect(got.clips[1].morphWeights).toBeUndefined();
    for (const [c, clip] of got.clips.entries()) {
      for (let k = 0; k < clip.times.length; k++) {
        const theirs = stored(model, posed(model, model.clips[c], k), orders[0]);
        const error = largestDistance(stored(got, posed(got, clip, k)), theirs) / diagonal;
        expect(error, `${clip.name} key ${k}`).toBeLessThan(exact ? 1e-6 : 3e-4);
      }
    }
  });

  it.each([{}, SMALL_MODEL_GLB])('and in three.js at keys and half-way: %o', async (options) => {
    const model = morphedTube();
    const { bytes, orders } = await written(model, { weights: 'float', ...options });
    const three = await loadInThree(withoutTextures(bytes));
    const diagonal = diagonalOf(model.mesh.positions);
    for (const clip of model.clips) {
      const theirs = three.animations.find(({ name }) => name === clip.name)!;
      for (let k = 0; k < clip.times.length - 0.5; k += 0.5) {
        const next = Math.min(Math.ceil(k), clip.times.length - 1);
        const time = (clip.times[Math.floor(k)] + clip.times[next]) / 2;
        three.pose(theirs, time);
        const ours = stored(model, between(model, clip, time), orders[0]);
        // Both groups of the tube are over the same vertices.
        for (const mesh of three.meshes) {
          const error = largestDistance(threeVertices([mesh]), ours) / diagonal;
          expect(error, `${clip.name} at ${time}`).toBeLessThan(options === SMALL_MODEL_GLB ? 4e-4 : 1e-5);
        }
      }
    }
  });

  it.each(['x', 'z'] as const)('turn and scale with the model from %s up and centimetres', async (up) => {
    const model = morphedTube();
    model.mesh.space = { up, metresPerUnit: 0.01 };
    for (const options of [{}, { quantize: true }]) {
      const [got] = (await written(model, { weights: 'float', ...options })).asset.models;
      const turn = (v: Float32Array) => {
        const out = v.slice();
        for (let i = 0; i < v.length; i += 3) {
          const [x, y, z] = v.subarray(i, i + 3);
          out.set(
            (up === 'z' ? [x, z, -y] : [-y, x, z]).map((c) => c / 100),
            i,
          );
        }
        return out;
      };
      for (let k = 0; k < 9; k++) {
        const expected = turn(posed(model, model.clips[0], k));
        expect(largestDistance(posed(got, got.clips[0], k), expected)).toBeLessThan(options.quantize ? 8e-6 : 1e-7);
      }
    }
  });

  it('of several models stay with their own, in one animation', async () => {
    const one = morphedTube();
    const other = morphedTube(3, 3);
    other.name = 'other';
    other.morphs = other.morphs!.slice(1);
    other.clips = other.clips.map((clip) => ({
      ...clip,
      morphWeights: clip.morphWeights?.filter((_, w) => w % 3 > 0).map((w) => -w),
    }));
    const { bytes, asset } = await written([one, other]);
    expect(jsonOf(bytes).animations!.length).toBe(2);
    expect(asset.models[0].clips[0].morphWeights).toEqual(one.clips[0].morphWeights);
    expect(asset.models[1].clips[0].morphWeights).toEqual(other.clips[0].morphWeights);
    expect(asset.models[1].morphs!.map(({ name }) => name)).toEqual(['shear', 'unused']);
  });

  it('keep vertices apart that only morphs move apart', async () => {
    const model = morphedTube();
    const [a, b] = [0, 1];
    for (const values of [model.mesh.positions, ...model.morphs!.map(({ positions }) => positions)]) {
      values.copyWithin(3 * b, 3 * a, 3 * a + 3);
    }
    const { influences, joints, weights } = model.weights;
    for (const values of [joints, weights]) values.copyWithin(influences * b, influences * a, influences * (a + 1));
    const n = model.mesh.positions.length / 3;
    const vertices = async () => (await written(model)).asset.models[0].mesh.positions.length / 3;
    expect(await vertices()).toBe(n - 1);
    model.morphs![2].positions[3 * b] = 0.5;
    expect(await vertices()).toBe(n);
  });
});

describe('how morphs are stored', () => {
  const json = async (model: SkinnedModel, options: Partial<ModelGlbOptions> = {}) =>
    jsonOf((await written(model, options)).bytes);

  it('one target per morph, named, at weight 0; with sparse accessors where those are smaller', async () => {
    const model = morphedTube();
    const plain = await json(model);
    const [mesh] = plain.meshes!;
    expect(mesh.weights).toEqual([0, 0, 0]);
    expect(mesh.extras).toMatchObject({ targetNames: ['bulge', 'shear', 'unused'] });
    const sparse = (j: typeof plain) =>
      j.meshes![0].primitives[0].targets!.map((t) => !!j.accessors![t.POSITION].sparse);
    expect(mesh.primitives[1].targets).toEqual(mesh.primitives[0].targets);
    expect(sparse(plain)).toEqual([true, false, true]);
    expect(sparse(await json(model, { compress: 'meshopt' }))).toEqual([false, false, false]);
    expect((await json(model, { names: false })).meshes![0].extras).toMatchObject({
      targetNames: ['morph 0', 'morph 1', 'morph 2'],
    });
  });

  it('weights share the times of their clip; none where all stay 0, one key where all stay the same', async () => {
    const model = morphedTube();
    const [wave, nod] = model.clips;
    nod.morphWeights = new Float32Array(15);
    const file = await json(model);
    const weights = (a: number) => file.animations![a].channels.filter(({ target }) => target.path === 'weights');
    expect(weights(1)).toEqual([]);
    const { input, output } = file.animations![0].samplers[weights(0)[0].sampler];
    expect(file.accessors![output].count).toBe(27);
    expect(file.animations![0].samplers.some((other) => other.output !== output && other.input === input)).toBe(true);

    nod.morphWeights = Float32Array.from({ length: 15 }, (_, w) => [0.5, 0, -1][w % 3]);
    const { bytes, asset } = await written(model);
    const track = jsonOf(bytes).animations![1].samplers.at(-1)!;
    expect(jsonOf(bytes).accessors![track.output].count).toBe(3);
    expect(asset.models[0].clips[1].morphWeights).toEqual(nod.morphWeights);
    expect(asset.models[0].clips[0].morphWeights).toEqual(wave.morphWeights);
  });

  it('a clip in which only morphs move has the length of its weights, and its bones stay', async () => {
    const model = morphedTube();
    const [wave] = model.clips;
    const b = model.skeleton.parents.length;
    wave.locals = Float32Array.from({ length: 10 * b * 9 }, (_, c) => model.skeleton.restLocals[c % (10 * b)]);
    wave.transforms = Float32Array.from({ length: 12 * b * 9 }, (_, c) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0][c % 12]);
    model.clips = [wave];
    const { bytes, asset } = await written(model);
    expect(jsonOf(bytes).animations![0].channels.map(({ target }) => target.path)).toEqual(['weights']);
    const [got] = asset.models[0].clips;
    expect(got.times).toEqual(wave.times);
    expect(got.morphWeights).toEqual(wave.morphWeights);
    expect(largestDistance(got.locals!, wave.locals)).toBe(0);
  });

  it('weights beyond 1 and displacements beyond 16 bits: both are kept to a lattice step of the pose', async () => {
    const model = morphedTube();
    const [bulge, shear] = model.morphs!;
    bulge.positions = bulge.positions.map((x) => 4000 * x);
    shear.positions = shear.positions.map((x) => x / 4000);
    const [wave] = model.clips;
    wave.morphWeights = wave.morphWeights!.map((weight, w) => [weight / 4000, weight * 4000, 0][w % 3]);
    const { bytes, asset } = await written(model, { ...SMALL_MODEL_GLB, reorder: false, weights: 'float' });
    const { morphScales } = (jsonOf(bytes).meshes![0].extras as { pliant: { morphScales: number[] } }).pliant;
    expect(morphScales).toEqual([2 ** -9, 2 ** 14, 1]);
    const diagonal = diagonalOf(model.mesh.positions);
    const [got] = asset.models;
    for (let k = 0; k < 9; k++) {
      expect(largestDistance(posed(got, got.clips[0], k), posed(model, wave, k)) / diagonal).toBeLessThan(3e-4);
    }
    expect(got.clips[0].morphWeights![3 * 8 + 1] / wave.morphWeights![3 * 8 + 1]).toBeCloseTo(1, 4);
    expect(got.morphs![0].positions[3 * 24] / bulge.positions[3 * 24]).toBeCloseTo(1, 3);
  });

  it('a morph that moves nothing is still there', async () => {
    const model = morphedTube();
    model.morphs![0].positions.fill(0);
    for (const options of [{}, SMALL_MODEL_GLB]) {
      const [got] = (await written(model, options)).asset.models;
      expect(got.morphs![0].positions.every((x) => x === 0)).toBe(true);
      expect(got.clips[0].morphWeights!.length).toBe(27);
    }
  });
});
