import { integerDescent } from '../../math/integer-simplex.ts';
import type { BoneSolver, Solution } from '../bone-solver.ts';
import type { BoneProducts } from '../engine/bone-products.ts';
import { emptySupport, type FitProblem, type Support } from '../problem.ts';
import { PULL } from '../refine.ts';
import { errorGram } from './vertex-gram.ts';

/** Bones and weights in turn, this often: the first turn brings most, rigid and TRS bones need a few. */
const ROUNDS = 4;

/**
 * A solution whose weights are whole numbers of 1/levels (255 for 8 bits, 65535 for 16), with bones that suit them. The
 * result is what a file will hold: it has the weights that its writer would round to. Errors half-way between frames count
 * by `steadiness`.
 */
export async function quantizeSolution<Bones>(
  solver: BoneSolver<Bones>,
  solution: Solution<Bones>,
  levels: number,
  steadiness = 0,
): Promise<Solution<Bones>> {
  const { problem, kind } = solver;
  let { bones } = solution;
  let support = quantizeSupport(problem, kind.products(problem, bones), solution.support, levels);
  for (let round = 0; round < ROUNDS; round++) {
    bones = await solver.solveBones(support, bones, PULL, steadiness);
    support = quantizeSupport(problem, kind.products(problem, bones), support, levels);
  }
  return { bones, support, error: supportError(problem, kind.products(problem, bones), support) };
}

/**
 * Weights in whole numbers of 1/levels, by descent on each vertex's own error. No bone is added to a vertex; those that
 * end at 0 leave it.
 */
export function quantizeSupport(
  problem: FitProblem,
  products: BoneProducts,
  support: Support,
  levels: number,
): Support {
  const { influences } = support;
  const out = emptySupport(problem.vertexCount, influences);
  for (let i = 0; i < problem.vertexCount; i++) {
    const n = support.count[i];
    const at = i * influences;
    const joints = support.joints.subarray(at, at + n);
    const weights = support.weights.slice(at, at + n);
    integerDescent(errorGram(problem, products, i, joints), n, weights, levels);
    for (let s = 0; s < n; s++) {
      if (weights[s] === 0) continue;
      out.joints[at + out.count[i]] = joints[s];
      out.weights[at + out.count[i]] = weights[s] / levels;
      out.count[i]++;
    }
  }
  return out;
}

/** Sum of squared errors, mass-weighted, in squared diagonals. */
export function supportError(problem: FitProblem, products: BoneProducts, support: Support): number {
  let total = 0;
  for (let i = 0; i < problem.vertexCount; i++) {
    const n = support.count[i];
    const at = i * support.influences;
    const g = errorGram(problem, products, i, support.joints.subarray(at, at + n));
    for (let s = 0; s < n; s++) {
      const w = problem.mass[i] * support.weights[at + s];
      for (let t = 0; t < n; t++) total += w * g[s * n + t] * support.weights[at + t];
    }
  }
  return Math.max(0, total); // differences of squares: an exact fit may end below 0
}
