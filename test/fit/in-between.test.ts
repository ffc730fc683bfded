import { describe, expect, it } from 'vitest';
import { nearestAlongAxes, nearestRotation } from '../../src/decompose/bones/linear-parts.ts';
import { fit } from '../../src/fit/fit.ts';
import { BlendMetric } from '../../src/fit/proxy/blend-metric.ts';
import { withInBetweenKeys } from '../../src/fit/proxy/in-between.ts';
import { type ProxyModelInput, proxyModel } from '../../src/fit/proxy/proxy-model.ts';
import { framesOfNote } from '../../src/io/glb/frames.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { frameTimes } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { jsonOf, largestDistance, naiveLbs, readGlb } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { straightBones, turningRig } from './turning-rig.ts';

const KINDS = ['affine', 'trs', 'rigid'] as const;

const straightPose = (input: ProxyModelInput, k: number, t: number): Float32Array =>
  naiveLbs(input as unknown as SkinnedModel, straightBones(input, k, t));

/** The slow and obvious way: RMSE in % over vertices and frames, at the worst of so many moments between two frames. */
function betweenFrames(input: ProxyModelInput, model: SkinnedModel, moments: number): number {
  const { times, mesh } = input;
  let sum = 0;
  for (let k = 0; k + 1 < times.length; k++) {
    const squares = Array.from({ length: moments - 1 }, (_, m) => {
      const t = (m + 1) / moments;
      const played = naiveLbs(model, poseAt(model.skeleton, model.clips[0], (1 - t) * times[k] + t * times[k + 1]));
      const straight = straightPose(input, k, t);
      return played.reduce((total, x, c) => total + (x - straight[c]) ** 2, 0);
    });
    sum += Math.max(...squares);
  }
  const terms = (mesh.positions.length / 3) * (times.length - 1);
  return (100 * Math.sqrt(sum / terms)) / diagonalOf(mesh.positions);
}

describe('keys between frames', () => {
  it.each([30, 120, 150])('affine bones that turn %d° per frame play as straight as asked for', async (degrees) => {
    const input = turningRig('affine', degrees);
    const before = structuredClone(input);
    const { model, figures } = await withInBetweenKeys(input, 0.15);
    expect(input).toEqual(before);
    expect(figures.before).toBeCloseTo(betweenFrames(input, proxyModel(input), 4), 5);
    expect(figures.after).toBeLessThan(0.15);
    // At other moments than those it was measured at.
    expect(betweenFrames(input, model, 24)).toBeLessThan(0.16);
    expect(figures.added).toBe(model.clips[0].times.length - input.times.length);
    expect(figures.added).toBeGreaterThan(0);
  });

  it.each(['affine', 'trs'] as const)('leave the frames as they are: %s', async (kind) => {
    const input = turningRig(kind, 70);
    const { model } = await withInBetweenKeys(input, 0.15);
    const [clip] = model.clips;
    expect(frameTimes(clip)).toEqual(input.times);
    const stride = clip.transforms.length / clip.times.length;
    clip.frames!.forEach((key, k) => {
      const pose = naiveLbs(model, clip.transforms.subarray(key * stride, (key + 1) * stride));
      expect(largestDistance(pose, straightPose(input, k, 0)) / diagonalOf(input.mesh.positions)).toBeLessThan(3e-6);
    });
  });

  it.each(KINDS)('none where none are asked for: %s', async (kind) => {
    const input = turningRig(kind, 120);
    const { model, figures } = await withInBetweenKeys(input, 0);
    expect(model).toEqual(proxyModel(input));
    expect(figures.added).toBe(0);
    expect(figures.after).toBe(figures.before);
  });

  it('none where the motion is straight enough', async () => {
    const { model, figures } = await withInBetweenKeys(turningRig('trs', 0.5), 0.15);
    expect(figures.added).toBe(0);
    expect(model.clips[0].frames).toBeUndefined();
  });

  it.each(['trs', 'rigid'] as const)(
    'bring %s bones as near as their kind can come, and say how near',
    async (kind) => {
      const near = await withInBetweenKeys(turningRig(kind, 25), 0.15);
      const found = betweenFrames(turningRig(kind, 25), near.model, 16);
      const { after, before, nearest } = near.figures;
      // An arc is already as near as a bone that only turns can come.
      if (kind === 'rigid') expect(after).toBeLessThan(1.5 * nearest);
      else expect(after).toBeLessThan(0.15);
      expect(found).toBeLessThan(1.05 * after);
      expect(after).toBeLessThanOrEqual(before);
      const far = (await withInBetweenKeys(turningRig(kind, 120), 0.15)).figures;
      expect(far.nearest).toBeGreaterThan(0.15);
      expect(far.after).toBeLessThanOrEqual(far.before);
    },
  );

  it('none between the end of a clip and the start of the next', async () => {
    const input = turningRig('affine', 120);
    const { model } = await withInBetweenKeys(input, 0.15, [2]);
    const { frames } = model.clips[0];
    expect(frames![2] - frames![1]).toBe(1);
    expect(frames![1] - frames![0]).toBeGreaterThan(1);
    expect(frames![3] - frames![2]).toBeGreaterThan(1);
  });

  it('not more than are sensible', async () => {
    const input = turningRig('affine', 120, 8);
    const { figures, model } = await withInBetweenKeys(input, 1e-6);
    expect(figures.after).toBeGreaterThan(1e-6);
    const frames = model.clips[0].frames!;
    for (let k = 1; k < frames.length; k++) expect(frames[k] - frames[k - 1]).toBeLessThanOrEqual(32);
    expect(figures.added).toBeLessThanOrEqual(128);
  });

  it('not where times are too close to be told apart, nor with a single frame', async () => {
    const input = turningRig('affine', 120);
    const close = { ...input, times: input.times.map((t) => 1e-5 * t) };
    expect((await withInBetweenKeys(close, 0.15)).figures.added).toBe(0);
    const late = { ...input, times: input.times.map((t) => 1e5 + 4 * t) };
    const { model } = await withInBetweenKeys(late, 0.15);
    await writeModelGlb(model);
    const one = { ...input, transforms: input.transforms.slice(0, 36), times: Float64Array.of(0) };
    expect((await withInBetweenKeys(one, 0.15)).figures).toMatchObject({ added: 0, before: 0, after: 0 });
  });

  it('grow and move with the mesh', async () => {
    const input = turningRig('affine', 120);
    const scaled = structuredClone(input);
    scaled.mesh.positions = input.mesh.positions.map((x) => 64 * x);
    for (let m = 3; m < input.transforms.length; m += 4) scaled.transforms[m] = 64 * input.transforms[m];
    const [a, b] = [await withInBetweenKeys(input, 0.15), await withInBetweenKeys(scaled, 0.15)];
    expect(b.model.clips[0].times).toEqual(a.model.clips[0].times);
    expect(b.figures.after).toBeCloseTo(a.figures.after, 4);
  });

  it.each([
    { kind: 'affine', small: false },
    { kind: 'affine', small: true },
    { kind: 'trs', small: true },
  ] as const)('are known from frames when a file is read again: $kind, small: $small', async ({ kind, small }) => {
    const input = turningRig(kind, 50);
    const { model } = await withInBetweenKeys(input, 0.15);
    const options = small ? SMALL_MODEL_GLB : {};
    const { bytes, orders } = await writeModelGlb(model, options);
    await expectValidGlb((await writeModelGlb(model, { ...options, compress: 'none' })).bytes);
    const [got] = (await readGlb(bytes)).models;
    expect(got.clips[0].frames).toEqual(model.clips[0].frames);
    expect(got.clips[0].times).toEqual(model.clips[0].times);
    // What works on sequences sees the frames.
    const posed = posedSequence(got, 0);
    expect(posed.frameCount).toBe(input.times.length);
    expect(posed.times).toEqual(input.times);
    const order = orders[0] ?? Uint32Array.from({ length: input.mesh.positions.length / 3 }, (_, i) => i);
    for (let k = 0; k < posed.frameCount; k++) {
      const given = straightPose(input, k, 0);
      const expected = Float32Array.from(
        { length: given.length },
        (_, c) => given[3 * order[Math.floor(c / 3)] + (c % 3)],
      );
      const far = largestDistance(await posed.readFrame(k), expected) / diagonalOf(input.mesh.positions);
      expect(far).toBeLessThan(small ? 5e-4 : 3e-5);
    }
    await posed.close?.();
  });

  it('are written only for tracks that need them', async () => {
    const input = turningRig('affine', 120);
    const { model } = await withInBetweenKeys(input, 0.15);
    const json = jsonOf((await writeModelGlb(model)).bytes);
    const [{ channels, samplers }] = json.animations!;
    const keysOf = (path: string) =>
      new Set(
        channels
          .filter(({ target }) => target.path === path)
          .map(({ sampler }) => json.accessors![samplers[sampler].input].count),
      );
    // The way of a bone's pivot is straight.
    expect(keysOf('translation')).toEqual(new Set([input.times.length]));
    expect(keysOf('rotation')).toContain(model.clips[0].times.length);
  });

  it('a note of them that belongs to other keys, or is none, is ignored', () => {
    expect(framesOfNote([1, 0, 2], 7)).toEqual(Uint32Array.of(0, 2, 3, 6));
    for (const wrong of [[1, 0, 2, 0], [1, 0, 1], [-1, 6], ['a', 5], [0.5, 5.5], 7, null, new Array(7).fill(0)]) {
      expect(framesOfNote(wrong, 7)).toBeUndefined();
    }
    expect(framesOfNote([0, 0], 3)).toBeUndefined(); // all are frames
  });

  it('come out of a fit, clip by clip, and are told', async () => {
    const input = turningRig('affine', 120);
    const poses = Array.from(input.times, (_, k) => straightPose(input, k, 0));
    const clip = (name: string, first: number, last: number) =>
      memorySequence(name, input.mesh, poses.slice(first, last + 1), input.times.slice(0, last - first + 1));
    const options = { kind: 'affine', bones: 3, preset: 'fast' } as const;
    const { model, inBetween, errors, report } = await fit([clip('a', 0, 2), clip('b', 2, 3)], options);
    expect(inBetween.added).toBeGreaterThan(0);
    expect(inBetween.after).toBeLessThan(0.15);
    expect(model.clips.map(({ name, frames }) => [name, frames!.length])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(errors.perFrame.rmsePercent).toHaveLength(5);
    expect(report.figures.inBetweenKeys).toBe(inBetween.added);
    const rigid = await fit(clip('a', 0, 2), { ...options, kind: 'rigid' });
    expect(rigid.report.notes).toContainEqual(
      note('in-between-missed', {
        kind: 'rigid',
        errorPercent: rigid.inBetween.after,
        tolerancePercent: rigid.inBetween.tolerance,
        nearestPercent: rigid.inBetween.nearest,
      }),
    );
    const off = await fit(clip('a', 0, 2), { ...options, inBetween: 0 });
    expect(off.model.clips[0].frames).toBeUndefined();
    expect(codesOf(off.report.notes)).not.toContain('in-between-missed');
  });
});

describe('BlendMetric', () => {
  it('measures what posing the mesh would', () => {
    const { mesh, weights, transforms } = turningRig('affine', 120);
    const metric = new BlendMetric(mesh.positions, weights, 3);
    const [a, b] = [transforms.slice(0, 36), transforms.slice(36, 72)];
    const pose = (bones: Float64Array) => naiveLbs({ mesh, weights } as SkinnedModel, Float32Array.from(bones));
    const [x, y] = [pose(a), pose(b)];
    const expected = x.reduce((sum, v, c) => sum + (v - y[c]) ** 2, 0);
    expect(metric.squaredDistance(a, 0, transforms, 36) / expected).toBeCloseTo(1, 5);
  });

  it.each(['trs', 'rigid'] as const)('finds bones that are there, and never goes away from them: %s', (kind) => {
    const { mesh, weights, transforms, axes } = turningRig(kind, 20);
    const metric = new BlendMetric(mesh.positions, weights, 3);
    const solver = kind === 'rigid' ? nearestRotation : nearestAlongAxes(axes!, 0);
    const [a, b] = [transforms.slice(0, 36), transforms.slice(36, 72)];
    const before = metric.squaredDistance(b, 0, a, 0);
    const found = metric.nearest(b, a, solver);
    expect(metric.squaredDistance(b, 0, found, 0)).toBeLessThan(1e-2 * before);
    expect(metric.squaredDistance(b, 0, metric.nearest(b, b, solver), 0)).toBeLessThan(1e-9 * before);
  });
});
