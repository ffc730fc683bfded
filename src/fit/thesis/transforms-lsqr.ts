import { poseOfFrame } from '../../decompose/frames.ts';
import type { FitProblem, Support } from '../../decompose/problem.ts';
import { throwIfCancelled } from '../../error.ts';
import type { RunOptions } from '../../model/options.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type LinearOperator, type LsqrOptions, type LsqrResult, lsqr } from './lsqr.ts';

/**
 * Affine transforms pose by pose with LSQR, Antonopoulos 2010 (3.5)–(3.9): 3N equations in 12B unknowns. Kept for
 * comparison: x, y, z and all poses share one N × 4B matrix, so `solveAffine` finds the same bones with a single
 * factorisation.
 */
export interface LsqrTransforms {
  /** 4B × 3P. */
  bones: Float64Array;
  /** Summed over the poses. */
  iterations: number;
  /** Whether every pose reached the tolerance. */
  converged: boolean;
}

export function solveAffineLsqr(
  problem: FitProblem,
  support: Support,
  boneCount: number,
  options: Partial<LsqrOptions> = {},
  run: RunOptions = {},
): LsqrTransforms {
  const { frameCount, mass } = problem;
  const columns = 3 * frameCount;
  const bones = new Float64Array(4 * boneCount * columns);
  const operator = affineOperator(problem, support, boneCount);
  const solved = solveFrames(problem, run, (k, pose) => {
    for (let c = 0; c < pose.length; c++) pose[c] *= Math.sqrt(mass[Math.floor(c / 3)]);
    const solution = lsqr(operator, pose, options);
    for (let b = 0; b < boneCount; b++) {
      for (let d = 0; d < 3; d++) {
        for (let c = 0; c < 4; c++)
          bones[(4 * b + c) * columns + 3 * k + d] = solution.x[MATRIX_STRIDE * b + 4 * d + c];
      }
    }
    return solution;
  });
  return { bones, ...solved };
}

/** LSQR for one frame after the other: `solve` gets the number and the positions (3N) of each. */
export function solveFrames(
  problem: FitProblem,
  run: RunOptions,
  solve: (k: number, pose: Float64Array) => LsqrResult,
): Pick<LsqrTransforms, 'iterations' | 'converged'> {
  const { frameCount, vertexCount } = problem;
  const pose = new Float64Array(3 * vertexCount);
  const total = { iterations: 0, converged: true };
  for (let k = 0; k < frameCount; k++) {
    throwIfCancelled(run.signal, 'fit');
    run.onProgress?.(k, frameCount, 'transforms');
    const { iterations, converged } = solve(k, poseOfFrame(problem, k, pose));
    total.iterations += iterations;
    total.converged &&= converged;
  }
  return total;
}

/**
 * (3.6): row 3i + d, column 12b + 4d + c holds w_ib·ṽ_ic, where the print shows the three rows of a vertex alike. The four
 * numbers of an influence are kept once for the three rows.
 */
function affineOperator(problem: FitProblem, support: Support, boneCount: number): LinearOperator {
  const { vertexCount, rest, mass } = problem;
  const { joints, weights, count, influences: k } = support;
  const entries = new Float64Array(4 * weights.length);
  for (let s = 0; s < weights.length; s++) {
    const i = Math.floor(s / k);
    for (let c = 0; c < 4; c++) entries[4 * s + c] = Math.sqrt(mass[i]) * weights[s] * rest[4 * i + c];
  }
  return {
    rows: 3 * vertexCount,
    columns: MATRIX_STRIDE * boneCount,
    multiply(y, x) {
      for (let i = 0; i < vertexCount; i++) {
        for (let s = i * k; s < i * k + count[i]; s++) {
          const e0 = entries[4 * s];
          const e1 = entries[4 * s + 1];
          const e2 = entries[4 * s + 2];
          const e3 = entries[4 * s + 3];
          const o = MATRIX_STRIDE * joints[s];
          y[3 * i] += e0 * x[o] + e1 * x[o + 1] + e2 * x[o + 2] + e3 * x[o + 3];
          y[3 * i + 1] += e0 * x[o + 4] + e1 * x[o + 5] + e2 * x[o + 6] + e3 * x[o + 7];
          y[3 * i + 2] += e0 * x[o + 8] + e1 * x[o + 9] + e2 * x[o + 10] + e3 * x[o + 11];
        }
      }
    },
    multiplyTransposed(x, y) {
      for (let i = 0; i < vertexCount; i++) {
        const y0 = y[3 * i];
        const y1 = y[3 * i + 1];
        const y2 = y[3 * i + 2];
        for (let s = i * k; s < i * k + count[i]; s++) {
          const o = MATRIX_STRIDE * joints[s];
          for (let c = 0; c < 4; c++) {
            const e = entries[4 * s + c];
            x[o + c] += e * y0;
            x[o + 4 + c] += e * y1;
            x[o + 8 + c] += e * y2;
          }
        }
      }
    },
  };
}
