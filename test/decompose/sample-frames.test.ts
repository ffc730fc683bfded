import { describe, expect, it } from 'vitest';
import { bird } from '../../bench/fit-growth-cases.ts';
import { projectToBasis } from '../../src/decompose/bones/bone-frames.ts';
import { sampledFrames, selectFrames, spreadFrames } from '../../src/decompose/sampling/sample-frames.ts';
import { problemOf } from './rigs.ts';

/** Squared distance of two vertices over all frames of a problem. */
const distance2 = ({ z, rank }: { z: Float64Array; rank: number }, i: number, j: number): number => {
  let sum = 0;
  for (let e = 0; e < rank; e++) sum += (z[i * rank + e] - z[j * rank + e]) ** 2;
  return sum;
};

describe('a sample of the frames', () => {
  it('is not taken of short motions', async () => {
    expect(sampledFrames(await problemOf(bird(8, 60)))).toBeUndefined();
  });

  it('is spread over long ones, rising, and has more frames where the mesh moves', async () => {
    const still = bird(8, 200);
    const half = { ...still, readFrame: (k: number, out?: Float32Array) => still.readFrame(Math.max(100, k), out) };
    const frames = sampledFrames(await problemOf(half))!;
    expect(frames.length).toBeGreaterThanOrEqual(47);
    expect(frames.length).toBeLessThanOrEqual(48);
    expect(frames.every((k, f) => f === 0 || k > frames[f - 1])).toBe(true);
    const moving = frames.filter((k) => k >= 100).length;
    expect(moving / frames.length).toBeCloseTo(0.75, 1);
  });

  it('has the distances that its frames have', async () => {
    const whole = bird(8, 30);
    const chosen = [2, 3, 11, 29];
    const some = selectFrames(await problemOf(whole), Uint32Array.from(chosen));
    const alone = await problemOf({
      ...whole,
      frameCount: chosen.length,
      times: Float64Array.from(chosen),
      readFrame: (k, out) => whole.readFrame(chosen[k], out),
    });
    expect(some.frameCount).toBe(4);
    expect(some.rank).toBeLessThanOrEqual(12);
    for (const [i, j] of [
      [0, 1],
      [3, 40],
      [17, 30],
    ]) {
      expect(distance2(some, i, j)).toBeCloseTo(distance2(alone, i, j), 7);
    }
    // The basis is orthonormal: what it projects comes back.
    const gram = projectToBasis(some, transposed(some.basis, some.rank));
    expect(gram.every((x, c) => Math.abs(x - (c % (some.rank + 1) === 0 ? 1 : 0)) < 1e-9)).toBe(true);
  });

  it('keeps its bones, and those between lie on straight lines', async () => {
    const problem = await problemOf(bird(4, 5));
    const frames = Uint32Array.of(1, 3);
    const bones = Float64Array.of(1, 2, 3, 5, 6, 7);
    const spread = spreadFrames(problem, bones, frames);
    expect(Array.from(spread)).toEqual([1, 2, 3, 1, 2, 3, 3, 4, 5, 5, 6, 7, 5, 6, 7]);
  });
});

/** Columns of a basis (n × r) as rows. */
const transposed = (basis: Float64Array, rank: number): Float64Array =>
  basis.map((_, c) => basis[(c % (basis.length / rank)) * rank + Math.floor(c / (basis.length / rank))]);
