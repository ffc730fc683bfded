import type { BoneKind } from './bones/bone-kinds.ts';
import type { FitEngine, WeightPass } from './engine/engine.ts';
import type { FitProblem, Support, VertexNeighbours } from './problem.ts';

/** A solution of the decomposition, and how good it is. */
export interface Solution<Bones> {
  bones: Bones;
  support: Support;
  /** Sum of squared errors, mass-weighted, in squared diagonals. */
  error: number;
}

/** What every stage of a decomposition is made of: its two steps, for one problem and one kind of bones. */
export class BoneSolver<Bones> {
  readonly engine: FitEngine;
  readonly kind: BoneKind<Bones>;

  constructor(engine: FitEngine, kind: BoneKind<Bones>) {
    this.engine = engine;
    this.kind = kind;
  }

  get problem(): FitProblem {
    return this.engine.problem;
  }

  get neighbours(): VertexNeighbours {
    return this.engine.neighbours;
  }

  count(bones: Bones): number {
    return this.kind.count(this.problem, bones);
  }

  /** The weight step: improves `support` in place; returns the sum of squared errors. */
  solveWeights(bones: Bones, support: Support, pass: WeightPass): Promise<number> {
    return this.engine.solveWeights(this.kind.products(this.problem, bones), support, pass);
  }

  /** The transform step: the best bones for a support, slightly pulled towards `near`. */
  async solveBones(support: Support, near: Bones, pull: number, steadiness?: number): Promise<Bones> {
    const equations = await this.engine.normalEquations(support, this.count(near));
    return this.kind.solve(this.problem, equations, near, pull, steadiness);
  }

  /** Each vertex to the bone that predicts it best; `errors` are squared, without mass. */
  assign(bones: Bones, assignment: Int32Array, errors: Float64Array): Promise<void> {
    return this.engine.assign(this.kind.products(this.problem, bones), assignment, errors);
  }
}
