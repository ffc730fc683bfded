import type { SupportInverse } from './support-inverse.ts';
import type { VertexGram } from './vertex-gram.ts';

/** One bone of a support given up for one outside it. */
export interface Exchange {
  /** 1 / the value after it: larger is better. */
  score: number;
  /** The slot that is left out; the size of the support leaves nothing out. */
  slot: number;
  /** The bone that comes in, or −1 when there is none to gain by. */
  bone: number;
}

/**
 * The best exchange over **all** bones, in closed form. With I = G_SS⁻¹ of the support S, x = I·1, and for a bone e
 * outside S u = I·G_Se, σ = G_ee − G_Se·u, leaving out slot j changes these to
 *
 *   σ_j = σ + u_j²/I_jj,   Σu → Σu − u_j·x_j/I_jj,   Σx → Σx − x_j²/I_jj,
 *
 * so that each of the |S|·B exchanges costs a handful of operations: value' = 1/(Σx + (1 − Σu)²/σ). A gradient-picked
 * shortlist instead of the full scan ends at twice the error.
 */
export class ExchangeScan {
  /** The best that keeps all weights ≥ 0. */
  readonly feasible: Exchange = { score: 0, slot: -1, bone: -1 };
  /** The best that does not, and promises more than the best so far that does. */
  readonly infeasible: Exchange = { score: 0, slot: -1, bone: -1 };
  readonly #influences: number;
  /** influences × B: rows G_Se. */
  readonly #g: Float64Array;
  readonly #u: Float64Array;

  constructor(influences: number, bones: number) {
    this.#influences = influences;
    this.#g = new Float64Array(influences * bones);
    this.#u = new Float64Array(influences);
  }

  /** Looks for exchanges of the inverted support that score more than `threshold`. */
  scan(gram: VertexGram, support: SupportInverse, joints: Int32Array, size: number, threshold: number): void {
    const { feasible, infeasible } = this;
    const { bones, diagonal } = gram;
    const { inverse, x, stride } = support;
    const g = this.#g;
    const u = this.#u;
    feasible.score = infeasible.score = threshold;
    feasible.bone = infeasible.bone = -1;
    let sumX = 0;
    for (let s = 0; s < size; s++) sumX += x[s];
    for (let s = 0; s < size; s++) gram.row(g, s * bones, joints[s]);
    const last = size < this.#influences ? size : size - 1;
    for (let e = 0; e < bones; e++) {
      let inside = false;
      for (let s = 0; s < size; s++) if (joints[s] === e) inside = true;
      if (inside) continue;
      let sumU = 0;
      let sigma = diagonal[e];
      for (let s = 0; s < size; s++) {
        let us = 0;
        for (let t = 0; t < size; t++) us += inverse[s * stride + t] * g[t * bones + e];
        u[s] = us;
        sumU += us;
        sigma -= us * g[s * bones + e];
      }
      const floor = 1e-12 * diagonal[e];
      for (let j = last; j >= 0; j--) {
        let s2 = sigma;
        let su = sumU;
        let sx = sumX;
        if (j < size) {
          const d = inverse[j * stride + j];
          s2 += (u[j] * u[j]) / d;
          su -= (u[j] * x[j]) / d;
          sx -= (x[j] * x[j]) / d;
        }
        if (s2 < floor) s2 = floor;
        const alpha = (1 - su) / s2;
        if (alpha <= 0) continue;
        const score = sx + (1 - su) * alpha;
        if (score <= feasible.score) continue;
        const found = this.#isFeasible(support, size, j, alpha) ? feasible : infeasible;
        if (score <= found.score) continue;
        found.score = score;
        found.slot = j;
        found.bone = e;
      }
    }
  }

  /** Whether x_T − α·u_T ≥ 0 after leaving out slot j (the current u belongs to the bone being tried). */
  #isFeasible({ inverse, x, stride }: SupportInverse, size: number, j: number, alpha: number): boolean {
    const u = this.#u;
    for (let s = 0; s < size; s++) {
      if (s === j) continue;
      let xs = x[s];
      let us = u[s];
      if (j < size) {
        const f = inverse[s * stride + j] / inverse[j * stride + j];
        xs -= f * x[j];
        us -= f * u[j];
      }
      if (xs - alpha * us < 0) return false;
    }
    return true;
  }
}
