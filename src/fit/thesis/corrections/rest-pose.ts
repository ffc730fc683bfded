import { type FitProblem, monomialsOf, type Support } from '../../../decompose/problem.ts';
import { choleskyFactor, choleskySolve } from '../../../math/cholesky.ts';
import { VertexQuadratics } from './vertex-quadratic.ts';

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
