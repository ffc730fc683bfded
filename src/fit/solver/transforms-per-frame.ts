import { multiply, transpose } from '../../math/dense.ts';
import type { FitProblem } from '../problem.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';
import { stepMetric, stepWeights } from './steadiness.ts';

/**
 * Bones whose matrices are restricted frame by frame (rigid, TRS) leave the reduced basis and are solved in frames, by
 * Gauss–Seidel over the bones. For bone b and frame k, with the other bones fixed, the error is a quadratic of its 3 × 4
 * matrix M alone:
 *
 *   tr(M·H_bb·Mᵀ) − 2·tr(Mᵀ·C),   C = R_b − Σ_{c≠b} M_c·H_cb.
 *
 * Eliminating the translation, t = (c₄ − A·h)/η with h = H_bb[0:3, 3], η = H_bb[3, 3], leaves a problem in the linear part A:
 *
 *   tr(A·K·Aᵀ) − 2·tr(Aᵀ·D),   K = H_bb[0:3, 0:3] − hhᵀ/η,   D = C[:, 0:3] − c₄hᵀ/η,
 *
 * which each kind solves its own way. The cost does not depend on the number of vertices. A pull towards the neighbouring
 * frames (steadiness.ts) adds to K and D.
 */

/** Finds the linear part (9 numbers, row-major, in `a`, which holds the previous one) for bone b of mass η. */
export type LinearPartSolver = (a: Float64Array, d: Float64Array, k: Float64Array, bone: number, eta: number) => void;

/** Sweeps over the bones per transform step: a third changes nothing that the next step would not. */
const SWEEPS = 2;

/**
 * @param near 4B × 3P: bones to start from.
 * @returns 4B × 3P; row 4b + c, column 3k + d: how coordinate d in frame k depends on ṽ_c.
 */
export function solvePerFrame(
  problem: FitProblem,
  equations: NormalEquations,
  near: Float64Array,
  solveLinearPart: LinearPartSolver,
  steadiness = 0,
): Float64Array {
  const { boneCount, h } = equations;
  const size = 4 * boneCount;
  const columns = 3 * problem.frameCount;
  const target = expandToFrames(problem, equations.r);
  const bones = near.slice();
  const c = new Float64Array(4 * columns);
  const a = new Float64Array(9);
  const d = new Float64Array(9);
  const k = new Float64Array(9);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let b = 0; b < boneCount; b++) {
      const { eta, h: moment, k: covariance } = blockOf(equations, b);
      if (!(eta > 0)) continue; // no vertex follows this bone
      const metric = stepMetric(covariance);
      const steps = steadiness > 0 ? stepWeights(problem, bones, b, metric, steadiness) : undefined;

      // C for all frames: rows of the target minus what the other bones explain.
      for (let s = 0; s < 4; s++) {
        const row = 4 * b + s;
        const o = s * columns;
        for (let x = 0; x < columns; x++) c[o + x] = target[row * columns + x];
        for (let other = 0; other < boneCount; other++) {
          const block = row * size + 4 * other;
          const [w0, w1, w2, w3] = [h[block], h[block + 1], h[block + 2], h[block + 3]];
          if (other === b || (w0 === 0 && w1 === 0 && w2 === 0 && w3 === 0)) continue;
          const m0 = 4 * other * columns;
          const m1 = m0 + columns;
          const m2 = m1 + columns;
          const m3 = m2 + columns;
          for (let x = 0; x < columns; x++) {
            c[o + x] -= w0 * bones[m0 + x] + w1 * bones[m1 + x] + w2 * bones[m2 + x] + w3 * bones[m3 + x];
          }
        }
      }
      for (let frame = 0; frame < problem.frameCount; frame++) {
        for (let dim = 0; dim < 3; dim++) {
          const x = 3 * frame + dim;
          const c4 = c[3 * columns + x];
          for (let s = 0; s < 3; s++) {
            d[3 * dim + s] = c[s * columns + x] - (c4 * moment[s]) / eta;
            a[3 * dim + s] = bones[(4 * b + s) * columns + x];
          }
        }
        k.set(covariance);
        if (steps) pullFrame(d, k, bones, 4 * b * columns + 3 * frame, columns, metric, steps[frame], steps[frame + 1]);
        solveLinearPart(a, d, k, b, eta);
        for (let dim = 0; dim < 3; dim++) {
          const x = 3 * frame + dim;
          let t = c[3 * columns + x];
          for (let s = 0; s < 3; s++) {
            bones[(4 * b + s) * columns + x] = a[3 * dim + s];
            t -= a[3 * dim + s] * moment[s];
          }
          bones[(4 * b + 3) * columns + x] = t / eta;
        }
      }
    }
  }
  return bones;
}

/** In place: K and D with the pull of the frames before and after; `o` is where the frame begins in the bone's first row. */
function pullFrame(
  d: Float64Array,
  k: Float64Array,
  bones: Float64Array,
  o: number,
  columns: number,
  metric: Float64Array,
  before: number,
  after: number,
): void {
  for (let c = 0; c < 9; c++) k[c] += (before + after) * metric[c];
  for (let t = 0; t < 3; t++) {
    for (let dim = 0; dim < 3; dim++) {
      const x = o + t * columns + dim;
      const pull = (before > 0 ? before * bones[x - 3] : 0) + (after > 0 ? after * bones[x + 3] : 0);
      for (let s = 0; s < 3; s++) d[3 * dim + s] += pull * metric[3 * t + s];
    }
  }
}

/** tr(M·H·Mᵀ) − 2·tr(Mᵀ·R) of bones in frames (4B × 3P): the squared error but for a constant. */
export function quadraticValue(problem: FitProblem, equations: NormalEquations, bones: Float64Array): number {
  const size = 4 * equations.boneCount;
  const columns = 3 * problem.frameCount;
  const product = multiply(new Float64Array(size * columns), equations.h, bones, size, size, columns);
  const target = expandToFrames(problem, equations.r);
  let value = 0;
  for (let c = 0; c < product.length; c++) value += bones[c] * (product[c] - 2 * target[c]);
  return value;
}

/** Sum of squared errors of bones in frames (4B × 3P), mass-weighted, in squared diagonals: no frame is posed for it. */
export function squaredError(problem: FitProblem, equations: NormalEquations, bones: Float64Array): number {
  let total = 0;
  for (let i = 0; i < problem.vertexCount; i++) total += problem.mass[i] * problem.zNorm2[i];
  return Math.max(0, total + quadraticValue(problem, equations, bones));
}

/** 4B × r → 4B × 3P. */
export function expandToFrames(problem: FitProblem, reduced: Float64Array): Float64Array {
  const { rank, basis } = problem;
  const columns = 3 * problem.frameCount;
  const rows = reduced.length / rank;
  const basisT = transpose(new Float64Array(basis.length), basis, columns, rank);
  return multiply(new Float64Array(rows * columns), reduced, basisT, rows, rank, columns);
}

/** 4B × 3P → 4B × r. */
export function projectToBasis(problem: FitProblem, full: Float64Array): Float64Array {
  const columns = 3 * problem.frameCount;
  const rows = full.length / columns;
  return multiply(new Float64Array(rows * problem.rank), full, problem.basis, rows, columns, problem.rank);
}
