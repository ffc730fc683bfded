/**
 * Minimises wᵀ·G·w over w ≥ 0, Σw = 1 with at most k entries that are not 0, for a positive semidefinite G (n × n,
 * row-major). Without the limit the problem is convex and the optimum is found; with it, the result is one that no
 * exchange of one entry for another improves.
 *
 * An active set grown by exchanges: on the entries in use the optimum is G⁻¹1/(1ᵀG⁻¹1), on the way to which entries that
 * would become negative are left behind; then the entry whose multiplier (G·w)_c − wᵀ·G·w is most negative comes in, and
 * where k are in use already, the one goes whose loss costs least. Nothing is allocated per solution.
 */
export class SparseSimplexQp {
  /** n: the solution, read and written by `minimize`. */
  readonly w: Float64Array;
  readonly #k: number;
  readonly #support: Int32Array;
  readonly #saved: Int32Array;
  readonly #savedW: Float64Array;
  readonly #bestSupport: Int32Array;
  readonly #bestW: Float64Array;
  readonly #tried: Uint8Array;
  readonly #gradient: Float64Array;
  readonly #l: Float64Array;
  readonly #x: Float64Array;
  #used = 0;
  #ridge = 0;

  /** `most`: the largest n; `k`: the largest number of entries that are not 0. */
  constructor(most: number, k: number) {
    this.#k = k;
    this.w = new Float64Array(most);
    this.#support = new Int32Array(k + 1);
    this.#saved = new Int32Array(k + 1);
    this.#savedW = new Float64Array(k + 1);
    this.#bestSupport = new Int32Array(k + 1);
    this.#bestW = new Float64Array(k + 1);
    this.#tried = new Uint8Array(most);
    this.#gradient = new Float64Array(most);
    this.#l = new Float64Array((k + 1) ** 2);
    this.#x = new Float64Array(k + 1);
  }

  /** From `w` (feasible, at most k entries not 0) to the optimum, in `w`. Returns wᵀ·G·w. */
  minimize(g: Float64Array, n: number): number {
    const { w } = this;
    let trace = 0;
    for (let c = 0; c < n; c++) trace += g[c * n + c];
    this.#ridge = RIDGE * trace + 1e-300;
    this.#used = 0;
    for (let c = 0; c < n; c++) if (w[c] > 0) this.#support[this.#used++] = c;
    let value = this.#relax(g, n);
    const tried = this.#tried;
    tried.fill(0, 0, n);
    // Each pass either lowers the value or rules an entry out.
    for (let pass = 0; pass < 8 * n; pass++) {
      const entering = this.#entering(g, n, value);
      if (entering < 0) break;
      const after = this.#exchange(g, n, entering, value);
      if (after < value * (1 - GAIN)) {
        value = after;
        tried.fill(0, 0, n);
      } else tried[entering] = 1;
    }
    return value;
  }

  /** The entry, not yet tried in vain, whose multiplier is most negative; −1 where none is. */
  #entering(g: Float64Array, n: number, value: number): number {
    const gradient = this.#gradient;
    gradient.fill(0, 0, n);
    for (let s = 0; s < this.#used; s++) {
      const row = this.#support[s] * n;
      const weight = this.w[this.#support[s]];
      for (let c = 0; c < n; c++) gradient[c] += weight * g[row + c];
    }
    let entering = -1;
    let lowest = value * (1 - GRADIENT) - this.#ridge;
    for (let c = 0; c < n; c++) {
      if (gradient[c] >= lowest || this.#tried[c] || this.w[c] > 0) continue;
      lowest = gradient[c];
      entering = c;
    }
    return entering;
  }

  /** Lets an entry in; where that makes too many, the one leaves that is missed least. Undone where nothing is gained. */
  #exchange(g: Float64Array, n: number, entering: number, value: number): number {
    this.#keep(this.#saved, this.#savedW);
    const before = this.#used;
    this.#support[this.#used++] = entering;
    let after = this.#relax(g, n);
    if (this.#used > this.#k) {
      // k + 1 entries: each in turn is left out, the rest re-solved from where they are.
      this.#keep(this.#bestSupport, this.#bestW);
      const crowd = this.#used;
      let leaver = -1;
      let least = value;
      for (let out = 0; out < crowd; out++) {
        this.#without(crowd, out);
        const left = this.#relax(g, n);
        if (left >= least) continue;
        least = left;
        leaver = out;
      }
      after = least;
      if (leaver >= 0) {
        this.#without(crowd, leaver);
        after = this.#relax(g, n);
      }
    }
    if (after < value * (1 - GAIN)) return after;
    this.#restore(this.#saved, this.#savedW, before);
    return value;
  }

  #keep(support: Int32Array, weights: Float64Array): void {
    for (let s = 0; s < this.#used; s++) {
      support[s] = this.#support[s];
      weights[s] = this.w[this.#support[s]];
    }
  }

  #restore(support: Int32Array, weights: Float64Array, used: number): void {
    for (let s = 0; s < this.#used; s++) this.w[this.#support[s]] = 0;
    for (let s = 0; s < used; s++) {
      this.#support[s] = support[s];
      this.w[support[s]] = weights[s];
    }
    this.#used = used;
  }

  /** The kept crowd without one of its entries, at equal parts if that one had all the weight. */
  #without(crowd: number, out: number): void {
    this.#restore(this.#bestSupport, this.#bestW, crowd);
    const gone = this.#support[out];
    const rest = 1 - this.w[gone];
    this.w[gone] = 0;
    this.#support[out] = this.#support[--this.#used];
    for (let s = 0; s < this.#used; s++) {
      const c = this.#support[s];
      this.w[c] = rest > 1e-9 ? this.w[c] / rest : 1 / this.#used;
    }
  }

  /** The optimum on the support; entries that would become negative leave it. Returns the value. */
  #relax(g: Float64Array, n: number): number {
    const { w } = this;
    const support = this.#support;
    const x = this.#x;
    while (this.#used > 1) {
      this.#optimum(g, n);
      let step = 1;
      let blocking = -1;
      for (let s = 0; s < this.#used; s++) {
        if (x[s] > 0) continue;
        const at = w[support[s]];
        const t = at / (at - x[s] || 1);
        if (blocking < 0 || t < step) {
          step = Math.min(step, t);
          blocking = s;
        }
      }
      for (let s = 0; s < this.#used; s++) {
        const c = support[s];
        w[c] = Math.max(0, w[c] + step * (x[s] - w[c]));
      }
      if (blocking < 0) break;
      w[support[blocking]] = 0;
      support[blocking] = support[--this.#used];
    }
    if (this.#used === 1) w[support[0]] = 1;
    let value = 0;
    for (let s = 0; s < this.#used; s++) {
      for (let t = 0; t < this.#used; t++) value += w[support[s]] * w[support[t]] * g[support[s] * n + support[t]];
    }
    return value;
  }

  /** x = the weights, summing to 1, that minimise the form on the support: by Cholesky, with a ridge that grows if it must. */
  #optimum(g: Float64Array, n: number): void {
    const m = this.#used;
    const support = this.#support;
    const l = this.#l;
    const x = this.#x;
    for (let ridge = this.#ridge; ; ridge *= 1e4) {
      let definite = true;
      for (let row = 0; row < m && definite; row++) {
        const gi = support[row] * n;
        for (let col = 0; col <= row; col++) {
          let s = g[gi + support[col]];
          if (row === col) s += ridge;
          for (let t = 0; t < col; t++) s -= l[row * m + t] * l[col * m + t];
          if (row !== col) l[row * m + col] = s / l[col * m + col];
          else if (s > 0) l[row * m + row] = Math.sqrt(s);
          else definite = false;
        }
      }
      if (definite || !(ridge < Infinity)) break;
    }
    let sum = 0;
    for (let row = 0; row < m; row++) {
      let s = 1;
      for (let t = 0; t < row; t++) s -= l[row * m + t] * x[t];
      x[row] = s / l[row * m + row];
    }
    for (let row = m - 1; row >= 0; row--) {
      let s = x[row];
      for (let t = row + 1; t < m; t++) s -= l[t * m + row] * x[t];
      x[row] = s / l[row * m + row];
      sum += x[row];
    }
    for (let row = 0; row < m; row++) x[row] /= sum;
  }
}

/** Keeps columns that agree apart, as a fraction of the trace. */
const RIDGE = 1e-13;
/** What counts as a gain, relative to the value. */
const GAIN = 1e-9;
/** How far below the value a multiplier must be, relative to it. */
const GRADIENT = 1e-7;
