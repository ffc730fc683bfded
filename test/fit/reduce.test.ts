import { describe, expect, it } from 'vitest';
import { bendingSheet, noisySheet } from './bending-sheet.ts';

import { problemOf } from './rigs.ts';

describe('reduceSequence', () => {
  it('gives back every frame through its basis, whatever the block size', async () => {
    const sequence = bendingSheet(8, 5, 40);
    const problem = await problemOf(sequence);
    const { rank, basis, z, centre, diagonal } = problem;
    for (const k of [0, 17, 39]) {
      const frame = await sequence.readFrame(k);
      for (let i = 0; i < problem.vertexCount; i += 7) {
        for (let c = 0; c < 3; c++) {
          let value = 0;
          for (let x = 0; x < rank; x++) value += basis[(3 * k + c) * rank + x] * z[i * rank + x];
          expect(value * diagonal + centre[c]).toBeCloseTo(frame[3 * i + c], 6);
        }
      }
    }
    expect(rank).toBeLessThan(120);
  });

  it('discards no more than it may', async () => {
    const sequence = noisySheet(3);
    for (const tolerance of [1e-4, 1e-3, 1e-2]) {
      const problem = await problemOf(sequence, tolerance);
      expect(Math.sqrt(problem.discarded / (problem.vertexCount * problem.frameCount))).toBeLessThanOrEqual(tolerance);
    }
    expect((await problemOf(sequence, 1e-2)).rank).toBeLessThan((await problemOf(sequence, 1e-4)).rank);
  });

  it('has an orthonormal basis', async () => {
    const { rank, basis } = await problemOf(noisySheet(4));
    for (let a = 0; a < rank; a++) {
      for (let b = 0; b <= a; b++) {
        let dot = 0;
        for (let row = 0; row < basis.length / rank; row++) dot += basis[row * rank + a] * basis[row * rank + b];
        expect(dot).toBeCloseTo(a === b ? 1 : 0, 9);
      }
    }
  });
});
