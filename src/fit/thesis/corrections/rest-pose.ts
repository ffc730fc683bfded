import { projectToBasis } from '../../../decompose/bones/bone-frames.ts';
import { type FitProblem, monomialsOf, type Support } from '../../../decompose/problem.ts';
import { choleskyFactor, choleskySolve } from '../../../math/cholesky.ts';
import { multiply, transpose } from '../../../math/dense.ts';

/**
 * Rest-pose correction, Antonopoulos 2010 (5.8)–(5.12): for every vertex the displacement e of its rest position that
 * minimises the squared error over all poses, Σ_p ‖L_p·e − (v_p − v'_p)‖² with L_p the linear part of the blended
 * matrix. A 3 × 3 system per vertex; a little damping keeps vertices whose matrices are all singular in place, and
 * cannot raise the error.
 *
 * @param bones 4B × 3P.
 * @returns the same problem with the corrected rest pose.
 */
export function correctRestPose(problem: FitProblem, support: Support, bones: Float64Array): FitProblem {
  const quadratics = new VertexQuadratics(problem, bones);
  const rest = problem.rest.slice();
  const q = new Float64Array(16);
  const p = new Float64Array(4);
  const normal = new Float64Array(9);
  const e = new Float64Array(3);
  for (let i = 0; i < problem.vertexCount; i++) {
    quadratics.ofRest(support, i, q, p);
    for (let c = 0; c < 3; c++) {
      // The right-hand side Lᵀ(v_p − v'_p) is p − q·ṽ.
      let qv = 0;
      for (let d = 0; d < 4; d++) qv += q[4 * c + d] * rest[4 * i + d];
      e[c] = p[c] - qv;
      for (let d = 0; d < 3; d++) normal[3 * c + d] = q[4 * c + d];
    }
    const damping = DAMPING * (normal[0] + normal[4] + normal[8]);
    for (let c = 0; c < 3; c++) normal[4 * c] += damping;
    if (!choleskyFactor(normal, 3)) continue; // all of its matrices are 0: nothing moves this vertex
    choleskySolve(normal, 3, e, 1);
    for (let c = 0; c < 3; c++) rest[4 * i + c] += e[c];
  }
  return { ...problem, rest, monomials: monomialsOf(rest) };
}

/** As a fraction of the trace of the normal matrix. */
const DAMPING = 1e-9;

/**
 * The squared error of one vertex over all frames is a quadratic of its rest position ṽ and of its weights, whose
 * coefficients need only inner products of bones: with K_bc = Σ_p M_bᵖᵀ·M_cᵖ (4 × 4) and h_b = Σ_p M_bᵖᵀ·vᵖ (4)
 *
 *   error = |z|² − 2·Σ_b w_b·h_bᵀṽ + Σ_bc w_b·w_c·ṽᵀK_bc·ṽ.
 *
 * Its cost does not depend on the number of frames.
 */
class VertexQuadratics {
  readonly #problem: FitProblem;
  /** 4B × 4B. */
  readonly #gram: Float64Array;
  /** 4B × r. */
  readonly #reduced: Float64Array;
  readonly #size: number;

  /** @param bones 4B × 3P. */
  constructor(problem: FitProblem, bones: Float64Array) {
    const columns = 3 * problem.frameCount;
    this.#problem = problem;
    this.#size = bones.length / columns;
    this.#reduced = projectToBasis(problem, bones);
    const bonesT = transpose(new Float64Array(bones.length), bones, this.#size, columns);
    this.#gram = multiply(new Float64Array(this.#size ** 2), bones, bonesT, this.#size, columns, this.#size);
  }

  /** In ṽ, for given weights: q (4 × 4) = Σ_bc w_b·w_c·K_bc and p (4) = Σ_b w_b·h_b, error = |z|² − 2·pᵀṽ + ṽᵀqṽ. */
  ofRest(support: Support, i: number, q: Float64Array, p: Float64Array): void {
    const { rank, z } = this.#problem;
    q.fill(0);
    p.fill(0);
    const first = i * support.influences;
    for (let s = first; s < first + support.count[i]; s++) {
      for (let c = 0; c < 4; c++) {
        const row = 4 * support.joints[s] + c;
        let h = 0;
        for (let e = 0; e < rank; e++) h += this.#reduced[row * rank + e] * z[i * rank + e];
        p[c] += support.weights[s] * h;
        for (let t = first; t < first + support.count[i]; t++) {
          const o = row * this.#size + 4 * support.joints[t];
          const w = support.weights[s] * support.weights[t];
          for (let d = 0; d < 4; d++) q[4 * c + d] += w * this.#gram[o + d];
        }
      }
    }
  }
}
