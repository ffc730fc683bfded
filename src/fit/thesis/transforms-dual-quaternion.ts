import { type FitProblem, HOMOGENEOUS, type Support } from '../../decompose/problem.ts';
import { DUAL_STRIDE, matrix34FromDual } from '../../math/dual-quaternion.ts';
import { polar3 } from '../../math/svd3.ts';
import { rotationAngle } from '../../measure/facet-deformation.ts';
import type { RunOptions } from '../../model/options.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type LinearOperator, type LsqrOptions, lsqr } from './lsqr.ts';
import { type LsqrTransforms, solveFrames } from './transforms-lsqr.ts';

/**
 * Rigid transforms as dual quaternions, pose by pose with LSQR: Antonopoulos 2010 (3.10)–(3.14) after Kavan et al.
 * 2007. With the real part of every quaternion set to 1, q₀ = 1 + x, asking that Σ w_b·q̂_b moves v to v' is linear in
 * the seven other numbers:
 *
 *   2·q_εw + (v' − v)·x = 0,   2·q_ε − (v' + v) × x = v' − v.
 *
 * A half turn has real part 0 and cannot be written so: x grows without bound as an angle nears 180°, and the residual,
 * being algebraic, does not tell. `halfTurns` names the bones and frames where the motion of the bone's own vertices, found
 * by Procrustes analysis, comes near.
 */
export interface DualQuaternionTransforms extends LsqrTransforms {
  /** 8·B·P, bone by bone for each frame: q₀ = (x, y, z, 1) and q_ε (x, y, z, w), as solved: not of unit length. */
  dualQuaternions: Float64Array;
  halfTurns: { bone: number; frame: number; angle: number }[];
}

/** Rotations beyond this are reported as half turns, radians: there the quaternion's vector part exceeds 11. */
const HALF_TURN = (170 * Math.PI) / 180;

export function solveDualQuaternions(
  problem: FitProblem,
  support: Support,
  boneCount: number,
  options: Partial<LsqrOptions> = {},
  run: RunOptions = {},
): DualQuaternionTransforms {
  const { frameCount, vertexCount, rest, mass } = problem;
  const columns = 3 * frameCount;
  const dualQuaternions = new Float64Array(DUAL_STRIDE * boneCount * frameCount);
  const bones = new Float64Array(4 * boneCount * columns);
  const halfTurns: DualQuaternionTransforms['halfTurns'] = [];
  const right = new Float64Array(4 * vertexCount);
  const matrix = new Float64Array(MATRIX_STRIDE);
  const solved = solveFrames(problem, run, (k, pose) => {
    for (let i = 0; i < vertexCount; i++) {
      // (3.13); the weights of a vertex sum to 1.
      for (let c = 0; c < 3; c++) right[4 * i + 1 + c] = Math.sqrt(mass[i]) * (pose[3 * i + c] - rest[4 * i + c]);
    }
    const solution = lsqr(dualQuaternionOperator(problem, support, boneCount, pose), right, options);
    for (let b = 0; b < boneCount; b++) {
      const [x, y, z, ew, ex, ey, ez] = solution.x.subarray(7 * b, 7 * b + 7);
      const o = DUAL_STRIDE * (k * boneCount + b);
      dualQuaternions.set([x, y, z, 1, ex, ey, ez, ew], o);
      matrix34FromDual(matrix, 0, dualQuaternions, o);
      for (let d = 0; d < 3; d++) {
        for (let c = 0; c < 4; c++) {
          bones[(4 * b + c) * columns + 3 * k + d] = matrix[4 * d + c] / (c === 3 ? HOMOGENEOUS : 1);
        }
      }
    }
    rotationAngles(problem, support, boneCount, pose).forEach((angle, bone) => {
      if (angle > HALF_TURN) halfTurns.push({ bone, frame: k, angle });
    });
    return solution;
  });
  return { dualQuaternions, bones, halfTurns, ...solved };
}

/** (3.12) for one pose: rows 4i … 4i + 3, columns 7b … 7b + 6 in the order of (3.14). */
function dualQuaternionOperator(
  problem: FitProblem,
  support: Support,
  boneCount: number,
  pose: Float64Array,
): LinearOperator {
  const { vertexCount, rest, mass } = problem;
  const k = support.influences;
  /** For every influence: √mass·w, its column, and v' − v and v' + v of the vertex. */
  const forEach = (visit: (i: number, w: number, o: number, minus: Float64Array, plus: Float64Array) => void): void => {
    const minus = new Float64Array(3);
    const plus = new Float64Array(3);
    for (let i = 0; i < vertexCount; i++) {
      for (let c = 0; c < 3; c++) {
        minus[c] = pose[3 * i + c] - rest[4 * i + c];
        plus[c] = pose[3 * i + c] + rest[4 * i + c];
      }
      for (let s = i * k; s < i * k + support.count[i]; s++) {
        visit(i, Math.sqrt(mass[i]) * support.weights[s], 7 * support.joints[s], minus, plus);
      }
    }
  };
  return {
    rows: 4 * vertexCount,
    columns: 7 * boneCount,
    multiply(y, x) {
      forEach((i, w, o, minus, plus) => {
        y[4 * i] += w * (minus[0] * x[o] + minus[1] * x[o + 1] + minus[2] * x[o + 2] + 2 * x[o + 3]);
        for (let c = 0; c < 3; c++) {
          const [p, q] = NEXT[c];
          y[4 * i + 1 + c] += w * (plus[q] * x[o + p] - plus[p] * x[o + q] + 2 * x[o + 4 + c]);
        }
      });
    },
    multiplyTransposed(x, y) {
      forEach((i, w, o, minus, plus) => {
        const first = w * y[4 * i];
        x[o + 3] += 2 * first;
        for (let c = 0; c < 3; c++) {
          const [p, q] = NEXT[c];
          const wy = w * y[4 * i + 1 + c];
          x[o + c] += minus[c] * first;
          x[o + p] += plus[q] * wy;
          x[o + q] -= plus[p] * wy;
          x[o + 4 + c] += 2 * wy;
        }
      });
    },
  };
}

/** The two coordinates after each, in cyclic order. */
const NEXT = [
  [1, 2],
  [2, 0],
  [0, 1],
] as const;

/** Rotation angle of each bone: polar decomposition of the covariance of its vertices, weighted by w_ib. */
function rotationAngles(problem: FitProblem, support: Support, boneCount: number, pose: Float64Array): Float64Array {
  const { rest, mass, vertexCount } = problem;
  const k = support.influences;
  // Sums of w, w·v, w·v' and w·v'·vᵀ.
  const sums = new Float64Array(16 * boneCount);
  for (let i = 0; i < vertexCount; i++) {
    for (let s = i * k; s < i * k + support.count[i]; s++) {
      const o = 16 * support.joints[s];
      const w = mass[i] * support.weights[s];
      sums[o] += w;
      for (let d = 0; d < 3; d++) {
        sums[o + 1 + d] += w * rest[4 * i + d];
        sums[o + 4 + d] += w * pose[3 * i + d];
        for (let c = 0; c < 3; c++) sums[o + 7 + 3 * d + c] += w * pose[3 * i + d] * rest[4 * i + c];
      }
    }
  }
  const covariance = new Float64Array(9);
  const r = new Float64Array(9);
  const stretch = new Float64Array(9);
  return Float64Array.from({ length: boneCount }, (_, b) => {
    const o = 16 * b;
    if (sums[o] === 0) return 0;
    for (let d = 0; d < 3; d++) {
      for (let c = 0; c < 3; c++) {
        covariance[3 * d + c] = sums[o + 7 + 3 * d + c] - (sums[o + 4 + d] * sums[o + 1 + c]) / sums[o];
      }
    }
    polar3(r, stretch, covariance);
    return rotationAngle(r);
  });
}
