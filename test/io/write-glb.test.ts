import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENERATOR } from '../../src/io/glb/document.ts';
import type { ModelGlbOptions } from '../../src/io/glb/options.ts';
import { canonicalInfluences } from '../../src/io/influences.ts';
import { writeMeshGlb, writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { largestRemainders } from '../../src/math/integer-simplex.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { splitVertices } from '../../src/mesh/seams.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { clipFrame, type Skeleton } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { expectValidGlb } from '../validate-glb.ts';
import {
  bindOf,
  jsonOf,
  largestDistance,
  naiveLbs,
  packageVersion,
  readGlb,
  tubeMesh,
  tubeModel,
  wavingClip,
} from './gltf-fixtures.ts';

/** Each triangle starting at its smallest corner: compression may turn triangles. */
function turned(triangles: Uint32Array): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, f) => {
    const t = [...triangles.subarray(3 * f, 3 * f + 3)];
    const first = t.indexOf(Math.min(...t));
    return [...t.slice(first), ...t.slice(0, first)];
  });
}

function expectSameMesh(got: Mesh, expected: Mesh): void {
  expect(got.positions).toEqual(expected.positions);
  expect(turned(got.triangles)).toEqual(turned(expected.triangles));
  expect(got.seams?.vertexOf).toEqual(expected.seams?.vertexOf);
  expect(turned(splitVertices(got).triangles)).toEqual(turned(splitVertices(expected).triangles));
  expect(got.groups).toEqual(expected.groups);
  expect(got.materials).toEqual(expected.materials);
  for (const name of ['uvs', 'normals'] as const) {
    expect(got[name]?.length).toBe(expected[name]?.length);
    for (const [c, x] of (got[name] ?? []).entries()) expect(x).toBeCloseTo(expected[name]![c], 6);
  }
}

/** Poses agree at every key of every clip. */
function expectSamePoses(got: SkinnedModel, expected: SkinnedModel, tolerance: number): void {
  const diagonal = diagonalOf(expected.mesh.positions);
  expect(got.clips.map((clip) => clip.name)).toEqual(expected.clips.map((clip) => clip.name));
  got.clips.forEach((clip, c) => {
    expect([...clip.times]).toEqual([...expected.clips[c].times]);
    for (let k = 0; k < clip.times.length; k++) {
      const ours = naiveLbs(got, clipFrame(clip, k));
      const theirs = naiveLbs(expected, clipFrame(expected.clips[c], k));
      expect(largestDistance(ours, theirs) / diagonal, `${clip.name} key ${k}`).toBeLessThan(tolerance);
    }
  });
}

const written = async (model: SkinnedModel | SkinnedModel[], options: Partial<ModelGlbOptions> = {}) => {
  const { bytes, report } = await writeModelGlb(model, options);
  await expectValidGlb(bytes);
  return { bytes, report, asset: await readGlb(bytes) };
};

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

  it('gives the same bytes every time, says who wrote it, and leaves its input alone', async () => {
    const model = tubeModel();
    const before = structuredClone(model);
    const a = await writeModelGlb(model);
    const b = await writeModelGlb(structuredClone(model));
    expect(a.bytes).toEqual(b.bytes);
    expect(model).toEqual(before);
    expect(jsonOf(a.bytes).asset.generator).toBe(`pliant ${packageVersion()}`);
    expect(GENERATOR).toBe(`pliant ${packageVersion()}`);
    expect(a.report.figures).toContainEqual({ name: 'size', value: a.bytes.length, unit: 'bytes' });
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
    expect(report.notes).toEqual(['tube: players of glTF blend linearly, not by mix.']);
  });

  it('says what was lost when influences are dropped', async () => {
    const { asset, report } = await written(tubeModel(6, 6), { influences: 2 });
    expect(asset.models[0].weights.influences).toBe(2);
    expect(report.notes[0]).toMatch(/^tube: 2 influences per vertex were kept; at most 0\.\d+ of a weight was lost\.$/);
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
    await expect(writeModelGlb(tubeModel(), { influences: 9 })).rejects.toThrow(
      'writeModelGlb: influences (got 9, expected a whole number from 1 to 8)',
    );
    const empty = tubeModel();
    empty.mesh = {
      ...empty.mesh,
      triangles: new Uint32Array(0),
      seams: undefined,
      groups: undefined,
      uvs: undefined,
      normals: undefined,
    };
    await expect(writeModelGlb(empty)).rejects.toThrow('tube has no triangles');
    const late = tubeModel();
    late.clips[0].times = late.clips[0].times.map((t) => t + 1e9);
    await expect(writeModelGlb(late)).rejects.toThrow('are one in float32');
  });

  it('moves clips that start before 0', async () => {
    const model = tubeModel();
    const { times } = model.clips[0];
    model.clips[0].times = times.map((t) => t - 1);
    const { asset, report } = await written(model);
    expect(asset.models[0].clips[0].times[0]).toBe(0);
    expect(report.notes).toEqual(['clip "wave" starts at -1 s, before 0, and was moved to start at 0.']);
  });
});

/** The tube, bending more and more: P frames. */
function bending(mesh: Mesh, frames: number): Float32Array[] {
  return Array.from({ length: frames }, (_, k) =>
    mesh.positions.map((x, c) => (c % 3 === 0 ? x + 0.1 * (k + 1) * mesh.positions[c + 1] ** 2 : x)),
  );
}

describe('writeSequenceGlb', () => {
  it.each(['none', 'meshopt'] as const)('write, then read, gives the same sequence: compress %s', async (compress) => {
    const rest = tubeMesh();
    const frames = bending(rest, 5);
    const times = Float64Array.of(0, 0.25, 0.5, 1, 2);
    const { bytes, report } = await writeSequenceGlb(memorySequence('bend', rest, frames, times), { compress });
    await expectValidGlb(bytes);
    const asset = await readGlb(bytes);
    expect(asset.notes).toEqual([]);
    const [got] = asset.sequences;
    expect(got.name).toBe('bend');
    expect(got.times).toEqual(times);
    expectSameMesh(got.rest, rest);
    for (let k = 0; k < 5; k++) expect(largestDistance(await got.readFrame(k), frames[k])).toBeLessThan(1e-6);
    expect(jsonOf(bytes).meshes![0].extras).toEqual({
      targetNames: ['frame 0', 'frame 1', 'frame 2', 'frame 3', 'frame 4'],
    });
    expect(report.figures).toContainEqual({ name: 'frames of bend', value: 5, unit: '' });
  });

  it('writes changes of normals when asked', async () => {
    const rest = tubeMesh();
    const sequence = memorySequence('bend', rest, bending(rest, 2));
    const { bytes } = await writeSequenceGlb(sequence, { morphNormals: true });
    await expectValidGlb(bytes);
    expect(Object.keys(jsonOf(bytes).meshes![0].primitives[0].targets![0])).toEqual(['POSITION', 'NORMAL']);
  });

  it('writes several sequences, converts their space, reports progress and can be cancelled', async () => {
    const rest: Mesh = { ...tubeMesh(), space: { up: 'z', metresPerUnit: 1 } };
    const frames = bending(rest, 3);
    const two = [memorySequence('a', rest, frames), memorySequence('b', tubeMesh(3), bending(tubeMesh(3), 3))];
    const seen: number[] = [];
    const { bytes } = await writeSequenceGlb(two, { onProgress: (done) => seen.push(done) });
    await expectValidGlb(bytes);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [a, b] = (await readGlb(bytes)).sequences;
    expect([a.name, b.name]).toEqual(['a', 'b']);
    const [x, y, z] = frames[1].subarray(27, 30);
    const point = (await a.readFrame(1)).subarray(27, 30);
    expect(largestDistance(point, [x, z, -y])).toBeLessThan(1e-6);
    await expect(writeSequenceGlb(two, { signal: { aborted: true } as AbortSignal })).rejects.toThrow(
      'writeSequenceGlb: cancelled',
    );
  });

  it('refuses what no GLB can hold', async () => {
    const huge = { ...memorySequence('huge', tubeMesh(), []), frameCount: 10_000_000 };
    await expect(writeSequenceGlb(huge)).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('writeMeshGlb', () => {
  it('write, then read, gives the same meshes: groups, materials, pictures, seams', async () => {
    const bare = { name: 'bare', positions: tubeMesh().positions, triangles: tubeMesh().triangles };
    const { bytes } = await writeMeshGlb([tubeMesh(), bare]);
    await expectValidGlb(bytes);
    const { meshes, notes } = await readGlb(bytes);
    expect(notes).toEqual([]);
    expectSameMesh(meshes[0], tubeMesh());
    expect(meshes[1].positions).toEqual(bare.positions);
    expect(meshes[1].normals).toBeUndefined();
  });

  it('leaves out what it is told to', async () => {
    const options = { normals: false, uvs: false, materials: false };
    const { bytes } = await writeMeshGlb(tubeMesh(), options);
    await expectValidGlb(bytes);
    const { meshes, materials, images } = jsonOf(bytes);
    expect(Object.keys(meshes![0].primitives[0].attributes)).toEqual(['POSITION']);
    expect([materials, images]).toEqual([undefined, undefined]);
  });

  it('writes a unit normal where a mesh has none, and says so', async () => {
    const mesh = tubeMesh();
    mesh.normals!.fill(0, 0, 6);
    const { bytes, report } = await writeMeshGlb(mesh);
    await expectValidGlb(bytes);
    expect(report.notes).toEqual(['tube: 2 normals had no length and were written as +z.']);
  });

  it('uses 32-bit indices only when it must', async () => {
    const indexKind = async (mesh: Mesh) => {
      const json = jsonOf((await writeMeshGlb(mesh)).bytes);
      return json.accessors![json.meshes![0].primitives[0].indices!].componentType;
    };
    expect(await indexKind(tubeMesh())).toBe(5123);
    expect(await indexKind(tubeMesh(700, 99))).toBe(5125);
  });
});

describe('influences', () => {
  const rows = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
    .filter((row) => row.some((w) => w > 1e-3));

  it('rounded weights sum exactly, stay within one step, and 0 stays 0', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(255, 65535), (row, levels) => {
        const sum = row.reduce((a, b) => a + b, 0);
        const exact = row.map((w) => w / sum).sort((a, b) => b - a);
        const rounded = Float64Array.from(exact);
        const used = exact.filter((w) => w > 0).length;
        largestRemainders(rounded, used, levels);
        expect(rounded.reduce((a, b) => a + b, 0)).toBe(levels);
        rounded.forEach((w, s) => {
          expect(Math.abs(w - exact[s] * levels)).toBeLessThan(1 + 1e-9);
          if (exact[s] === 0) expect(w).toBe(0);
        });
      }),
    );
  });

  it('canonical influences add up equal joints, fall, and are the same for any order', () => {
    const pairs = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(0, 0.125, 0.25, 0.5)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pairs, fc.nat(7), (given, turn) => {
        const order = [...given.slice(turn % given.length), ...given.slice(0, turn % given.length)];
        const bring = (from: typeof given) => {
          const joints = Uint16Array.from(from, ([j]) => j);
          const weights = Float64Array.from(from, ([, w]) => w);
          const used = canonicalInfluences(joints, weights, from.length);
          return { joints, weights, used };
        };
        const a = bring(given);
        expect(bring(order)).toEqual(a);
        for (let s = 1; s < given.length; s++) expect(a.weights[s]).toBeLessThanOrEqual(a.weights[s - 1]);
        for (let j = 0; j <= 5; j++) {
          const total = given.filter(([joint]) => joint === j).reduce((sum, [, w]) => sum + w, 0);
          const slot = a.joints.subarray(0, a.used).indexOf(j);
          expect(slot < 0 ? 0 : a.weights[slot]).toBe(total);
        }
      }),
    );
  });
});
