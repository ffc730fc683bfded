import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { BoneSolver, Solution } from '../bone-solver.ts';
import { copySupport } from '../problem.ts';
import { type RefineOptions, refine } from '../refine.ts';
import { tellSolution, type WatchedRun } from '../so-far.ts';
import { growBones } from './patches.ts';
import { promisingPatches } from './promising-patch.ts';
import { removeOldBones } from './removal.ts';

/**
 * Moves that alternating refinement cannot make: a bone leaves where it is hardly missed and starts anew where the error
 * is. Each try adds a bone at the most promising of several patches, refines a little, removes the old bone that is missed
 * least, refines, and is kept if the error fell.
 *
 * The new bone is never the one to go, though it often looks cheapest: the others have had no time to make use of it, and
 * without it everything is as it was. Half of the tries used to end that way.
 *
 * A move only changes its surroundings, but all vertices and bones are solved for it. So many bones move several at once, in
 * places that have nothing to do with each other: as fast as if each were solved alone with what is near it.
 */
export interface MoveOptions {
  maxTries: number;
  /** Stop after this many tries in a row that hardly helped. */
  maxFailures: number;
  /** Rounds after the removal. */
  polish: RefineOptions;
}

/** Of so many bones one moves at a time; of twice as many, two. */
const BONES_PER_MOVE = 20;

/** How many of B bones move at once. */
export const movedAtOnce = (bones: number): number => Math.max(1, Math.floor(bones / BONES_PER_MOVE));

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
  run: WatchedRun = {},
): Promise<Solution<Bones> & { accepted: number; tries: number }> {
  let best = start;
  let failures = 0;
  let accepted = 0;
  let tries = 0;
  const tabu = new Uint8Array(solver.problem.vertexCount);
  const quiet: RunOptions = { signal: run.signal };
  let atOnce = movedAtOnce(solver.count(start.bones));
  // Fewer at once take as long.
  const leastCounted = atOnce;
  while (tries < options.maxTries && failures < options.maxFailures) {
    await checkpoint(run, 'fit', tries, options.maxTries, 'moving bones');
    const patches = promisingPatches(solver, best, tabu, atOnce);
    if (patches.length === 0) break;
    for (const { vertices } of patches) for (const i of vertices) tabu[i] = 1;
    tries += Math.max(patches.length, leastCounted);

    const grown = { bones: growBones(solver, best.bones, patches), support: copySupport(best.support) };
    const larger = await refine(solver, grown, SETTLE, quiet);
    const smaller = await removeOldBones(solver, larger, patches.length);
    const tried =
      smaller.error > best.error * (1 + HOPELESS.weights)
        ? smaller
        : await settleAndPolish(solver, smaller, best.error, options.polish, quiet);
    const gain = 1 - tried.error / best.error;
    if (gain > 0) {
      best = tried;
      tellSolution(solver, best, run);
      accepted += patches.length;
    } else atOnce = Math.max(1, atOnce >> 1);
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
