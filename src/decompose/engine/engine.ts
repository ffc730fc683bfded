import { assembleNormalEquations, type NormalEquations } from '../bones/normal-equations.ts';
import type { FitProblem, Support, VertexNeighbours } from '../problem.ts';
import { assignToBones, solveWeights } from '../weights/weights.ts';
import type { BoneProducts } from './bone-products.ts';

/**
 * The three passes over all vertices that take nearly all the time of a fit. Plain TypeScript here; the same on SIMD
 * kernels and several threads in kernel-engine.ts. Results do not depend on the engine beyond rounding, nor on the number
 * of threads at all.
 */
export interface FitEngine {
  readonly problem: FitProblem;
  readonly neighbours: VertexNeighbours;
  /** Improves `support` in place; returns the sum of squared errors. Fills `errors` (N, without mass) when given. */
  solveWeights(products: BoneProducts, support: Support, pass: WeightPass): Promise<number>;
  /** Each vertex to the bone that predicts it best. */
  assign(products: BoneProducts, assignment: Int32Array, errors: Float64Array): Promise<void>;
  normalEquations(support: Support, boneCount: number): Promise<NormalEquations>;
  /** Lets go of memory and threads. */
  dispose(): void;
}

export interface WeightPass {
  /** Try every bone as an exchange; otherwise only re-solve on the supports given. */
  exchange: boolean;
  /** Also try the supports of the neighbours. */
  neighbours?: boolean;
  errors?: Float64Array;
}

/** The reference engine: one thread, no WebAssembly. */
export function plainEngine(problem: FitProblem, neighbours: VertexNeighbours): FitEngine {
  return {
    problem,
    neighbours,
    solveWeights: async (products, support, pass) =>
      solveWeights(problem, products, support, { ...pass, neighbours: pass.neighbours ? neighbours : undefined }),
    assign: async (products, assignment, errors) => assignToBones(problem, products, assignment, errors),
    normalEquations: async (support, boneCount) => assembleNormalEquations(problem, support, boneCount),
    dispose() {},
  };
}
