import { describe, expect, it } from 'vitest';
import { identity34, transformPoint34 } from '../../src/math/matrix34.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { ENVELOPING_OPTIONS, envelopingError, envelopingErrors } from '../../src/measure/enveloping.ts';
import { type MeshSequence, memorySequence, steadyTimes } from '../../src/model/sequence.ts';
import type { Clip } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { grid, moved, rotationOf } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import { expectRefusal } from '../refusal.ts';

/** A grid of 3 × 3 squares whose left half follows bone 1 and right half bone 2; bone 0 is a root without vertices. */
const mesh = grid(3, 3);
const model: SkinnedModel = {
  name: 'sheet',
  mesh,
  weights: {
    influences: 2,
    joints: Uint16Array.from({ length: 32 }, (_, s) => (Math.floor(s / 2) % 4 < 2 === (s % 2 === 0) ? 1 : 2)),
    weights: Float32Array.from({ length: 32 }, (_, s) => (s % 2 === 0 ? 0.75 : 0.25)),
  },
  skeleton: {
    names: ['root', 'left', 'right'],
    parents: new Int32Array([-1, 0, 0]),
    restLocals: new Float32Array(30),
    inverseBind: identity34(3),
  },
  clips: [],
  operator: 'lbs',
};

/** A shift of bone j along x by amounts[k][j]. */
function shifts(amounts: number[][]): Clip {
  const transforms = identity34(3 * amounts.length);
  amounts.flat().forEach((amount, m) => {
    transforms[12 * m + 3] = amount;
  });
  return { name: 'shift', times: steadyTimes(amounts.length), transforms };
}

/** The frames in which every vertex follows its heaviest bone rigidly. */
function rigid(clip: Clip): Float32Array[] {
  return Array.from(clip.times, (_, k) => {
    const out = mesh.positions.slice();
    for (let i = 0; i < 16; i++) {
      transformPoint34(out, 3 * i, clip.transforms, 12 * (3 * k + model.weights.joints[2 * i]), mesh.positions, 3 * i);
    }
    return out;
  });
}
const sequenceOf = (frames: Float32Array[], name = 'test'): MeshSequence => memorySequence(name, mesh, frames);

describe('envelopingError', () => {
  validateModel(model);

  it('gives the figure computed by hand', async () => {
    // Frame 1: the right bone shifts by 2. The original moves each right vertex by 1.5 and each left one by 0.5: rigid
    // prediction is wrong by 0.5 at all 16 vertices. The approximation is wrong by 0.25 at all of them.
    const clip = shifts([
      [0, 0, 0],
      [0, 0, 2],
    ]);
    const shift = (left: number, right: number) =>
      mesh.positions.map((x, c) => (c % 3 === 0 ? x + (Math.floor(c / 3) % 4 < 2 ? left : right) : x));
    const original = sequenceOf([shift(0, 0), shift(0.5, 1.5)]);
    const approximation = sequenceOf([shift(0, 0), shift(0.25, 1.25)]);
    for (const prediction of ['best', 'heaviest'] as const) {
      const { report, ...result } = await envelopingError(original, approximation, model, clip, { prediction });
      expect(result.percent).toBeCloseTo(50, 12);
      expect(result.rigidErrorSquared).toBeCloseTo(16 * 0.25, 12);
      expect(result.errorSquared).toBeCloseTo(16 * 0.0625, 12);
      expect([...result.boneOf.subarray(0, 4)]).toEqual([1, 1, 2, 2]);
      expect(report.figures.envelopingErrorPercent).toBe(result.percent);
    }
    expect(ENVELOPING_OPTIONS.prediction.default).toBe('best');
  });

  it('predicts by the best bone, not the heaviest, where they differ', async () => {
    // All vertices follow the left bone although half of them weigh the right one more.
    const clip = shifts([
      [0, 0, 0],
      [0, 1, 5],
    ]);
    const frames = [mesh.positions, mesh.positions.map((x, c) => (c % 3 === 0 ? x + 1 : x + (c % 3 === 1 ? 0.1 : 0)))];
    const off = frames.map((frame) => frame.map((x) => x + 0.1));
    const best = await envelopingError(sequenceOf(frames), sequenceOf(off), model, clip);
    expect([...best.boneOf]).toEqual(new Array(16).fill(1));
    expect(best.rigidErrorSquared).toBeCloseTo(16 * 0.01, 6);
    const heaviest = await envelopingError(sequenceOf(frames), sequenceOf(off), model, clip, {
      prediction: 'heaviest',
    });
    expect(heaviest.percent!).toBeLessThan(best.percent!);
    expect(heaviest.boneOf[3]).toBe(2);
  });

  it('ignores bones that no vertex follows', async () => {
    // The root predicts best, but is no master bone.
    const clip = shifts([[1, 0, 0]]);
    const frames = [mesh.positions.map((x, c) => (c % 3 === 0 ? x + 1 : x))];
    const result = await envelopingError(sequenceOf(frames), sequenceOf(frames), model, clip);
    expect(result.rigidErrorSquared).toBeCloseTo(16, 12);
    expect(result.percent).toBe(0);
  });

  it('does not change under a rigid motion and scale of everything', async () => {
    const random = seededRandom(8);
    const clip = shifts([
      [0, 0.3, 1],
      [0, -1, 2],
      [0, 0.5, 0.5],
    ]);
    const noisy = (size: number) => rigid(clip).map((frame) => frame.map((x) => x + size * randomNormal(random)));
    const [a, b] = [noisy(0.2), noisy(0.1)];
    const plain = await envelopingError(sequenceOf(a), sequenceOf(b), model, clip);
    const rotation = rotationOf([1, 2, 3], 1);
    const turn = (frame: Float32Array) => moved(frame, rotation, 2);
    // Shifts of the turned, doubled model: the same shift, turned and doubled.
    const turnedClip = { ...clip, transforms: clip.transforms.slice() };
    for (let m = 0; m < 9; m++) {
      const t = turn(new Float32Array([clip.transforms[12 * m + 3], 0, 0]));
      for (let c = 0; c < 3; c++) turnedClip.transforms[12 * m + 4 * c + 3] = t[c];
    }
    const turnedMesh = { ...mesh, positions: turn(mesh.positions) };
    const turned = await envelopingError(
      memorySequence('a', turnedMesh, a.map(turn)),
      memorySequence('b', turnedMesh, b.map(turn)),
      { ...model, mesh: turnedMesh },
      turnedClip,
    );
    expect(turned.percent! / plain.percent!).toBeCloseTo(1, 5);
    expect(turned.boneOf).toEqual(plain.boneOf);
  });

  it('finds the same in as many passes as there are bones', async () => {
    const random = seededRandom(9);
    const clip = shifts([
      [0, 0.3, 1],
      [0, -1, 2],
    ]);
    const noisy = () => sequenceOf(rigid(clip).map((frame) => frame.map((x) => x + randomNormal(random))));
    const [a, b] = [noisy(), noisy()];
    const steps: number[] = [];
    const many = await envelopingError(a, b, model, clip, { maxSums: 1, onProgress: (done) => steps.push(done) });
    const { report, ...once } = await envelopingError(a, b, model, clip);
    expect(many).toMatchObject(once);
    expect(many.report.figures).toEqual(report.figures);
    // The two bones that a vertex follows, one of them first, then every bone that some vertex follows.
    expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('measures several approximations as it does each', async () => {
    const clip = shifts([
      [0, 0, 0],
      [0, 1, 3],
    ]);
    const frames = rigid(clip);
    const original = sequenceOf(frames.map((frame) => frame.map((x, c) => x + 0.01 * (c % 7))));
    const approximations = [frames, frames.map((frame) => frame.map((x) => x + 0.1))].map((of) => sequenceOf(of));
    const together = await envelopingErrors(original, approximations, model, clip);
    for (const [q, approximation] of approximations.entries()) {
      const { report: _, ...alone } = await envelopingError(original, approximation, model, clip);
      expect(together[q]).toMatchObject(alone);
    }
    expect(together[0].percent).toBeLessThan(together[1].percent!);
  });

  it('is undefined where rigid bones are exact, and says so', async () => {
    const clip = shifts([[0, 1, 2]]);
    const { report, ...result } = await envelopingError(sequenceOf(rigid(clip)), sequenceOf(rigid(clip)), model, clip);
    expect(result.percent).toBeUndefined();
    expect(codesOf(report.notes)).toEqual(['rigid-prediction-exact']);
  });

  it('is undefined where rigid bones are exact but for rounding', async () => {
    const clip = shifts([[0, 1, 2]]);
    const [exact] = rigid(clip);
    const rounded = exact.map((x, c) => x * (1 + (c % 3) * 2 ** -23));
    expect(rounded).not.toEqual(exact);
    const result = await envelopingError(sequenceOf([rounded]), sequenceOf([exact]), model, clip);
    expect(result.percent).toBeUndefined();
  });

  it('refuses inputs that do not belong together', async () => {
    const clip = shifts([[0, 1, 2]]);
    const one = sequenceOf(rigid(clip));
    const two = sequenceOf([...rigid(clip), ...rigid(clip)]);
    await expectRefusal(envelopingError(two, two, model, clip), 'bad-input', { values: [1, 2] });
    await expectRefusal(envelopingError(one, two, model, clip), 'bad-input');
    const none = sequenceOf([]);
    await expectRefusal(envelopingError(none, none, model, clip), 'bad-input');
    const small = memorySequence('small', grid(1, 1), [grid(1, 1).positions]);
    await expectRefusal(envelopingError(one, small, model, clip), 'bad-input', { values: ['small', 4, 16] });
    const wrong = envelopingError(one, one, model, clip, { prediction: 'worst' as 'best' });
    await expect(wrong).rejects.toMatchObject({ code: 'bad-option' });
  });
});
