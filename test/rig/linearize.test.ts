import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { envelopingError } from '../../src/measure/enveloping.ts';
import { boneCount, LOCAL_STRIDE } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { type LinearizeInput, type LinearizeResult, linearize } from '../../src/rig/linearize/linearize.ts';
import { posedSequence } from '../../src/skin/skin.ts';
import { clipOf, printedExample, smallSample, twist } from './linearize-rigs.ts';

const box = await smallSample('box', 150, 8);
const tube = await smallSample('tube', 150, 8);

async function run(model: SkinnedModel, input: LinearizeInput): Promise<LinearizeResult> {
  const { result } = await linearize(model, input);
  validateModel(result.model);
  return result;
}

/** Everything turned, scaled and moved: bones and mesh alike. */
function transformed(model: SkinnedModel, scale: number): SkinnedModel {
  const { skeleton } = model;
  const inverseBind = skeleton.inverseBind.map((x, c) => (c % 4 === 3 ? x * scale : x));
  const scaled = (locals: Float32Array): Float32Array => locals.map((x, c) => (c % LOCAL_STRIDE < 3 ? x * scale : x));
  const transforms = (values: Float32Array): Float32Array => values.map((x, c) => (c % 4 === 3 ? x * scale : x));
  return {
    ...model,
    mesh: { ...model.mesh, positions: model.mesh.positions.map((x) => x * scale) },
    skeleton: { ...skeleton, inverseBind, restLocals: scaled(skeleton.restLocals) },
    clips: model.clips.map((clip) => ({
      ...clip,
      locals: scaled(clip.locals!),
      transforms: transforms(clip.transforms),
    })),
  };
}

describe('linearize', () => {
  it('finds the weights that the document prints for one blend bone (Table 2)', async () => {
    const { model, envelopingError: error } = await run(printedExample(), {
      training: 'clips',
      blendBones: 1,
      regularization: 0,
      sparsity: 0,
    });
    const [blend] = model.blendBones!.bones;
    expect(Array.from(blend.weights)).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.5, 2)]);
    const { joints, weights, influences } = model.weights;
    const weightOn = (i: number, bone: number): number => {
      let sum = 0;
      for (let s = i * influences; s < (i + 1) * influences; s++) if (joints[s] === bone) sum += weights[s];
      return sum;
    };
    // The middle vertex follows the blend bone alone. The document halves the others' weights, as if a quarter of the
    // weight were a quarter of the turn: by dual quaternions it is 2·atan ⅓, and the nearest point of the chord lies at 0.4.
    expect([weightOn(0, 0), weightOn(0, 1), weightOn(0, blend.bone)]).toEqual([
      expect.closeTo(0.6, 2),
      expect.closeTo(0, 6),
      expect.closeTo(0.4, 2),
    ]);
    expect(weightOn(1, blend.bone)).toBeCloseTo(1, 3);
    expect(weightOn(2, blend.bone)).toBeCloseTo(0.4, 2);
    expect(error).toBeLessThan(25);
  });

  it('lowers the error with every bone, and comes close to the operator', async () => {
    const result = await run(box, { training: 'clips', blendBones: 4 });
    const { curve } = result;
    expect(curve).toHaveLength(5);
    for (let b = 1; b < curve.length; b++) expect(curve[b]).toBeLessThan(curve[b - 1]);
    expect(result.envelopingError).toBeLessThan(0.08 * result.envelopingErrorLbs);
    expect(result.model.operator).toBe('lbs');
    expect(boneCount(result.model.skeleton)).toBe(boneCount(box.skeleton) + 4);
  });

  it('reports the error that measuring the output gives', async () => {
    const result = await run(box, { training: 'clips', trainingFrames: 0, blendBones: 3, keys: 'given' });
    for (const [c, clip] of box.clips.entries()) {
      const exact = posedSequence(box, c, { operator: 'dqs' });
      const linear = posedSequence(result.model, c, { operator: 'lbs' });
      const { result: measured } = await envelopingError(exact, linear, box, clip);
      expect(result.clips[c].linearized).toBeCloseTo(measured.percent!, 6);
    }
    // All frames of both clips were trained with: the whole lies between its parts.
    const errors = result.clips.map(({ linearized }) => linearized!);
    expect(result.envelopingError).toBeGreaterThan(Math.min(...errors) - 0.01);
    expect(result.envelopingError).toBeLessThan(Math.max(...errors) + 0.01);
  });

  it('does not depend on the size of the model', async () => {
    const options = { training: 'clips', blendBones: 2, keys: 'given' } as const;
    const small = await run(tube, options);
    const large = await run(transformed(tube, 1024), options);
    expect(large.envelopingError).toBeCloseTo(small.envelopingError, 3);
    expect(large.model.blendBones!.bones.map(({ masters }) => Array.from(masters))).toEqual(
      small.model.blendBones!.bones.map(({ masters }) => Array.from(masters)),
    );
  });

  it('gives the same for the same seed, and leaves its input alone', async () => {
    const before = structuredClone(tube);
    const [a, b] = [await run(tube, { blendBones: 2 }), await run(tube, { blendBones: 2 })];
    expect(a.model).toEqual(b.model);
    expect(tube).toEqual(before);
  });

  it('keeps to the number of influences', async () => {
    for (const influences of [2, 3]) {
      const { model } = await run(tube, { training: 'clips', blendBones: 3, influences });
      expect(model.weights.influences).toBeLessThanOrEqual(influences);
    }
  });

  it('stops by error, by plateau and where nothing more is gained', async () => {
    const byError = await run(box, { training: 'clips', blendBones: 8, maxEnvelopingError: 25 });
    expect(byError.stopped).toBe('error');
    expect(byError.envelopingError).toBeLessThanOrEqual(25 * 1.02);
    expect(byError.curve[byError.curve.length - 2]).toBeGreaterThan(25);
    const byPlateau = await run(box, { training: 'clips', blendBones: 8, plateau: 0.6 });
    expect(byPlateau.stopped).toBe('plateau');
    expect(byPlateau.model.blendBones!.bones.length).toBeLessThan(8);
  });

  it('weights solved exactly are at least as good as by least squares with a soft sum', async () => {
    const { envelopingErrorBySolver: bySolver } = await run(tube, { training: 'clips', blendBones: 4 });
    expect(bySolver.exact).toBeLessThanOrEqual(bySolver.nnls + 1e-6);
    expect(bySolver.nnls).toBeLessThan(2 * bySolver.exact);
  });

  it('beats one half-way bone per joint (Mohr & Gleicher) with as many bones', async () => {
    const base = await run(tube, { training: 'clips', method: 'mohr-gleicher' });
    expect(base.model.blendBones!.bones).toHaveLength(3);
    expect(base.envelopingError).toBeLessThan(base.envelopingErrorLbs);
    const ours = await run(tube, { training: 'clips', blendBones: 3 });
    expect(ours.envelopingError).toBeLessThan(base.envelopingError);
  });

  it('begins as printed too: three samples per degree of freedom', async () => {
    const printed = await run(box, { training: 'clips', blendBones: 3, sampling: 'uniform' });
    expect(printed.envelopingError).toBeLessThan(0.15 * printed.envelopingErrorLbs);
  });
});

describe('operators', () => {
  it('sdqs: bones that scale, as chains of two nodes', async () => {
    const model: SkinnedModel = { ...box, clips: [] };
    model.clips = [
      clipOf(model, 'grow', 6, (locals, k) => {
        twist(locals, 1, 0.5 * k);
        locals.set([1 + 0.1 * k, 1 - 0.05 * k, 1], LOCAL_STRIDE + 7);
      }),
    ];
    const result = await run(model, { operator: 'sdqs', training: 'clips', blendBones: 3, keys: 'given' });
    expect(result.envelopingError).toBeLessThan(0.2 * result.envelopingErrorLbs);
    const { skeleton, blendBones } = result.model;
    expect(boneCount(skeleton)).toBe(2 + 6);
    for (const { bone } of blendBones!.bones) expect(skeleton.parents[bone]).toBe(bone - 1);
    expect(result.clips[0].linearized).toBeLessThan(0.2 * result.clips[0].lbs!);
  });

  it('dqs refuses bones that scale, and says what to do', async () => {
    const model: SkinnedModel = { ...box, clips: [] };
    model.clips = [clipOf(model, 'grow', 2, (locals, k) => locals.set([1 + k, 1, 1], LOCAL_STRIDE + 7))];
    await expect(linearize(model, {})).rejects.toThrow(/bone "upper" scales in clip "grow", frame 1.*sdqs/);
  });

  it('dib: turns beyond 180°, trained with itself or with dual quaternions below', async () => {
    const model: SkinnedModel = { ...box, clips: [] };
    model.clips = [clipOf(model, 'far', 12, (locals, k) => twist(locals, 1, (k * 350 * Math.PI) / 180 / 11))];
    const options = { operator: 'dib', antipodality: false, training: 'clips', blendBones: 5, keys: 'given' } as const;
    const own = await run(model, options);
    expect(own.envelopingError).toBeLessThan(12);
    const withDqs = await run(model, { ...options, trainWith: 'dqs' });
    expect(withDqs.envelopingError).toBeLessThan(20);
    expect(own.clips[0].linearized).toBeLessThan(12);
  });
});

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
    const { result, report } = await linearize(rigid, {});
    expect(result.model.blendBones).toBeUndefined();
    expect(result.model.clips).toHaveLength(box.clips.length);
    expect(report.notes.join()).toMatch(/linear blending is exact/);
    for (const { lbs, linearized } of result.clips) expect([lbs, linearized]).toEqual([undefined, undefined]);
  });

  it('an enveloping error that takes more blend bones than allowed: said so', async () => {
    const asked = await linearize(box, { training: 'clips', blendBones: 1, maxEnvelopingError: 1, measure: false });
    expect(asked.result.stopped).toBe('number');
    expect(asked.report.notes).toEqual(['box: an enveloping error of 1 % takes more than 1 blend bone']);
  });

  it('a training motion in which nothing bends: no blend bones, and said so', async () => {
    const still = clipOf(box, 'still', 2, () => {});
    const { result, report } = await linearize(box, { trainingClips: [still] });
    expect(result.model.blendBones).toBeUndefined();
    expect(report.notes.join()).toMatch(/nothing deforms/);
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
    const result = await run({ ...box, skeleton, weights, clips: [] }, { blendBones: 2 });
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
    const result = await run(mirrored, { training: 'clips', blendBones: 2 });
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
      const result = await run(odd, { ...options, operator });
      const plain = await run(box, { ...options, operator });
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
    const result = await run(twice, { training: 'clips', blendBones: 3 });
    expect(result.envelopingError).toBeLessThan(0.15 * result.envelopingErrorLbs);
  });

  it('a rig that has blend bones already is refused', async () => {
    const { model } = await run(box, { blendBones: 1 });
    await expect(linearize(model, {})).rejects.toThrow(/has blend bones already/);
  });

  it('weights that are negative or do not sum to 1 are refused: readers repair or refuse them', async () => {
    const changed = (change: (w: number, s: number) => number): SkinnedModel => ({
      ...box,
      weights: { ...box.weights, weights: box.weights.weights.map(change) },
    });
    await expect(linearize(changed((w) => 2 * w))).rejects.toThrow(/sum to 2/);
    await expect(linearize(changed((w, s) => (s === 1 ? -0.5 : w)))).rejects.toThrow(/weight -0.5/);
  });

  it('no clips to train with: one clear error', async () => {
    await expect(linearize({ ...box, clips: [] }, { training: 'clips' })).rejects.toThrow(/no clips to train with/);
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(linearize(box, { signal: controller.signal })).rejects.toThrow(PliantError);
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
    const [clip] = (await run(sparse, { training: 'clips', blendBones: 3 })).clips;
    expect(clip.keys.written).toBeGreaterThan(clip.keys.given);
    expect(clip.halfWay).toBeLessThan(1.1 * clip.linearized! + 0.1);
  });

  it('are those given, or steady, when asked for', async () => {
    const given = await run(sparse, { training: 'clips', blendBones: 2, keys: 'given' });
    expect(Array.from(given.model.clips[0].times)).toEqual(Array.from(sparse.clips[0].times));
    const steady = await run(sparse, { training: 'clips', blendBones: 2, keys: 'steady', framesPerSecond: 60 });
    expect(steady.model.clips[0].times).toHaveLength(6);
  });
});
