import { throwIfCancelled } from '../error.ts';
import type { RunOptions } from '../model/options.ts';
import type { BoneKind } from './bone-kinds.ts';
import { assembleNormalEquations } from './normal-equations.ts';
import { copySupport, type FitProblem, type Support, type VertexNeighbours } from './problem.ts';
import { solveWeights } from './weights.ts';

/**
 * Alternating refinement: weights, then transforms, with Nesterov's momentum on the bones (reset when the error rises).
 * Anderson acceleration and over-relaxation were worse.
 */
export interface RefineOptions {
  maxIterations: number;
  /** Relative decrease of the squared error per iteration below which the loop ends. */
  tolerance: number;
}

export interface RefineResult<Bones> {
  bones: Bones;
  support: Support;
  /** Sum of squared errors, in squared diagonals. */
  error: number;
  iterations: number;
  converged: boolean;
}

const MAX_MOMENTUM = 0.95;

export function refine<Bones>(
  problem: FitProblem,
  kind: BoneKind<Bones>,
  start: Bones,
  support: Support,
  neighbours: VertexNeighbours,
  options: RefineOptions,
  run: RunOptions = {},
): RefineResult<Bones> {
  let bones = start;
  let previous = start;
  let momentum = 0;
  let lastError = Infinity;
  let converged = false;
  let iterations = 0;
  for (; iterations < options.maxIterations; iterations++) {
    throwIfCancelled(run.signal, 'fit');
    run.onProgress?.(iterations, options.maxIterations, 'refining');
    const beta = Math.min(MAX_MOMENTUM, momentum / (momentum + 3));
    const ahead = beta > 0 ? kind.extrapolate(problem, previous, bones, beta) : bones;
    const error = solveWeights(problem, kind.products(problem, ahead), support, {
      exchange: true,
      neighbours: iterations % 2 === 1 ? neighbours : undefined,
    });
    previous = bones;
    bones = kind.solve(problem, assembleNormalEquations(problem, support, kind.count(problem, bones)), ahead);
    const rising = error > lastError;
    momentum = rising ? 0 : momentum + 1;
    const decrease = (lastError - error) / lastError;
    lastError = error;
    if (!rising && decrease < options.tolerance) {
      converged = true;
      iterations++;
      break;
    }
  }
  const error = solveWeights(problem, kind.products(problem, bones), support, { exchange: true });
  return { bones, support: copySupport(support), error, iterations, converged };
}
