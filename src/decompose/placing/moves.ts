import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { BoneSolver, Solution } from '../bone-solver.ts';
import { copySupport } from '../problem.ts';
import { type RefineOptions, refine } from '../refine.ts';
import { growBones } from './patches.ts';
import { mostPromisingPatch } from './promising-patch.ts';
import { removeOldBone } from './removal.ts';

/**
 * Moves that alternating refinement cannot make: a bone leaves where it is hardly missed and starts anew where the error
 * is. Each try adds a bone at the most promising of several patches, refines a little, removes the old bone that is missed
 * least, refines, and is kept if the error fell.
 *
 * The new bone is never the one to go, though it often looks cheapest: the others have had no time to make use of it, and
 * without it everything is as it was. Half of the tries used to end that way.
 */
export interface MoveOptions {
  maxTries: number;
  /** Stop after this many tries in a row that hardly helped. */
  maxFailures: number;
  /** Rounds after the removal. */
  polish: RefineOptions;
}

/** A move that lowers the squared error by less than this fraction is kept, but counts as a failure. */
const WORTHWHILE_GAIN = 5e-3;
/** A move that is this much worse when the weights, or the first few rounds, have been solved will not make up for it. */
const HOPELESS = { weights: 0.7, rounds: 0.04 };
/** Iterations with one bone too many, and again after one was removed. */
const SETTLE: RefineOptions = { maxIterations: 4, tolerance: 0 };

export async function improveByMoves<Bones>(
  solver: BoneSolver<Bones>,
  start: Solution<Bones>,
  options: MoveOptions,
  run: RunOptions = {},
): Promise<Solution<Bones> & { accepted: number; tries: number }> {
  let best = start;
  let failures = 0;
  let accepted = 0;
  let tries = 0;
  const tabu = new Uint8Array(solver.problem.vertexCount);
  const quiet: RunOptions = { signal: run.signal };
  for (; tries < options.maxTries && failures < options.maxFailures; tries++) {
    await checkpoint(run, 'fit', tries, options.maxTries, 'moving bones');
    const patch = mostPromisingPatch(solver, best, tabu);
    if (!patch) break;
    for (const i of patch.vertices) tabu[i] = 1;

    const grown = { bones: growBones(solver, best.bones, [patch]), support: copySupport(best.support) };
    const larger = await refine(solver, grown, SETTLE, quiet);
    const smaller = await removeOldBone(solver, larger);
    const tried =
      smaller.error > best.error * (1 + HOPELESS.weights)
        ? smaller
        : await settleAndPolish(solver, smaller, best.error, options.polish, quiet);
    const gain = 1 - tried.error / best.error;
    if (gain > 0) {
      best = tried;
      accepted++;
    }
    if (gain > WORTHWHILE_GAIN) {
      failures = 0;
      tabu.fill(0);
    } else failures++;
  }
  return { ...best, accepted, tries };
}

/** A few rounds, and the rest of them if these give hope to end below `goal`. */
async function settleAndPolish<Bones>(
  solver: BoneSolver<Bones>,
  start: Solution<Bones>,
  goal: number,
  polish: RefineOptions,
  run: RunOptions,
): Promise<Solution<Bones>> {
  const settled = await refine(solver, start, SETTLE, run);
  if (settled.error > goal * (1 + HOPELESS.rounds)) return settled;
  return refine(solver, settled, polish, run);
}
