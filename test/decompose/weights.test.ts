import { describe, expect, it } from 'vitest';
import { boneProducts } from '../../src/decompose/engine/bone-products.ts';
import { removalCosts } from '../../src/decompose/placing/removal.ts';
import { emptySupport } from '../../src/decompose/problem.ts';
import { solveWeights } from '../../src/decompose/weights/weights.ts';
import { bendingSheet, noisySheet } from '../fit/bending-sheet.ts';
import { errorOf, expectConvex, randomBones, slowWeights } from './problems.ts';
import { neighboursOf, problemOf } from './rigs.ts';

describe('solveWeights', () => {
  it('finds the optimum on each support, and on nearly every vertex the best of all supports', async () => {
    const problem = await problemOf(noisySheet(5, 6, 4));
    const bones = randomBones(problem, 6, 8);
    const support = emptySupport(problem.vertexCount, 3);
    const errors = new Float64Array(problem.vertexCount);
    const total = solveWeights(problem, boneProducts(bones, problem.rank), support, { exchange: true, errors });
    expectConvex(support, 6);
    let best = 0;
    let sum = 0;
    for (let i = 0; i < problem.vertexCount; i++) {
      const own = Array.from(support.joints.subarray(3 * i, 3 * i + support.count[i]));
      const weights = Array.from(support.weights.subarray(3 * i, 3 * i + support.count[i]));
      const value = errorOf(problem, bones, i, own, weights);
      expect(value).toBeCloseTo(errors[i], 7);
      expect(value).toBeLessThanOrEqual(slowWeights(problem, bones, i, own) * (1 + 1e-6) + 1e-12);
      sum += value;
      let global = Infinity;
      for (let a = 0; a < 6; a++) {
        for (let b = a + 1; b < 6; b++) {
          for (let c = b + 1; c < 6; c++) global = Math.min(global, slowWeights(problem, bones, i, [a, b, c]));
        }
      }
      if (value <= global * (1 + 1e-5) + 1e-12) best++;
    }
    expect(sum).toBeCloseTo(total, 7);
    expect(best / problem.vertexCount).toBeGreaterThan(0.9);
  });

  it('never gets worse when it runs again, and takes over better neighbours', async () => {
    const sequence = bendingSheet();
    const problem = await problemOf(sequence);
    const products = boneProducts(randomBones(problem, 9, 2), problem.rank);
    const support = emptySupport(problem.vertexCount, 4);
    const first = solveWeights(problem, products, support, { exchange: true });
    const second = solveWeights(problem, products, support, {
      exchange: true,
      neighbours: neighboursOf(sequence.rest),
    });
    expect(second).toBeLessThanOrEqual(first * (1 + 1e-9));
  });

  it.each([
    ['bones that all agree', 0],
    ['bones far from everything', 50],
  ])('copes with %s', async (_, scale) => {
    const problem = await problemOf(bendingSheet(5, 4, 3));
    const one = randomBones(problem, 1, 3);
    const bones = new Float64Array(5 * one.length);
    for (let b = 0; b < 5; b++)
      bones.set(
        one.map((x) => x + scale),
        b * one.length,
      );
    const support = emptySupport(problem.vertexCount, 4);
    expect(solveWeights(problem, boneProducts(bones, problem.rank), support, { exchange: true })).not.toBeNaN();
    expectConvex(support, 5);
  });
});

describe('removalCosts', () => {
  it('are what removing a bone and solving again on the other bones of each support costs', async () => {
    const problem = await problemOf(noisySheet(9, 6, 4));
    const bones = randomBones(problem, 5, 4);
    const products = boneProducts(bones, problem.rank);
    const support = emptySupport(problem.vertexCount, 2);
    const before = solveWeights(problem, products, support, { exchange: true });
    const costs = removalCosts(problem, products, support);
    for (let bone = 0; bone < 5; bone++) {
      let after = 0;
      for (let i = 0; i < problem.vertexCount; i++) {
        const own = Array.from(support.joints.subarray(2 * i, 2 * i + support.count[i]));
        const rest = own.filter((b) => b !== bone);
        const choices = rest.length > 0 ? [rest] : [0, 1, 2, 3, 4].filter((b) => b !== bone).map((b) => [b]);
        after += Math.min(...choices.map((joints) => slowWeights(problem, bones, i, joints)));
      }
      expect(costs[bone]).toBeCloseTo(after - before, 7);
    }
  });
});
