import { describe, expect, it } from 'vitest';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { decomposeTrs, skinTransforms, worldMatrices } from '../../src/math/trs.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { codesOf } from '../notes.ts';
import { clipOf, linearized, smallSample, twist } from './linearize-rigs.ts';

const box = await smallSample('box', 150, 8);

describe('rigs of every kind', () => {
  it('one bone, or one bone per vertex: nothing to do, and said so', async () => {
    const rigid: SkinnedModel = {
      ...box,
      weights: {
        influences: 1,
        joints: box.weights.joints.filter((_, s) => s % box.weights.influences === 0),
        weights: new Float32Array(box.weights.joints.length / box.weights.influences).fill(1),
      },
    };
    const { report, ...result } = await linearize(rigid, {});
    expect(result.model.blendBones).toBeUndefined();
    expect(result.model.clips).toHaveLength(box.clips.length);
    expect(report.notes).toEqual([{ code: 'linear-is-exact', data: {}, about: 'box' }]);
    for (const { lbs, linearized } of result.clips) expect([lbs, linearized]).toEqual([undefined, undefined]);
  });

  it('an enveloping error that takes more blend bones than allowed: said so', async () => {
    const asked = await linearize(box, { training: 'clips', blendBones: 1, maxEnvelopingError: 1, measure: false });
    expect(asked.stopped).toBe('number');
    const data = { asked: 1, blendBones: 1 };
    expect(asked.report.notes).toEqual([{ code: 'enveloping-error-missed', data, about: 'box' }]);
  });

  it('a training motion in which nothing bends: no blend bones, and said so', async () => {
    const still = clipOf(box, 'still', 2, () => {});
    const { report, ...result } = await linearize(box, { given: { trainingClips: [still] } });
    expect(result.model.blendBones).toBeUndefined();
    expect(codesOf(report.notes)).toContain('nothing-deforms');
  });

  it('bones without parents are trained like others, by clips and by a range of motion', async () => {
    const { restLocals, inverseBind } = box.skeleton;
    const worlds = worldMatrices(box.skeleton.parents, restLocals);
    const flat = restLocals.slice();
    for (let j = 0; j < 2; j++) decomposeTrs(flat, LOCAL_STRIDE * j, worlds, MATRIX_STRIDE * j);
    const skeleton = { ...box.skeleton, parents: Int32Array.of(-1, -1), restLocals: flat };
    const loose: SkinnedModel = { ...box, skeleton, clips: [] };
    const trained = await linearized(loose, { blendBones: 2 });
    expect(trained.training.source).toBe('range-of-motion');
    expect(trained.envelopingError).toBeLessThan(0.5 * trained.envelopingErrorLbs);
    const locals = box.clips[0].locals!;
    const worldLocals = locals.slice();
    for (let k = 0; k < locals.length; k += restLocals.length) {
      const posed = worldMatrices(box.skeleton.parents, locals, k);
      for (let j = 0; j < 2; j++) decomposeTrs(worldLocals, k + LOCAL_STRIDE * j, posed, MATRIX_STRIDE * j);
    }
    const transforms = skinTransforms(skeleton.parents, inverseBind, worldLocals);
    loose.clips = [{ ...box.clips[0], locals: worldLocals, transforms }];
    const both = await linearized(loose, { blendBones: 2 });
    expect(both.training.source).toBe('both');
    expect(both.clips[0].linearized).toBeLessThan(0.5 * both.clips[0].lbs!);
  });

  it('what gains nothing is returned as it came', async () => {
    const still = clipOf(box, 'still', 2, () => {});
    const result = await linearize({ ...box, clips: [still] }, { training: 'clips' });
    expect(result.model.weights).toBe(box.weights);
    expect(result.model.skeleton).toBe(box.skeleton);
    expect(codesOf(result.report.notes)).toContain('nothing-deforms');
  });

  it('bones without vertices, and nodes above the root', async () => {
    const { names, parents, restLocals, inverseBind } = box.skeleton;
    const skeleton = {
      names: ['scene', ...names, 'marker'],
      parents: Int32Array.from([-1, ...Array.from(parents, (p) => p + 1), 2]),
      restLocals: Float32Array.from([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, ...restLocals, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1]),
      inverseBind: Float32Array.from([
        ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
        ...inverseBind,
        ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
      ]),
    };
    const weights = {
      ...box.weights,
      joints: box.weights.joints.map((j, s) => (box.weights.weights[s] > 0 ? j + 1 : 0)),
    };
    const result = await linearized({ ...box, skeleton, weights, clips: [] }, { blendBones: 2 });
    expect(result.envelopingError).toBeLessThan(0.4 * result.envelopingErrorLbs);
  });

  it('mirrored hierarchies: a root of negative scale', async () => {
    const mirrored: SkinnedModel = {
      ...box,
      skeleton: {
        ...box.skeleton,
        restLocals: box.skeleton.restLocals.slice(),
        inverseBind: box.skeleton.inverseBind.slice(),
      },
      clips: [],
    };
    mirrored.skeleton.restLocals[7] = -1;
    // Mirrored in the bind pose as well: x of every inverse bind matrix changes its sign.
    for (let j = 0; j < 2; j++) for (let c = 0; c < 4; c++) mirrored.skeleton.inverseBind[12 * j + c] *= -1;
    mirrored.clips = [clipOf(mirrored, 'twist', 5, (locals, k) => twist(locals, 1, 0.6 * k))];
    const result = await linearized(mirrored, { training: 'clips', blendBones: 2 });
    expect(result.envelopingError).toBeLessThan(0.3 * result.envelopingErrorLbs);
  });

  it('a mesh that is kept mirrored and large, for which every bone makes up', async () => {
    // C·G on G⁻¹·v: every skin matrix mirrors and shrinks.
    const scale = [-0.01, 0.01, 0.01];
    const bent = (matrices: Float32Array): Float32Array => matrices.map((x, c) => (c % 4 < 3 ? x * scale[c % 4] : x));
    const odd: SkinnedModel = {
      ...box,
      mesh: { ...box.mesh, positions: box.mesh.positions.map((x, c) => x / scale[c % 3]) },
      skeleton: { ...box.skeleton, inverseBind: bent(box.skeleton.inverseBind) },
      clips: box.clips.map((clip) => ({ ...clip, transforms: bent(clip.transforms) })),
    };
    const options = { training: 'clips', blendBones: 2, keys: 'given' } as const;
    for (const operator of ['dqs', 'sdqs'] as const) {
      const result = await linearized(odd, { ...options, operator });
      const plain = await linearized(box, { ...options, operator });
      expect(result.envelopingError).toBeCloseTo(plain.envelopingError, 2);
      const shown = await posedSequence(result.model, 0, { operator: 'lbs' }).readFrame(7);
      const expected = await posedSequence(plain.model, 0, { operator: 'lbs' }).readFrame(7);
      shown.forEach((x, c) => {
        expect(x).toBeCloseTo(expected[c], 3);
      });
    }
  });

  it('parts that do not hang together', async () => {
    const n = box.mesh.positions.length / 3;
    const twice: SkinnedModel = {
      ...box,
      mesh: {
        positions: Float32Array.from([
          ...box.mesh.positions,
          ...box.mesh.positions.map((x, c) => x + (c % 3 === 0 ? 3 : 0)),
        ]),
        triangles: Uint32Array.from([...box.mesh.triangles, ...box.mesh.triangles.map((i) => i + n)]),
      },
      weights: {
        influences: box.weights.influences,
        joints: Uint16Array.from([...box.weights.joints, ...box.weights.joints]),
        weights: Float32Array.from([...box.weights.weights, ...box.weights.weights]),
      },
    };
    const result = await linearized(twice, { training: 'clips', blendBones: 3 });
    expect(result.envelopingError).toBeLessThan(0.15 * result.envelopingErrorLbs);
  });

  it('a rig that has blend bones already is refused', async () => {
    const { model } = await linearized(box, { blendBones: 1 });
    await expect(linearize(model, {})).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('weights that are negative or do not sum to 1 are refused: readers repair or refuse them', async () => {
    const changed = (change: (w: number, s: number) => number): SkinnedModel => ({
      ...box,
      weights: { ...box.weights, weights: box.weights.weights.map(change) },
    });
    await expect(linearize(changed((w) => 2 * w))).rejects.toMatchObject({ code: 'bad-input' });
    await expect(linearize(changed((w, s) => (s === 1 ? -0.5 : w)))).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('no clips to train with: one clear error', async () => {
    await expect(linearize({ ...box, clips: [] }, { training: 'clips' })).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(linearize(box, { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('keys', () => {
  const sparse: SkinnedModel = { ...box, clips: [] };
  sparse.clips = [
    clipOf(sparse, 'quick', 3, (locals, k) => {
      twist(locals, 0, 2 * k);
      quaternionFromAxisAngle(locals, LOCAL_STRIDE + 3, 1, 0, 0, 1.2 * k);
    }),
  ];

  it('are as dense as blend bones need: half-way errors stay near those at keys', async () => {
    const stretched = clipOf(sparse, 'stretched', 3, (locals, k) => {
      quaternionFromAxisAngle(locals, LOCAL_STRIDE + 3, 1, 0, 0, 1.2 * k);
      locals.set([1 + 0.2 * k, 1, 1], 7);
    });
    const options = { operator: 'sdqs', training: 'clips', blendBones: 3 } as const;
    const { model, clips } = await linearized({ ...sparse, clips: [stretched] }, options);
    // Below bones that stretch blend bones would be sheared: they stand beside them.
    expect(model.skeleton.parents[2]).toBe(-1);
    expect(clips[0].keys.written).toBeGreaterThan(clips[0].keys.given);
    expect(clips[0].halfWay).toBeLessThan(1.1 * clips[0].linearized! + 0.1);
  });

  it('stay as they are where blend bones turn with their joints', async () => {
    const [clip] = (await linearized(sparse, { training: 'clips', blendBones: 3 })).clips;
    expect(clip.keys.written).toBe(clip.keys.given);
    expect(clip.halfWay).toBeLessThan(1.1 * clip.linearized! + 0.1);
  });

  it('are those given, or steady, when asked for', async () => {
    const given = await linearized(sparse, { training: 'clips', blendBones: 2, keys: 'given' });
    expect(Array.from(given.model.clips[0].times)).toEqual(Array.from(sparse.clips[0].times));
    const steady = await linearized(sparse, { training: 'clips', blendBones: 2, keys: 'steady', framesPerSecond: 60 });
    expect(steady.model.clips[0].times).toHaveLength(6);
  });
});
