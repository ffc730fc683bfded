import type { LinearPartSolver } from '../../decompose/bones/linear-parts.ts';
import { MONOMIAL_STRIDE, MONOMIALS } from '../../decompose/problem.ts';
import { boundsOf } from '../../mesh/bounds.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/**
 * How far apart two sets of bones put a skinned mesh, without posing it: with X the N × 4B matrix of weighted homogeneous
 * rest positions (normal-equations.ts) and Δ the difference of the bones' matrices, Σᵢ‖vᵢ − vᵢ'‖² = tr(Δ·XᵀX·Δᵀ). Only
 * bones that share vertices have a block in XᵀX, which is symmetric: 10 numbers for each such pair.
 *
 * Matrices are 12 numbers per bone, 3 × 4 row-major, in the units of the mesh.
 */
export class BlendMetric {
  readonly boneCount: number;
  readonly vertexCount: number;
  readonly #centre: number[];
  /** B: the bones that share vertices with bone j, and where their block starts in #blocks. */
  readonly #neighbours: { bone: number; block: number }[][];
  readonly #blocks: Float64Array;
  /** 12B: Δ about the centre of the mesh, where numbers are small. */
  readonly #delta: Float64Array;

  constructor(positions: Float32Array, { influences, joints, weights }: SkinWeights, boneCount: number) {
    const n = positions.length / 3;
    const { min, max } = boundsOf(positions);
    const blocks = new Map<number, Float64Array>();
    const v = [0, 0, 0, 1];
    this.boneCount = boneCount;
    this.vertexCount = n;
    this.#centre = [0, 1, 2].map((c) => (min[c] + max[c]) / 2);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 3; c++) v[c] = positions[3 * i + c] - this.#centre[c];
      const [from, to] = [i * influences, (i + 1) * influences];
      for (let s = from; s < to; s++) {
        for (let t = from; t < to; t++) {
          const w = weights[s] * weights[t];
          if (w === 0 || joints[s] > joints[t]) continue;
          const pair = joints[s] * boneCount + joints[t];
          const block = blocks.get(pair) ?? new Float64Array(MONOMIAL_STRIDE);
          for (let m = 0; m < MONOMIAL_STRIDE; m++) block[m] += w * v[MONOMIALS[m][0]] * v[MONOMIALS[m][1]];
          blocks.set(pair, block);
        }
      }
    }
    this.#neighbours = Array.from({ length: boneCount }, () => []);
    this.#blocks = new Float64Array(16 * blocks.size);
    for (const [at, [pair, block]] of [...blocks].entries()) {
      for (let m = 0; m < MONOMIAL_STRIDE; m++) {
        const [s, t] = MONOMIALS[m];
        this.#blocks[16 * at + 4 * s + t] = this.#blocks[16 * at + 4 * t + s] = block[m];
      }
      const [a, b] = [Math.floor(pair / boneCount), pair % boneCount];
      this.#neighbours[a].push({ bone: b, block: 16 * at });
      if (a !== b) this.#neighbours[b].push({ bone: a, block: 16 * at });
    }
    this.#delta = new Float64Array(MATRIX_STRIDE * boneCount);
  }

  /** Σᵢ‖vᵢ − vᵢ'‖² of two sets of bones: 12B numbers each, from `ai` and `bi` on. */
  squaredDistance(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number): number {
    const g = new Float64Array(MATRIX_STRIDE);
    this.#setDelta(a, ai, b, bi);
    let sum = 0;
    for (let j = 0; j < this.boneCount; j++) {
      this.#gather(g, j);
      for (let c = 0; c < MATRIX_STRIDE; c++) sum += g[c] * this.#delta[MATRIX_STRIDE * j + c];
    }
    return Math.max(0, sum);
  }

  /**
   * The bones of a kind that put the mesh where `target` does, as nearly as they can: Gauss–Seidel over the bones, as in
   * transforms-per-frame.ts, from `start` on, which they are never worse than.
   *
   * @param target 12B.
   * @param start 12B, of the kind.
   */
  nearest(target: Float64Array, start: Float64Array, solveLinearPart: LinearPartSolver): Float64Array {
    let best = start;
    const g = new Float64Array(MATRIX_STRIDE);
    const a = new Float64Array(9);
    const part = { d: new Float64Array(9), k: new Float64Array(9), eta: 0 };
    let least = this.squaredDistance(target, 0, start, 0);
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      const bones = best.slice();
      this.#setDelta(target, 0, bones, 0);
      for (let j = 0; j < this.boneCount; j++) {
        const own = this.#neighbours[j].find(({ bone }) => bone === j);
        if (!own) continue; // no vertex follows this bone
        const h = this.#blocks.subarray(own.block, own.block + 16);
        const eta = h[15];
        part.eta = eta;
        // C = Σ_c Δ_c·H_cj + M_j·H_jj, all about the centre; then without translation: D, K.
        this.#gather(g, j);
        const m = this.#aboutCentre(bones, MATRIX_STRIDE * j);
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 4; c++) for (let s = 0; s < 4; s++) g[4 * r + c] += m[4 * r + s] * h[4 * s + c];
          for (let c = 0; c < 3; c++) {
            part.d[3 * r + c] = g[4 * r + c] - (g[4 * r + 3] * h[12 + c]) / eta;
            a[3 * r + c] = m[4 * r + c];
            part.k[3 * r + c] = h[4 * r + c] - (h[12 + r] * h[12 + c]) / eta;
          }
        }
        solveLinearPart(a, part, j);
        for (let r = 0; r < 3; r++) {
          let t = g[4 * r + 3];
          for (let c = 0; c < 3; c++) t -= a[3 * r + c] * h[12 + c];
          t /= eta;
          // The delta of this bone changes by what the bone changes by.
          for (let c = 0; c < 3; c++) this.#delta[MATRIX_STRIDE * j + 4 * r + c] += m[4 * r + c] - a[3 * r + c];
          this.#delta[MATRIX_STRIDE * j + 4 * r + 3] += m[4 * r + 3] - t;
          for (let c = 0; c < 3; c++) {
            bones[MATRIX_STRIDE * j + 4 * r + c] = a[3 * r + c];
            t -= a[3 * r + c] * this.#centre[c];
          }
          bones[MATRIX_STRIDE * j + 4 * r + 3] = t + this.#centre[r];
        }
      }
      const distance = this.squaredDistance(target, 0, bones, 0);
      const enough = distance > least * (1 - SWEEP_GAIN);
      if (distance < least) [best, least] = [bones, distance];
      if (enough) break;
    }
    return best;
  }

  /** out (12) = Σ_c Δ_c·H_cj. */
  #gather(out: Float64Array, j: number): void {
    out.fill(0);
    for (const { bone, block } of this.#neighbours[j]) {
      for (let r = 0; r < MATRIX_STRIDE; r += 4) {
        for (let s = 0; s < 4; s++) {
          const x = this.#delta[MATRIX_STRIDE * bone + r + s];
          for (let c = 0; c < 4; c++) out[r + c] += x * this.#blocks[block + 4 * s + c];
        }
      }
    }
  }

  #setDelta(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number): void {
    for (let row = 0; row < MATRIX_STRIDE * this.boneCount; row += 4) {
      let t = a[ai + row + 3] - b[bi + row + 3];
      for (let c = 0; c < 3; c++) {
        const x = a[ai + row + c] - b[bi + row + c];
        this.#delta[row + c] = x;
        t += x * this.#centre[c];
      }
      this.#delta[row + 3] = t;
    }
  }

  /** The matrix at m, from the centre to the centre: x − c ↦ A·(x − c) + (A·c + t − c). */
  #aboutCentre(matrices: Float64Array, m: number): Float64Array {
    const out = matrices.slice(m, m + MATRIX_STRIDE);
    for (let r = 0; r < 3; r++) {
      out[4 * r + 3] -= this.#centre[r];
      for (let c = 0; c < 3; c++) out[4 * r + 3] += out[4 * r + c] * this.#centre[c];
    }
    return out;
  }
}

/** Sweeps end when one lowers the squared distance by less than this fraction, or at this number. */
const SWEEP_GAIN = 1e-2;
const MAX_SWEEPS = 40;
