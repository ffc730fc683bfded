import { expect } from 'vitest';
import { projectToBasis } from '../../src/decompose/bones/bone-frames.ts';
import type { FitProblem, Support } from '../../src/decompose/problem.ts';
import { seededRandom } from '../../src/math/rng.ts';

/** Squared error of vertex i for given weights, by the definition: |z − Σ w·M·ṽ|². */
export function errorOf(
  problem: FitProblem,
  bones: Float64Array,
  i: number,
  joints: number[],
  weights: number[],
): number {
  const { rank, z, rest } = problem;
  let sum = 0;
  for (let x = 0; x < rank; x++) {
    let residual = z[i * rank + x];
    joints.forEach((b, s) => {
      for (let c = 0; c < 4; c++) residual -= weights[s] * rest[4 * i + c] * bones[(4 * b + c) * rank + x];
    });
    sum += residual * residual;
  }
  return sum;
}

/** The best convex weights on `joints`, by a fine projected gradient descent: slow and obvious. */
export function slowWeights(problem: FitProblem, bones: Float64Array, i: number, joints: number[]): number {
  const k = joints.length;
  const at = (w: number[]) => errorOf(problem, bones, i, joints, w);
  let w = joints.map(() => 1 / k);
  let best = at(w);
  for (let step = 0.5; step > 1e-9; ) {
    let improved = false;
    for (let from = 0; from < k; from++) {
      for (let to = 0; to < k; to++) {
        const t = Math.min(step, w[from]);
        if (from === to || t === 0) continue;
        const trial = w.map((x, s) => x + (s === to ? t : 0) - (s === from ? t : 0));
        const value = at(trial);
        if (value < best) {
          best = value;
          w = trial;
          improved = true;
        }
      }
    }
    if (!improved) step /= 2;
  }
  return best;
}

export function randomBones(problem: FitProblem, count: number, seed: number): Float64Array {
  // Near the identity, so that several bones are needed and none is absurd.
  const random = seededRandom(seed);
  const { rank, basis, frameCount } = problem;
  const full = new Float64Array(4 * count * 3 * frameCount);
  for (let b = 0; b < count; b++) {
    for (let c = 0; c < 4; c++) {
      for (let k = 0; k < frameCount; k++) {
        for (let d = 0; d < 3; d++) {
          full[(4 * b + c) * 3 * frameCount + 3 * k + d] = (c === d ? 1 : 0) + 0.4 * (random() - 0.5);
        }
      }
    }
  }
  expect(basis.length).toBe(3 * frameCount * rank);
  return projectToBasis(problem, full);
}

export const expectClose = (a: Float64Array, b: Float64Array, tolerance = 1e-9): void => {
  expect(a.length).toBe(b.length);
  expect(a.reduce((worst, x, c) => Math.max(worst, Math.abs(x - b[c])), 0)).toBeLessThan(tolerance);
};

export function expectConvex(support: Support, bones: number): void {
  const k = support.influences;
  for (let i = 0; i < support.count.length; i++) {
    const used = support.count[i];
    expect(used).toBeGreaterThan(0);
    const joints = Array.from(support.joints.subarray(i * k, i * k + used));
    expect(new Set(joints).size).toBe(used);
    expect(Math.max(...joints)).toBeLessThan(bones);
    const weights = Array.from(support.weights.subarray(i * k, i * k + used));
    expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    expect(weights.reduce((x, y) => x + y)).toBeCloseTo(1, 9);
  }
}
