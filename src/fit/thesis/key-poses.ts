import type { FitProblem } from '../../decompose/problem.ts';
import { multiply } from '../../math/dense.ts';
import { FarthestPoints } from '../../math/farthest-points.ts';

/**
 * A few frames that stand for all of them. A sum over all frames of something that costs memory per frame (the quadrics of
 * Antonopoulos 2010, (4.3)) becomes a sum over K of them, each counting as often as there are frames nearest to it:
 * exact when K = P, and bounded by the mesh however many frames there are.
 */
export interface KeyPoses {
  /** Frame numbers, in the order in which they were chosen. */
  frames: number[];
  /** How many frames each stands for. */
  weights: number[];
}

/**
 * Farthest-point sampling of the frames by root mean square distance of the vertices, translation apart. The axes of the
 * basis are principal, ZᵀZ = diag(s²) and zero elsewhere, so that the distance of two frames is that of two rows of U·diag(s).
 */
export function keyPoses(problem: FitProblem, count: number): KeyPoses {
  const { rank, z, basis, frameCount, vertexCount } = problem;
  const energy = new Float64Array(rank);
  const sum = new Float64Array(rank);
  for (let i = 0; i < vertexCount; i++) {
    for (let c = 0; c < rank; c++) {
      energy[c] += z[i * rank + c] ** 2;
      sum[c] += z[i * rank + c];
    }
  }
  const distance2 = (k: number, l: number): number => {
    let total = 0;
    for (let d = 0; d < 3; d++) {
      let mean = 0;
      for (let c = 0; c < rank; c++) {
        const difference = basis[(3 * k + d) * rank + c] - basis[(3 * l + d) * rank + c];
        total += energy[c] * difference * difference;
        mean += sum[c] * difference;
      }
      total -= (mean * mean) / vertexCount;
    }
    return total;
  };

  const sample = new FarthestPoints(frameCount, distance2);
  while (sample.chosen.length < Math.min(count, frameCount)) sample.choose(sample.farthest());
  const weights = sample.chosen.map(() => 0);
  for (const f of sample.nearest) weights[f]++;
  return { frames: sample.chosen, weights };
}

/** The positions (3N each) of some frames, by one matrix product. */
export function posesOfFrames(problem: FitProblem, frames: readonly number[]): Float64Array[] {
  const { vertexCount, rank, z, basis } = problem;
  const columns = 3 * frames.length;
  const chosen = new Float64Array(rank * columns);
  frames.forEach((k, f) => {
    for (let d = 0; d < 3; d++) {
      for (let c = 0; c < rank; c++) chosen[c * columns + 3 * f + d] = basis[(3 * k + d) * rank + c];
    }
  });
  const all = multiply(new Float64Array(vertexCount * columns), z, chosen, vertexCount, rank, columns);
  return frames.map((_, f) => {
    const pose = new Float64Array(3 * vertexCount);
    for (let i = 0; i < vertexCount; i++) {
      for (let d = 0; d < 3; d++) pose[3 * i + d] = all[i * columns + 3 * f + d];
    }
    return pose;
  });
}

/** The rest pose as 3N positions. */
export function restPoseOf(problem: FitProblem): Float64Array {
  const pose = new Float64Array(3 * problem.vertexCount);
  for (let i = 0; i < problem.vertexCount; i++) pose.set(problem.rest.subarray(4 * i, 4 * i + 3), 3 * i);
  return pose;
}
