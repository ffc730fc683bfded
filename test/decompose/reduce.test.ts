import { describe, expect, it } from 'vitest';
import { poseOfFrame } from '../../src/decompose/frames.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { bendingSheet, noisySheet, sheet } from '../fit/bending-sheet.ts';
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

  it('keeps the motion of a single vertex where the worst counts', async () => {
    // 20,000 vertices and 30 frames: of a root mean square of 1e-5, one vertex could be off by 0.8 % once.
    const rest = sheet(140, 140);
    const lone = 3 * 9957;
    const frames = Array.from({ length: 30 }, (_, k) => {
      const frame = rest.positions.map((x, c) => (c % 3 === 0 ? x + 0.01 * k : x));
      if (k === 17) frame[lone + 2] = 0.007 * Math.SQRT2;
      return frame;
    });
    const sequence = memorySequence('lone', rest, frames);
    const residual = async (mayLose?: number): Promise<number> => {
      const problem = await reduceSequence(sequence, 1e-5, { mayLose });
      return Math.abs(poseOfFrame(problem, 17, new Float64Array(rest.positions.length))[lone + 2] - 0.007);
    };
    expect(await residual()).toBeGreaterThan(0.005);
    expect(await residual(1e-4)).toBeLessThan(1e-4);
  });

  /** A noisy sheet of so many frames, reduced: its rank, and the largest loss of a vertex, as a root mean square over the frames. */
  async function reduceNoise(frameCount: number, tolerance: number, mayLose?: number) {
    const noisy = noisySheet(5, 12, 8, frameCount);
    const frames: Float32Array[] = [];
    for (let k = 0; k < frameCount; k++) frames.push((await noisy.readFrame(k)).slice());
    const problem = await reduceSequence(memorySequence('noise', noisy.rest, frames), tolerance, {
      mayLose,
    });
    const lost = new Float64Array(problem.vertexCount); // squared, in all frames together
    const pose = new Float64Array(3 * problem.vertexCount);
    frames.forEach((frame, k) => {
      poseOfFrame(problem, k, pose).forEach((x, c) => {
        lost[Math.floor(c / 3)] += (x - (frame[c] - problem.centre[c % 3]) / problem.diagonal) ** 2;
      });
    });
    return { ...problem, lost, worst: Math.sqrt(Math.max(...lost) / frameCount) };
  }

  it.each([6, 150])(
    'discards no more of a vertex than it may, where that is bounded: %i frames',
    async (frameCount) => {
      const free = await reduceNoise(frameCount, 7e-3);
      const mayLose = 0.9 * free.worst;
      const bounded = await reduceNoise(frameCount, 7e-3, mayLose);
      expect(bounded.worst).toBeLessThanOrEqual(mayLose);
      expect(bounded.worst).toBeGreaterThan(0.7 * mayLose);
      expect(bounded.rank).toBeGreaterThan(free.rank);
      expect(bounded.rank).toBeLessThan(3 * frameCount);
      expect(bounded.discarded).toBeCloseTo(
        bounded.lost.reduce((sum, x) => sum + x),
        9,
      );
    },
  );

  it('keeps no more of each vertex because there are more frames', async () => {
    for (const frameCount of [6, 150]) {
      const free = await reduceNoise(frameCount, 0.02);
      expect((await reduceNoise(frameCount, 0.02, 0.04)).rank).toBe(free.rank);
    }
  });

  it('takes no room for rows that do not come', async () => {
    const rest = sheet(300, 300); // 90,601 vertices: 192 rows are 139 MB
    const sequence = memorySequence('short', rest, [rest.positions, rest.positions]);
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    await reduceSequence(sequence, 1e-5, {
      onProgress: () => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      },
    });
    expect(most).toBeLessThan(50e6);
  });
});
