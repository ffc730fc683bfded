import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { BoneSolver, Solution } from './bone-solver.ts';
import { halfWayError } from './bones/steadiness.ts';
import { copySupport } from './problem.ts';
import { PULL } from './refine.ts';

/**
 * The last rounds of a fit: bones that move as steadily between frames as the error at the frames allows. Many solutions
 * are nearly as good as the best one; of these the one is wanted that shows most of it half-way, too. The weight of errors
 * half-way rises from level to level, bones and the weights on their supports are solved in turn, and the last solution
 * counts whose error at keys has not risen by more than `allowance`.
 *
 * (As a part of all rounds it costs more: at a tenth of the last level 12 % at the keys of a galloping horse, and poses
 * that follow no motion at all are smeared.)
 */

/** The weights λ of errors half-way: see steadiness.ts. */
const LEVELS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2];
const ROUNDS = 2;
/** Squared errors half-way below this fraction of those at keys are left alone. */
const NEGLIGIBLE = 1e-2;

export interface Settled<Bones> extends Solution<Bones> {
  /** The λ that was reached; bones solved again later should count it. */
  steadiness: number;
}

/** @param allowance by how much the root mean square error may rise, in % of it. */
export async function settle<Bones>(
  solver: BoneSolver<Bones>,
  solution: Solution<Bones>,
  allowance: number,
  run: RunOptions = {},
): Promise<Settled<Bones>> {
  const { problem, kind, engine } = solver;
  const boneCount = solver.count(solution.bones);
  const bound = solution.error * (1 + allowance / 100) ** 2;
  let best: Settled<Bones> = { ...solution, steadiness: 0 };
  if (allowance === 0) return best;
  await checkpoint(run, 'fit', 0, 1, 'settling');
  let equations = await engine.normalEquations(solution.support, boneCount);
  const halfWay = halfWayError(problem, equations, kind.frames(problem, solution.bones));
  if (halfWay <= NEGLIGIBLE * solution.error) return best;
  let { bones } = solution;
  const support = copySupport(solution.support);
  const rounds = LEVELS.flatMap((level) => new Array<number>(ROUNDS).fill(level));
  let misses = 0;
  for (const [round, steadiness] of rounds.entries()) {
    await checkpoint(run, 'fit', round, rounds.length, 'settling');
    bones = kind.solve(problem, equations, bones, PULL, steadiness);
    const error = await solver.solveWeights(bones, support, { exchange: false });
    misses = error > bound ? misses + 1 : 0;
    if (misses === 0) best = { bones, support: copySupport(support), error, steadiness };
    if (misses === ROUNDS) break;
    equations = await engine.normalEquations(support, boneCount);
  }
  return best;
}
