import { describe, expect, it } from 'vitest';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { boneProducts } from '../../src/decompose/engine/bone-products.ts';
import { plainEngine } from '../../src/decompose/engine/engine.ts';
import { KernelEngine } from '../../src/decompose/engine/kernel-engine.ts';
import { emptySupport } from '../../src/decompose/problem.ts';
import { solveWeights } from '../../src/decompose/weights/weights.ts';
import { bendingSheet, noisySheet } from '../fit/bending-sheet.ts';
import { expectClose, expectConvex, randomBones } from './problems.ts';
import { neighboursOf, problemOf } from './rigs.ts';

describe('normal equations', () => {
  it('are XᵀX and XᵀZ of the matrix they stand for', async () => {
    const problem = await problemOf(noisySheet(6, 5, 3, 4));
    const count = 4;
    const support = emptySupport(problem.vertexCount, 3);
    solveWeights(problem, boneProducts(randomBones(problem, count, 5), problem.rank), support, { exchange: true });
    const { h, r } = assembleNormalEquations(problem, support, count);
    const row = (i: number) => {
      const x = new Float64Array(4 * count);
      for (let s = 0; s < support.count[i]; s++) {
        for (let c = 0; c < 4; c++) {
          x[4 * support.joints[3 * i + s] + c] += support.weights[3 * i + s] * problem.rest[4 * i + c];
        }
      }
      return x;
    };
    const rows = Array.from({ length: problem.vertexCount }, (_, i) => row(i));
    for (let a = 0; a < 4 * count; a++) {
      for (let b = 0; b < 4 * count; b++) {
        expect(h[a * 4 * count + b]).toBeCloseTo(
          rows.reduce((sum, x) => sum + x[a] * x[b], 0),
          9,
        );
      }
      for (let c = 0; c < problem.rank; c++) {
        const expected = rows.reduce((sum, x, i) => sum + x[a] * problem.z[i * problem.rank + c], 0);
        expect(r[a * problem.rank + c]).toBeCloseTo(expected, 9);
      }
    }
  });
});

describe('the kernel engine', () => {
  it.each([
    [1, 4],
    [2, 2],
    [5, 4],
    [8, 8],
    [13, 1],
  ])('agrees with the plain one for %i bones and %i influences', async (bones, influences) => {
    const sequence = bendingSheet(11, 7, 5);
    const problem = await problemOf(sequence);
    problem.mass.forEach((_, i, mass) => {
      mass[i] = 1 + (i % 3);
    });
    const neighbours = neighboursOf(sequence.rest);
    const products = boneProducts(randomBones(problem, bones, 11), problem.rank);
    const plain = plainEngine(problem, neighbours);
    const kernel = new KernelEngine(problem, neighbours, { maxBones: bones + 2, maxInfluences: influences });
    const a = emptySupport(problem.vertexCount, influences);
    const b = emptySupport(problem.vertexCount, influences);
    for (const pass of [{ exchange: true }, { exchange: true, neighbours: true }, { exchange: false }]) {
      const slow = await plain.solveWeights(products, a, pass);
      const fast = await kernel.solveWeights(products, b, pass);
      expect(fast).toBeCloseTo(slow, 9);
      expectConvex(b, bones);
    }
    const slowSums = await plain.normalEquations(b, bones);
    const fastSums = await kernel.normalEquations(b, bones);
    expectClose(fastSums.h, slowSums.h);
    expectClose(fastSums.r, slowSums.r);
    const [assignedA, assignedB] = [new Int32Array(problem.vertexCount), new Int32Array(problem.vertexCount)];
    const [errorsA, errorsB] = [new Float64Array(problem.vertexCount), new Float64Array(problem.vertexCount)];
    await plain.assign(products, assignedA, errorsA);
    await kernel.assign(products, assignedB, errorsB);
    expect(Array.from(assignedB)).toEqual(Array.from(assignedA));
    expectClose(errorsB, errorsA);
    kernel.dispose();
  });
});
