import { projectToBasis } from '../../../decompose/bones/bone-frames.ts';
import type { FitProblem, Support } from '../../../decompose/problem.ts';
import { multiply, transpose } from '../../../math/dense.ts';

/**
 * The squared error of one vertex over all frames is a quadratic of its rest position ṽ and of its weights, whose
 * coefficients need only inner products of bones: with K_bc = Σ_p M_bᵖᵀ·M_cᵖ (4 × 4) and h_b = Σ_p M_bᵖᵀ·vᵖ (4)
 *
 *   error = |z|² − 2·Σ_b w_b·h_bᵀṽ + Σ_bc w_b·w_c·ṽᵀK_bc·ṽ.
 *
 * Its cost does not depend on the number of frames.
 */
export class VertexQuadratics {
  readonly problem: FitProblem;
  /** 4B × 4B. */
  readonly #gram: Float64Array;
  /** 4B × r. */
  readonly #reduced: Float64Array;
  readonly #size: number;

  /** @param bones 4B × 3P. */
  constructor(problem: FitProblem, bones: Float64Array) {
    const columns = 3 * problem.frameCount;
    this.problem = problem;
    this.#size = bones.length / columns;
    this.#reduced = projectToBasis(problem, bones);
    const bonesT = transpose(new Float64Array(bones.length), bones, this.#size, columns);
    this.#gram = multiply(new Float64Array(this.#size ** 2), bones, bonesT, this.#size, columns, this.#size);
  }

  /** In ṽ, for given weights: q (4 × 4) = Σ_bc w_b·w_c·K_bc and p (4) = Σ_b w_b·h_b, error = |z|² − 2·pᵀṽ + ṽᵀqṽ. */
  ofRest(support: Support, i: number, q: Float64Array, p: Float64Array): void {
    const { rank, z } = this.problem;
    q.fill(0);
    p.fill(0);
    const first = i * support.influences;
    for (let s = first; s < first + support.count[i]; s++) {
      for (let c = 0; c < 4; c++) {
        const row = 4 * support.joints[s] + c;
        p[c] += support.weights[s] * this.#project(row, z, i * rank);
        for (let t = first; t < first + support.count[i]; t++) {
          const o = row * this.#size + 4 * support.joints[t];
          const w = support.weights[s] * support.weights[t];
          for (let d = 0; d < 4; d++) q[4 * c + d] += w * this.#gram[o + d];
        }
      }
    }
  }

  #project(row: number, z: Float64Array, o: number): number {
    const { rank } = this.problem;
    let sum = 0;
    for (let e = 0; e < rank; e++) sum += this.#reduced[row * rank + e] * z[o + e];
    return sum;
  }
}
