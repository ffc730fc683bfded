import type { RunOptions } from '../model/options.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import type { BoneSolver, Solution } from './bone-solver.ts';
import { type FitProblem, massOf, type Support } from './problem.ts';

/** A solution that is not finished. */
export interface SoFar {
  /** 4B × 3P: see bone-frames.ts. */
  frames: Float64Array;
  support: Support;
  /** Root mean square error, in diagonals; of a sample, where the search is still on one. */
  rmse: number;
}

/** The same, as models have it. */
export interface BonesSoFar {
  bones: number;
  weights: SkinWeights;
  /** P·B·12, rest → pose. */
  transforms: Float32Array;
  /** % of the diagonal; of a sample of the vertices, where the search is still on one. */
  rmsePercent: number;
}

/** A run that somebody watches. */
export interface WatchedRun extends RunOptions {
  /** Called for solutions that are better than those before; to look at one takes time, and its support changes later. */
  onSolution?: (error: number, look: () => SoFar) => void;
}

/** Tells whoever watches. */
export function tellSolution<Bones>(
  { problem, kind }: BoneSolver<Bones>,
  { bones, support, error }: Solution<Bones>,
  run: WatchedRun,
): void {
  run.onSolution?.(error, () => ({ frames: kind.frames(problem, bones), support, rmse: rmseOf(problem, error) }));
}

const rmseOf = (problem: FitProblem, error: number): number =>
  Math.sqrt((error + problem.discarded) / (massOf(problem) * problem.frameCount));

/** The same run, which tells only of what is better, as `whole` makes it of the problem that is solved. */
export function watching<Run extends WatchedRun>(run: Run, whole: (found: SoFar) => SoFar = (found) => found): Run {
  const { onSolution } = run;
  if (!onSolution) return run;
  let least = Infinity;
  const tell: NonNullable<WatchedRun['onSolution']> = (error, look) => {
    if (error >= least) return;
    least = error;
    onSolution(error, () => whole(look()));
  };
  return { ...run, onSolution: tell };
}
