import { beforeAll, describe, expect, it } from 'vitest';
import {
  gaussianRidge,
  kernelRidgeToVertices,
  pcaBlendShapes,
  pcaRidge,
  rbfToBones,
} from '../../bench/learn-baselines.ts';
import { controlInputs } from '../../src/learn/control-points.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { type LearnResult, learn } from '../../src/learn/learn.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { moved, rotationOf } from '../mesh/shapes.ts';
import { bendingTube, bentTube, rms, tubeMesh } from './bending-tube.ts';

const rest = tubeMesh();
const angles = [0, 0.5, 1, 1.5, 2, 2.5];
const goalsOf = (pose: Float32Array, points: Uint32Array): Float64Array => controlInputs([pose], points);

describe.each(['best', 'paper'] as const)('learn, method %s', (method) => {
  let learned: LearnResult;
  let driver: SurfaceDriver;
  const errorAt = (pose: Float32Array): number =>
    rms(driver.drive(goalsOf(pose, learned.predictor.points)).positions, pose);

  beforeAll(async () => {
    learned = await learn([bendingTube(angles)], { method, points: 4, bones: 16 });
    driver = new SurfaceDriver(learned.predictor);
  }, 30_000);

  it('knows its examples', () => {
    for (const angle of angles) expect(errorAt(bentTube(rest, angle))).toBeLessThan(method === 'best' ? 0.005 : 0.08);
  });

  it('fills in between, and carries on a little beyond', () => {
    for (const angle of [0.25, 1.2, 2.2]) {
      expect(errorAt(bentTube(rest, angle))).toBeLessThan(method === 'best' ? 0.02 : 0.08);
    }
    expect(errorAt(bentTube(rest, 2.8))).toBeLessThan(0.2);
  });

  it('stays finite wherever the points are dragged, and says how far that is', () => {
    const { points } = learned.predictor;
    for (const far of [10, 1e4, 1e9]) {
      const goal = new Float64Array(3 * points.length).map((_, c) => (c % 2 ? far : -far));
      const { positions, distance } = driver.drive(goal);
      expect(positions.every(Number.isFinite)).toBe(true);
      expect(distance).toBeGreaterThan(2);
    }
    expect(driver.drive(goalsOf(bentTube(rest, 1), points)).distance).toBeLessThan(1);
  });

  it('refuses points that are none', () => {
    const { points } = learned.predictor;
    expect(() => driver.drive(new Float64Array(5))).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => driver.drive(new Float64Array(3 * points.length).fill(Number.NaN))).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });

  it('allocates its views once', () => {
    const goal = goalsOf(bentTube(rest, 1), learned.predictor.points);
    expect(driver.drive(goal)).toBe(driver.drive(goal));
  });
});

describe('learn', () => {
  it.each([
    [[0, 1, 1, 2], 1],
    [[0, 1, 1, 2, 2], 2],
  ])('says how many examples of %j are there twice', async (bends, examples) => {
    const { report } = await learn([bendingTube(bends)], { points: 2, bones: 4 });
    expect(report.notes).toContainEqual(note('duplicate-examples', { examples }));
  });

  it.each([
    [3, []],
    [4, []],
    [9, [note('fewer-examples', { examples: 4, asked: 9 })]],
  ])('of four distinct examples, asked for %i, says when there are fewer', async (asked, expected) => {
    const { report } = await learn([bendingTube([0, 1, 1, 2, 3])], { points: 2, bones: 4, examples: asked });
    expect(report.figures.examples).toBe(Math.min(asked, 4));
    expect(report.notes.filter(({ code }) => code === 'fewer-examples')).toEqual(expected);
  });

  it('follows when all examples are moved, turned and scaled', async () => {
    const options = { points: 4, bones: 10 };
    const plain = await learn([bendingTube(angles)], options);
    const rotation = rotationOf([0.6, 0.8, 0], 0.8);
    const move = (positions: Float32Array): Float32Array => moved(positions, rotation, 3, [5, -2, 1]);
    const sequence = memorySequence(
      'moved',
      { ...rest, positions: move(rest.positions) },
      angles.map((angle) => move(bentTube(rest, angle))),
    );
    // The tube is symmetric: which of two equal points is chosen depends on rounding.
    const other = await learn([sequence], { ...options, given: { points: plain.predictor.points } });
    const pose = bentTube(rest, 1.3);
    const { points } = plain.predictor;
    const here = new SurfaceDriver(plain.predictor).drive(goalsOf(pose, points)).positions;
    const there = new SurfaceDriver(other.predictor).drive(goalsOf(move(pose), points)).positions;
    expect(rms(move(here), there)).toBeLessThan(0.02);
  });

  it('gives the same bytes again', async () => {
    const run = async () => (await learn([bendingTube(angles)], { points: 3, bones: 8 })).predictor;
    expect(await run()).toEqual(await run());
  });

  it('takes points, axes and bones that are known', async () => {
    const first = await learn([bendingTube(angles)], { points: 3, bones: 8 });
    const { predictor, transforms } = first;
    const given = {
      points: [0, 200, 390],
      axes: [1, 1, 0, 1, 1, 0, 1, 1, 0],
      bones: { weights: predictor.weights, transforms },
    };
    const { predictor: second, report } = await learn([bendingTube(angles)], { given });
    expect(report.given).toEqual(['points', 'axes', 'bones']);
    expect([...second.points]).toEqual([0, 200, 390]);
    expect(second.kernel.mean.length).toBe(6);
    const driver = new SurfaceDriver(second);
    const pose = bentTube(rest, 1.2);
    const goal = goalsOf(pose, second.points);
    expect(rms(driver.drive(goal).positions, pose)).toBeLessThan(0.05);
    // The third coordinate does not steer.
    const before = driver.drive(goal).positions.slice();
    expect(rms(driver.drive(goal.map((x, c) => (c % 3 === 2 ? x + 5 : x))).positions, before)).toBe(0);
  });

  it.each([
    ['a vertex that is not there', { given: { points: [3, 9999] } }, /control point 9999/],
    ['a point twice', { given: { points: [3, 3] } }, /different ones/],
    ['no axis that steers', { given: { points: [3], axes: [0, 0, 0] } }, /none in use/],
    [
      'transforms of other examples',
      {
        given: {
          bones: {
            weights: { influences: 1, joints: new Uint16Array(396), weights: new Float32Array(396).fill(1) },
            transforms: new Float64Array(7),
          },
        },
      },
      /given tra/,
    ],
  ])('refuses %s', async (_, options, message) => {
    await expect(learn([bendingTube(angles)], options)).rejects.toThrow(message);
  });

  it('learns from two examples, from more bones than faces, and from one point', async () => {
    const small = tubeMesh(9, 6);
    const sequence = memorySequence('small', small, [small.positions, bentTube(small, 1)]);
    const { predictor } = await learn([sequence], { points: 1, bones: 900 });
    const { positions } = new SurfaceDriver(predictor).drive(goalsOf(bentTube(small, 0.5), predictor.points));
    expect(positions.every(Number.isFinite)).toBe(true);
  });

  it('reports progress, and stops when told to', async () => {
    const seen = new Set<string>();
    await learn([bendingTube(angles)], { points: 3, bones: 8, onProgress: (_, __, label) => seen.add(label) });
    expect(seen).toContain('placing bones');
    expect(seen).toContain('weights');
    await expect(learn([bendingTube(angles)], { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ code: 'cancelled' }),
    );
  });
});

describe('baselines', () => {
  it('know their examples', async () => {
    const { predictor, examples, transforms } = await learn([bendingTube(angles)], { points: 4, bones: 16 });
    const { points, weights, centroids } = predictor;
    const bones = { weights, centroids, transforms };
    const ways = [
      pcaBlendShapes(examples, points, 5),
      kernelRidgeToVertices(examples, points, 'linear-gaussian', 1e-6),
      rbfToBones(examples, points, bones),
      gaussianRidge(examples, points),
      pcaRidge(examples, points),
    ];
    for (const way of ways) {
      for (const pose of examples.poses) expect(rms(way(goalsOf(pose, points)), pose)).toBeLessThan(0.08);
    }
  });
});
