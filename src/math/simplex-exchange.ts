/** A positive definite form wᵀ·G·w, whose n × n entries may be made when they are asked for. */
export interface QuadraticForm {
  readonly size: number;
  /** n: G_cc. */
  readonly diagonal: Float64Array;
  entry(a: number, b: number): number;
  /** G_ac for all c into out[from + c]; the diagonal may differ from `diagonal` by its ridge. */
  row(out: Float64Array, from: number, a: number): void;
}

/** I = G_SS⁻¹ of a support S of at most `most` entries, and x = I·1. */
export class SupportInverse {
  /** Numbers from one row of `inverse` to the next. */
  readonly stride: number;
  readonly inverse: Float64Array;
  readonly x: Float64Array;

  constructor(most: number) {
    this.stride = most;
    this.inverse = new Float64Array(most * most);
    this.x = new Float64Array(most);
  }

  /** Gauss–Jordan, as G is positive definite; false where rounding made it indefinite. */
  solve(form: Pick<QuadraticForm, 'entry'>, support: Int32Array, size: number): boolean {
    const { inverse: a, stride } = this;
    for (let s = 0; s < size; s++) {
      for (let t = 0; t <= s; t++) a[s * stride + t] = a[t * stride + s] = form.entry(support[s], support[t]);
    }
    for (let p = 0; p < size; p++) {
      const pivot = a[p * stride + p];
      if (!(pivot > 0)) return false;
      const inv = 1 / pivot;
      a[p * stride + p] = 1;
      for (let t = 0; t < size; t++) a[p * stride + t] *= inv;
      for (let s = 0; s < size; s++) {
        if (s === p) continue;
        const f = a[s * stride + p];
        if (f === 0) continue;
        a[s * stride + p] = 0;
        for (let t = 0; t < size; t++) a[s * stride + t] -= f * a[p * stride + t];
      }
    }
    for (let s = 0; s < size; s++) {
      let sum = 0;
      for (let t = 0; t < size; t++) sum += a[s * stride + t];
      this.x[s] = sum;
    }
    return true;
  }
}

/** One entry of a support given up for one outside it. */
export interface Exchange {
  /** 1 / the value after it: larger is better. */
  score: number;
  /** The slot that is left out; the size of the support leaves nothing out. */
  slot: number;
  /** The entry that comes in, or −1 when none gains anything. */
  entering: number;
}

/**
 * The best exchange over **all** entries, in closed form. With I = G_SS⁻¹ of the support S, x = I·1, and for an entry e
 * outside S u = I·G_Se, σ = G_ee − G_Se·u, leaving out slot j changes these to
 *
 *   σ_j = σ + u_j²/I_jj,   Σu → Σu − u_j·x_j/I_jj,   Σx → Σx − x_j²/I_jj,
 *
 * so that each of the |S|·n exchanges costs a handful of operations: value' = 1/(Σx + (1 − Σu)²/σ). A gradient-picked
 * shortlist instead of the full scan ends at twice the error.
 */
export class ExchangeScan {
  /** The best that keeps all weights ≥ 0. */
  readonly feasible: Exchange = { score: 0, slot: -1, entering: -1 };
  /** The best that does not, and promises more than the best so far that does. */
  readonly infeasible: Exchange = { score: 0, slot: -1, entering: -1 };
  readonly #most: number;
  /** most × n: rows G_Se. */
  readonly #g: Float64Array;
  readonly #u: Float64Array;

  /** Supports of at most `most` of `n` entries. */
  constructor(most: number, n: number) {
    this.#most = most;
    this.#g = new Float64Array(most * n);
    this.#u = new Float64Array(most);
  }

  /** Looks for exchanges of the inverted support that score more than `threshold`. */
  scan(form: QuadraticForm, inverted: SupportInverse, support: Int32Array, size: number, threshold: number): void {
    const { feasible, infeasible } = this;
    const { size: n, diagonal } = form;
    const { inverse, x, stride } = inverted;
    const g = this.#g;
    const u = this.#u;
    feasible.score = infeasible.score = threshold;
    feasible.entering = infeasible.entering = -1;
    let sumX = 0;
    for (let s = 0; s < size; s++) sumX += x[s];
    for (let s = 0; s < size; s++) form.row(g, s * n, support[s]);
    const last = size < this.#most ? size : size - 1;
    for (let e = 0; e < n; e++) {
      let inside = false;
      for (let s = 0; s < size; s++) if (support[s] === e) inside = true;
      if (inside) continue;
      let sumU = 0;
      let sigma = diagonal[e];
      for (let s = 0; s < size; s++) {
        let us = 0;
        for (let t = 0; t < size; t++) us += inverse[s * stride + t] * g[t * n + e];
        u[s] = us;
        sumU += us;
        sigma -= us * g[s * n + e];
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
        const found = this.#isFeasible(inverted, size, j, alpha) ? feasible : infeasible;
        if (score <= found.score) continue;
        found.score = score;
        found.slot = j;
        found.entering = e;
      }
    }
  }

  /** Whether x_T − α·u_T ≥ 0 after leaving out slot j (the current u belongs to the entry being tried). */
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
