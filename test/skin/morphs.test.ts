import { describe, expect, it } from 'vitest';
import { identity34 } from '../../src/math/matrix34.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { type Clip, clipMorphWeights } from '../../src/model/skeleton.ts';
import { SKIN_OPERATORS, type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { ClipSampler, morphWeightsAt } from '../../src/skin/poses.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { refusal } from '../refusal.ts';
import { farthest, randomPose, randomRig } from './rigs.ts';
import { skin } from './skin.ts';

/** A random rig with three morphs, far from the origin; with seams every other vertex is split, and one is loose. */
function morphedRig(seed: number, seams = false): SkinnedModel {
  const vertices = 103;
  const rig = randomRig({ seed, vertices, offset: [5, -7, 3] });
  const random = seededRandom(seed + 1);
  rig.morphs = ['a', 'b', 'c'].map((name) => ({
    name,
    positions: Float32Array.from({ length: 3 * vertices }, () => 0.2 * randomNormal(random)),
  }));
  if (seams) {
    const split = Array.from({ length: vertices - 1 }, (_, i) => i).filter((i) => i % 2 === 0);
    const vertexOf = [...Array.from({ length: vertices - 1 }, (_, i) => i), ...split].reverse();
    rig.mesh.triangles = Uint32Array.of(0, 1, 2);
    const first = (i: number) => vertexOf.indexOf(i);
    rig.mesh.seams = { vertexOf: Uint32Array.from(vertexOf), triangles: Uint32Array.of(first(0), first(1), first(2)) };
    rig.mesh.normals = Float32Array.from({ length: 3 * vertexOf.length }, (_, c) => (c % 3 === 0 ? 1 : 0));
  }
  validateModel(rig);
  return rig;
}

const WEIGHTS = Float32Array.of(0.7, 0, -1.6);

const KERNELS = SKIN_OPERATORS.flatMap((operator) =>
  (['wasm', 'typescript'] as const).map((kernel) => ({ operator, kernel })),
).filter(({ operator, kernel }) => operator !== 'dib' || kernel === 'typescript');

describe.each(KERNELS)('morphs under $operator, $kernel kernel', ({ operator, kernel }) => {
  it.each([false, true])('equal the plain operator on morphed positions, seams: %s', (seams) => {
    const rig = morphedRig(10, seams);
    const pose = randomPose(rig, { seed: 11, angle: 2, scale: 1.5 });
    const tolerance = 1e-5 * diagonalOf(rig.mesh.positions);
    const plain = skinPlain(rig, pose, { operator, morphWeights: WEIGHTS });
    for (const normals of [true, false]) {
      const fast = skin(rig, pose, { operator, kernel, normals, morphWeights: WEIGHTS });
      expect(farthest(fast.positions, plain.positions)).toBeLessThan(tolerance);
      rig.mesh.seams?.vertexOf.forEach((i, w) => {
        if (normals)
          expect(fast.splitPositions!.slice(3 * w, 3 * w + 3)).toEqual(fast.positions.slice(3 * i, 3 * i + 3));
      });
    }
    expect(farthest(plain.positions, skinPlain(rig, pose, { operator }).positions)).toBeGreaterThan(0.1);
  });
});

describe('skinPlain with morphs', () => {
  it('is the pose of a model whose rest pose is the morphed one, with the normals of the plain one', () => {
    const rig = morphedRig(20);
    const pose = randomPose(rig, { seed: 21 });
    const moved = rig.mesh.positions.map((x, c) =>
      rig.morphs!.reduce((sum, { positions }, m) => sum + WEIGHTS[m] * positions[c], x),
    );
    const expected = skinPlain({ ...rig, mesh: { ...rig.mesh, positions: moved } }, pose);
    const { positions, normals } = skinPlain(rig, pose, { operator: 'lbs', morphWeights: WEIGHTS });
    expect(farthest(positions, expected.positions)).toBeLessThan(1e-5);
    expect(normals).toEqual(expected.normals);
  });
});

describe('Skinner with morphs', () => {
  const rig = morphedRig(30);
  const pose = randomPose(rig, { seed: 31 });

  it.each(['wasm', 'typescript'] as const)('forgets the weights of the pose before, %s', (kernel) => {
    const skinner = new Skinner(rig, { kernel });
    const without = skinner.pose(pose).positions.slice();
    expect(without).toEqual(skin({ ...rig, morphs: undefined }, pose, { kernel }).positions);
    const once = skinner.pose(pose, undefined, WEIGHTS).positions.slice();
    expect(farthest(once, without)).toBeGreaterThan(0.1);
    expect(skinner.pose(pose, undefined, WEIGHTS).positions).toEqual(once);
    expect(skinner.pose(pose).positions).toEqual(without);
    skinner.pose(pose, undefined, Float32Array.of(3, 3, 3));
    expect(skinner.pose(pose, undefined, WEIGHTS).positions).toEqual(once);
    expect(skinner.pose(pose, undefined, new Float32Array(3)).positions).toEqual(without);
  });

  it('refuses weights that do not fit the model', () => {
    const skinner = new Skinner(rig);
    expect(() => skinner.pose(pose, undefined, Float32Array.of(1))).toThrow(refusal('bad-input', { values: [1, 3] }));
    expect(() => skinner.pose(pose, undefined, Float32Array.of(0, Number.NaN, 0))).toThrow(
      'pose: morph 1 (got weight NaN, expected finite)',
    );
    expect(() => skin({ ...rig, morphs: undefined }, pose, { morphWeights: WEIGHTS })).toThrow(
      refusal('bad-input', { values: [3, 0] }),
    );
  });

  it('leaves model and weights as they were', () => {
    const before = structuredClone(rig);
    skin(rig, pose, { morphWeights: WEIGHTS });
    expect(rig).toEqual(before);
    expect(WEIGHTS).toEqual(Float32Array.of(0.7, 0, -1.6));
  });
});

describe('clips with morph weights', () => {
  const rig = morphedRig(40);
  const clip: Clip = {
    name: 'talk',
    times: steadyTimes(3, 2),
    transforms: Float32Array.from([...identity34(7), ...randomPose(rig, { seed: 41 }), ...identity34(7)]),
    morphWeights: Float32Array.of(0, 0, 0, 1, -0.5, 0.25, 0, 2, 0),
  };
  rig.clips = [clip, { ...clip, name: 'mute', morphWeights: undefined }];
  validateModel(rig);

  it('pose sequences frame by frame, in any order', async () => {
    const sequence = posedSequence(rig, 'talk');
    const mute = posedSequence(rig, 'mute');
    for (const k of [1, 0, 2, 1]) {
      const transforms = clip.transforms.slice(84 * k, 84 * (k + 1));
      const morphWeights = clip.morphWeights!.slice(3 * k, 3 * (k + 1));
      expect(clipMorphWeights(clip, k)).toEqual(morphWeights);
      expect(await sequence.readFrame(k)).toEqual(skin(rig, transforms, { morphWeights, normals: false }).positions);
      expect(await mute.readFrame(k)).toEqual(skin(rig, transforms, { normals: false }).positions);
    }
    expect(clipMorphWeights(rig.clips[1], 1)).toBeUndefined();
  });

  it('are linear between keys and stand still outside', () => {
    const sampler = new ClipSampler(rig.skeleton, clip);
    const out = new Float32Array(3);
    const at = (time: number) => [...sampler.morphWeightsAt(time, out)];
    expect(at(0.25)).toEqual([0.5, -0.25, 0.125]);
    expect(at(0.5)).toEqual([1, -0.5, 0.25]);
    expect(at(0.625)).toEqual([0.75, 0.125, 0.1875]);
    expect(at(-1)).toEqual([0, 0, 0]);
    expect(at(9)).toEqual([0, 2, 0]);
    expect(morphWeightsAt(clip, 0.25)).toEqual(Float32Array.of(0.5, -0.25, 0.125));
    expect(morphWeightsAt(rig.clips[1], 0.25)).toBeUndefined();
    expect(new ClipSampler(rig.skeleton, rig.clips[1]).morphWeightsAt(0.5, out.fill(7))).toEqual(new Float32Array(3));
  });
});
