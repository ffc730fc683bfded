import { type FitProblem, monomialsOf, type Support } from '../../../decompose/problem.ts';
import { choleskyFactor, choleskySolve } from '../../../math/cholesky.ts';
import { VertexQuadratics } from './vertex-quadratic.ts';

/**
 * Rest-pose correction, Antonopoulos 2010 (5.8)–(5.12): for every vertex the displacement e of its rest position that
 * minimises the squared error over all poses, Σ_p ‖L_p·e − (v_p − v'_p)‖² with L_p the linear part of the blended
 * matrix. A 3 × 3 system per vertex; a little damping keeps vertices whose matrices are all singular in place, and
 * cannot raise the error.
 */
export interface RestPoseCorrection {
  /** The same problem with the corrected rest pose. */
  problem: FitProblem;
  /** 3N, in diagonals. */
  offsets: Float64Array;
  /** Sums of squared errors over vertices and frames, in squared diagonals. */
  errorBefore: number;
  errorAfter: number;
}

/** As a fraction of the trace of the normal matrix. */
const DAMPING = 1e-9;

/** @param bones 4B × 3P. */
export function correctRestPose(problem: FitProblem, support: Support, bones: Float64Array): RestPoseCorrection {
  const { vertexCount, mass, zNorm2 } = problem;
  const quadratics = new VertexQuadratics(problem, bones);
  const rest = problem.rest.slice();
  const offsets = new Float64Array(3 * vertexCount);
  const q = new Float64Array(16);
  const p = new Float64Array(4);
  const normal = new Float64Array(9);
  const e = new Float64Array(3);
  let errorBefore = 0;
  let errorAfter = 0;
  for (let i = 0; i < vertexCount; i++) {
    quadratics.ofRest(support, i, q, p);
    const v = problem.rest.subarray(4 * i, 4 * i + 4);
    // Gradient at ṽ: the right-hand side Lᵀ(v_p − v'_p) is p − q·ṽ.
    let error = zNorm2[i];
    for (let c = 0; c < 4; c++) {
      let qv = 0;
      for (let d = 0; d < 4; d++) qv += q[4 * c + d] * v[d];
      error += v[c] * (qv - 2 * p[c]);
      if (c < 3) e[c] = p[c] - qv;
    }
    errorBefore += mass[i] * Math.max(0, error);
    const right = e.slice();
    for (let c = 0; c < 3; c++) for (let d = 0; d < 3; d++) normal[3 * c + d] = q[4 * c + d];
    const damping = DAMPING * (normal[0] + normal[4] + normal[8]);
    for (let c = 0; c < 3; c++) normal[4 * c] += damping;
    if (choleskyFactor(normal, 3)) {
      choleskySolve(normal, 3, e, 1);
      for (let c = 0; c < 3; c++) {
        error -= 2 * right[c] * e[c];
        for (let d = 0; d < 3; d++) error += e[c] * q[4 * c + d] * e[d];
        offsets[3 * i + c] = e[c];
        rest[4 * i + c] += e[c];
      }
    } // else all of its matrices are 0: nothing moves this vertex
    errorAfter += mass[i] * Math.max(0, error);
  }
  return { problem: { ...problem, rest, monomials: monomialsOf(rest) }, offsets, errorBefore, errorAfter };
}
