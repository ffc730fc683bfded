import { describe, expect, it } from 'vitest';
import { pcaRidge } from '../../bench/learn-baselines.ts';
import { controlInputs } from '../../src/learn/control-points.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { halfFromOther } from '../../src/learn/regression/left-out-blends.ts';
import { note } from '../../src/model/note.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { bendingTube, bentTube, rms, tubeMesh } from './bending-tube.ts';

const SIZE = { points: 4, bones: 8 };
const rest = tubeMesh(17, 8);
const made = (count: number, pose: (t: number) => Float32Array): Float32Array[] =>
  Array.from({ length: count }, (_, k) => pose(k / (count - 1)));
const displaced = (by: (x: number, y: number, z: number) => [number, number, number]): Float32Array => {
  const out = rest.positions.slice();
  for (let i = 0; i < out.length; i += 3) {
    const [x, y, z] = out.subarray(i, i + 3);
    by(x, y, z).forEach((d, c) => {
      out[i + c] += d;
    });
  }
  return out;
};

/** Motions whose second half goes on where the first one ends, or does something else. */
const MOTIONS: Record<string, Float32Array[]> = {
  'one bend': made(24, (t) => bentTube(rest, 2 * t)),
  'a bend whose plane turns': made(24, (t) => bentTube(rest, 2 * t, 3 * t)),
  'a sway that grows': made(32, (t) => bentTube(rest, t * Math.sin(12 * t))),
  'straight lines': made(24, (t) => displaced((x) => [0, t * x, t * t * Math.sin(2 * x)])),
  'a fall, then folds': made(30, (t) => displaced((x) => [0, -t, t < 0.5 ? 0 : (t - 0.5) * Math.sin(5 * x)])),
};

describe('best', () => {
  it.each(Object.keys(MOTIONS))('carries on as well as PCA + ridge from the first half of %s', async (name) => {
    const poses = MOTIONS[name];
    const middle = poses.length / 2;
    const { predictor, examples } = await learn([memorySequence(name, rest, poses.slice(0, middle))], SIZE);
    const { points } = predictor;
    const driver = new SurfaceDriver(predictor);
    const shapes = pcaRidge(examples, points);
    let [own, theirs] = [0, 0];
    for (const pose of poses.slice(middle)) {
      const goal = controlInputs([pose], points);
      own += rms(driver.drive(goal).positions, pose) ** 2;
      theirs += rms(shapes(goal), pose) ** 2;
    }
    driver.dispose();
    expect(Math.sqrt(own)).toBeLessThanOrEqual(1.05 * Math.sqrt(theirs) + 1e-4);
  });

  it('takes blend shapes where nothing else is needed', async () => {
    const poses = made(12, (t) => displaced((x) => [0, t * x * x, Math.sin(9 * t) * x]));
    const sequence = memorySequence('linear', rest, poses);
    const { tried, predictor, report } = await learn([sequence], SIZE);
    expect(tried.map(({ method }) => method).sort()).toEqual(['bones', 'paper', 'pca', 'ridge']);
    expect(tried[0].method).toBe('pca');
    const data = { method: 'pca', kernel: 'linear', translations: 'predicted' };
    expect(report.notes).toContainEqual(note('learned-with', data));
    const driver = new SurfaceDriver(predictor);
    for (const pose of poses) {
      expect(rms(driver.drive(controlInputs([pose], predictor.points)).positions, pose)).toBeLessThan(1e-3);
    }
    driver.dispose();
  });

  it('takes a wide Gaussian where blend shapes follow the points along a curve', async () => {
    const poses = made(25, (t) =>
      displaced((x, y) => [Math.cos(6 * t) * x, Math.sin(6 * t) * x, Math.cos(12 * t) * y]),
    );
    const known = memorySequence(
      'waves',
      rest,
      poses.filter((_, k) => k % 2 === 0),
    );
    const { tried, predictor, examples } = await learn([known], SIZE);
    expect(tried[0].method).toBe('ridge');
    const driver = new SurfaceDriver(predictor);
    const shapes = pcaRidge(examples, predictor.points);
    let [own, theirs] = [0, 0];
    for (let k = 1; k < poses.length; k += 2) {
      const goal = controlInputs([poses[k]], predictor.points);
      own += rms(driver.drive(goal).positions, poses[k]) ** 2;
      theirs += rms(shapes(goal), poses[k]) ** 2;
    }
    driver.dispose();
    expect(own).toBeLessThan(theirs / 4);
  });

  it('is one of the methods, with the least error of those that carry on; they report the same figures alone', async () => {
    const sequence: MeshSequence = bendingTube([0, 0.4, 0.9, 1.1, 1.7, 2, 2.6]);
    const best = await learn([sequence], SIZE);
    const [taken, ...others] = best.tried;
    const shapes = best.tried.find(({ method }) => method === 'pca')!;
    expect(best.report.figures.leaveOneOutRmsePercent).toBe(taken.leaveOneOutRmsePercent);
    for (const other of others) {
      const carriesOn = other.otherHalfRmsePercent! <= shapes.otherHalfRmsePercent!;
      if (carriesOn) expect(taken.leaveOneOutRmsePercent).toBeLessThanOrEqual(1.01 * other.leaveOneOutRmsePercent);
    }
    const alone = await learn([sequence], { ...SIZE, method: 'paper' });
    expect(alone.tried).toEqual([best.tried.find(({ method }) => method === 'paper')]);
  });

  it('tries no method that does otherwise than asked', async () => {
    const { tried } = await learn([bendingTube([0, 1, 2])], { ...SIZE, kernel: 'linear-gaussian' });
    expect(tried.map(({ method, kernel }) => [method, kernel])).toEqual([['bones', 'linear-gaussian']]);
  });
});

describe('halves of the examples', () => {
  it('predict each other by coefficients that sum to 1', () => {
    const inputs = Float64Array.from({ length: 7 * 3 }, (_, at) => Math.sin(at * at));
    const blend = halfFromOther('linear-gaussian', inputs, 3, 1e-4, 2)!;
    for (let k = 0; k < 7; k++) {
      const row = blend.subarray(k * 7, (k + 1) * 7);
      expect(row.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 9);
      row.forEach((x, j) => {
        if (k < 3 === j < 3) expect(x).toBe(0);
      });
    }
  });

  it('say nothing of three examples, or where one does not move', () => {
    expect(halfFromOther('linear', Float64Array.of(1, 2, 4), 1, 1e-4, 0)).toBeUndefined();
    expect(halfFromOther('linear', Float64Array.of(1, 1, 2, 4), 1, 1e-4, 0)).toBeUndefined();
  });
});
