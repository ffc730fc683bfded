import { multiply } from '../../math/dense.ts';
import type { FitProblem } from '../problem.ts';
import { expandToFrames } from './bone-frames.ts';
import type { LinearPartSolver } from './linear-parts.ts';
import { type BoneBlock, blockOf, type NormalEquations } from './normal-equations.ts';
import { type StepPull, stepPull } from './steadiness.ts';

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
 * which each kind solves its own way (linear-parts.ts). The cost does not depend on the number of vertices. A pull
 * towards the neighbouring frames (steadiness.ts) adds to K and D.
 */

/** Sweeps over the bones per transform step: a third changes nothing that the next step would not. */
const SWEEPS = 2;

/**
 * @param near 4B × 3P: bones to start from.
 * @returns 4B × 3P.
 */
export function solvePerFrame(
  problem: FitProblem,
  equations: NormalEquations,
  near: Float64Array,
  solveLinearPart: LinearPartSolver,
  steadiness = 0,
  sweeps = SWEEPS,
): Float64Array {
  const frames = new FrameSweeps(problem, equations, near);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let b = 0; b < equations.boneCount; b++) frames.solveBone(b, solveLinearPart, steadiness);
  }
  return frames.bones;
}

/** Gauss–Seidel over the bones. */
class FrameSweeps {
  /** 4B × 3P. */
  readonly bones: Float64Array;
  readonly #problem: FitProblem;
  readonly #equations: NormalEquations;
  /** 3P. */
  readonly #columns: number;
  /** 4B × 3P: R. */
  readonly #target: Float64Array;
  /** 4 × 3P: Cᵀ of the bone at hand, for all frames. */
  readonly #c: Float64Array;
  /** 16: H_bc of the pair of bones at hand. */
  readonly #block = new Float64Array(16);
  /** A, and D, K and η, of the frame at hand. */
  readonly #a = new Float64Array(9);
  readonly #part = { d: new Float64Array(9), k: new Float64Array(9), eta: 0 };

  constructor(problem: FitProblem, equations: NormalEquations, near: Float64Array) {
    this.bones = near.slice();
    this.#problem = problem;
    this.#equations = equations;
    this.#columns = 3 * problem.frameCount;
    this.#target = targetInFrames(problem, equations);
    this.#c = new Float64Array(4 * this.#columns);
  }

  /** The best bone b, in all frames, while the others stay. */
  solveBone(b: number, solveLinearPart: LinearPartSolver, steadiness: number): void {
    const block = blockOf(this.#equations, b);
    if (!(block.eta > 0)) return; // no vertex follows this bone
    const pull = steadiness > 0 ? stepPull(this.#problem, this.bones, b, block.k, steadiness) : undefined;
    this.#leaveToBone(b);
    for (let frame = 0; frame < this.#problem.frameCount; frame++) {
      this.#eliminateTranslation(b, frame, block);
      if (pull) this.#pullTowardsNeighbours(b, frame, pull);
      solveLinearPart(this.#a, this.#part, b);
      this.#store(b, frame, block);
    }
  }

  /** C for all frames: the rows of the target minus what the other bones explain. */
  #leaveToBone(b: number): void {
    const { bones } = this;
    const { boneCount } = this.#equations;
    const columns = this.#columns;
    const c = this.#c;
    c.set(this.#target.subarray(4 * b * columns, 4 * (b + 1) * columns));
    const [c1, c2, c3] = [columns, 2 * columns, 3 * columns];
    for (let other = 0; other < boneCount; other++) {
      if (other === b || !this.#blend(b, other)) continue;
      const w = this.#block;
      const m0 = 4 * other * columns;
      const m1 = m0 + columns;
      const m2 = m1 + columns;
      const m3 = m2 + columns;
      // Four rows at once: bones are read once for all of them.
      const [w00, w01, w02, w03, w10, w11, w12, w13, w20, w21, w22, w23, w30, w31, w32, w33] = w;
      for (let x = 0; x < columns; x++) {
        const x0 = bones[m0 + x];
        const x1 = bones[m1 + x];
        const x2 = bones[m2 + x];
        const x3 = bones[m3 + x];
        c[x] -= w00 * x0 + w01 * x1 + w02 * x2 + w03 * x3;
        c[c1 + x] -= w10 * x0 + w11 * x1 + w12 * x2 + w13 * x3;
        c[c2 + x] -= w20 * x0 + w21 * x1 + w22 * x2 + w23 * x3;
        c[c3 + x] -= w30 * x0 + w31 * x1 + w32 * x2 + w33 * x3;
      }
    }
  }

  /** Takes out the block H_bc; false where no vertex follows both bones. */
  #blend(b: number, other: number): boolean {
    const { boneCount, h } = this.#equations;
    let some = false;
    for (let s = 0; s < 4; s++) {
      for (let t = 0; t < 4; t++) {
        const value = h[(4 * b + s) * 4 * boneCount + 4 * other + t];
        this.#block[4 * s + t] = value;
        some ||= value !== 0;
      }
    }
    return some;
  }

  /** D and K of a frame, and A as it was. */
  #eliminateTranslation(b: number, frame: number, { eta, h, k }: BoneBlock): void {
    const columns = this.#columns;
    const c = this.#c;
    for (let dim = 0; dim < 3; dim++) {
      const x = 3 * frame + dim;
      const c4 = c[3 * columns + x];
      for (let s = 0; s < 3; s++) {
        this.#part.d[3 * dim + s] = c[s * columns + x] - (c4 * h[s]) / eta;
        this.#a[3 * dim + s] = this.bones[(4 * b + s) * columns + x];
      }
    }
    this.#part.k.set(k);
    this.#part.eta = eta;
  }

  /** Adds the pull of the frames before and after to K and D. */
  #pullTowardsNeighbours(b: number, frame: number, { metric, weights }: StepPull): void {
    const { bones } = this;
    const { d, k } = this.#part;
    const before = weights[frame];
    const after = weights[frame + 1];
    for (let c = 0; c < 9; c++) k[c] += (before + after) * metric[c];
    for (let t = 0; t < 3; t++) {
      for (let dim = 0; dim < 3; dim++) {
        const x = (4 * b + t) * this.#columns + 3 * frame + dim;
        const pull = (before > 0 ? before * bones[x - 3] : 0) + (after > 0 ? after * bones[x + 3] : 0);
        for (let s = 0; s < 3; s++) d[3 * dim + s] += pull * metric[3 * t + s];
      }
    }
  }

  /** A becomes the bone's, with the translation that belongs to it. */
  #store(b: number, frame: number, { eta, h }: BoneBlock): void {
    const columns = this.#columns;
    const a = this.#a;
    for (let dim = 0; dim < 3; dim++) {
      const x = 3 * frame + dim;
      let t = this.#c[3 * columns + x];
      for (let s = 0; s < 3; s++) {
        this.bones[(4 * b + s) * columns + x] = a[3 * dim + s];
        t -= a[3 * dim + s] * h[s];
      }
      this.bones[(4 * b + 3) * columns + x] = t / eta;
    }
  }
}

const targets = new WeakMap<NormalEquations, Float64Array>();

/** 4B × 3P: R in frames, which a step asks for several times. */
function targetInFrames(problem: FitProblem, equations: NormalEquations): Float64Array {
  const target = targets.get(equations) ?? expandToFrames(problem, equations.r);
  targets.set(equations, target);
  return target;
}

/** tr(M·H·Mᵀ) − 2·tr(Mᵀ·R) of bones in frames (4B × 3P): the squared error up to a constant. */
export function quadraticValue(problem: FitProblem, equations: NormalEquations, bones: Float64Array): number {
  const size = 4 * equations.boneCount;
  const columns = 3 * problem.frameCount;
  const product = multiply(new Float64Array(size * columns), equations.h, bones, size, size, columns);
  const target = targetInFrames(problem, equations);
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
