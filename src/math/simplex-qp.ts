import { type Exchange, ExchangeScan, type QuadraticForm, SupportInverse } from './simplex-exchange.ts';

/** In `SimplexSolver`, a change of the support must lower the value by this fraction, or rounding would exchange forever. */
const IMPROVEMENT = 1e-6;

/**
 * The minimum of wᵀ·G·w over w ≥ 0, Σw = 1, at most `most` entries not 0: without the limit a convex problem, with it a
 * support that no exchange of one entry improves. On a given support S the optimum is w = G_SS⁻¹1 / (1ᵀG_SS⁻¹1) with value
 * 1 / (1ᵀG_SS⁻¹1); the support is improved by exchanges of one entry (simplex-exchange.ts). Nothing is allocated per
 * solution, and one solver serves many forms of one size. The kernels fit-simplex.ts and fit-exchange.ts are its twins.
 */
export class SimplexSolver {
  /** wᵀGw of the support in force. */
  value = 0;
  /** Its entries, the first `#size` of them, and their weights. */
  #support: Int32Array;
  #w: Float64Array;
  #size = 0;
  /** Where `#solveOn` starts and ends. */
  #candidate: Int32Array;
  #candidateW: Float64Array;
  #candidateSize = 0;
  readonly #form: QuadraticForm;
  readonly #improvement: number;
  readonly #inverse: SupportInverse;
  readonly #exchanges: ExchangeScan;
  readonly #trial: Float64Array;

  constructor(form: QuadraticForm, most: number, improvement = IMPROVEMENT) {
    // A support, and the entry being tried.
    const room = most + 1;
    this.#support = new Int32Array(room);
    this.#candidate = new Int32Array(room);
    this.#w = new Float64Array(room);
    this.#candidateW = new Float64Array(room);
    this.#trial = new Float64Array(room);
    this.#form = form;
    this.#improvement = improvement;
    this.#inverse = new SupportInverse(room);
    this.#exchanges = new ExchangeScan(most, form.size);
  }

  /** Starts from `count` entries at `at` and their weights (feasible), solved again; from the best single one if none. */
  start(entries: ArrayLike<number>, weights: ArrayLike<number>, at: number, count: number): void {
    if (count === 0) {
      const { diagonal, size } = this.#form;
      let best = 0;
      for (let c = 1; c < size; c++) if (diagonal[c] < diagonal[best]) best = c;
      this.#size = 1;
      this.#support[0] = best;
      this.#w[0] = 1;
      this.value = diagonal[best];
      return;
    }
    this.value = Infinity;
    this.#take(entries, weights, at, count);
    this.#keepIfBetter(this.#solveOn(count));
  }

  /** Takes over another support, and weights to start from, if it is better. */
  tryInstead(entries: ArrayLike<number>, weights: ArrayLike<number>, at: number, count: number): void {
    if (count === 0) return;
    this.#take(entries, weights, at, count);
    let same = count === this.#size;
    for (let s = 0; s < count && same; s++) {
      // Beyond its size the array holds entries of earlier supports.
      const found = this.#support.indexOf(entries[at + s]);
      same = found >= 0 && found < this.#size;
    }
    if (!same) this.#keepIfBetter(this.#solveOn(count));
  }

  /** Writes the support and its weights at `at`, zeros into the rest of `room` slots; returns its size. */
  store(entries: Int32Array, weights: Float64Array, at: number, room: number): number {
    for (let s = 0; s < room; s++) {
      entries[at + s] = s < this.#size ? this.#support[s] : 0;
      weights[at + s] = s < this.#size ? this.#w[s] : 0;
    }
    return this.#size;
  }

  #take(entries: ArrayLike<number>, weights: ArrayLike<number>, at: number, count: number): void {
    for (let s = 0; s < count; s++) {
      this.#candidate[s] = entries[at + s];
      this.#candidateW[s] = weights[at + s];
    }
  }

  #keepIfBetter(value: number): void {
    if (!(value < this.value * (1 - this.#improvement) || this.value === Infinity)) return;
    this.value = value;
    this.#size = this.#candidateSize;
    [this.#support, this.#candidate] = [this.#candidate, this.#support];
    [this.#w, this.#candidateW] = [this.#candidateW, this.#w];
  }

  /**
   * Optimum on the first `count` candidates, starting from the candidate weights (feasible): when the
   * unconstrained optimum has a weight ≤ 0, go as far as the boundary, drop that entry, and solve again.
   */
  #solveOn(count: number): number {
    const support = this.#candidate;
    const w = this.#candidateW;
    const trial = this.#trial;
    const { x } = this.#inverse;
    for (;;) {
      if (!this.#inverse.solve(this.#form, support, count)) {
        count = this.#dropSmallest(count);
        if (count > 1) continue;
        this.#inverse.solve(this.#form, support, 1);
      }
      let sum = 0;
      for (let s = 0; s < count; s++) sum += x[s];
      let step = 1;
      let blocking = -1;
      for (let s = 0; s < count; s++) {
        trial[s] = x[s] / sum;
        if (trial[s] <= 0) {
          const t = w[s] > 0 ? w[s] / (w[s] - trial[s]) : 0;
          if (t < step || blocking < 0) {
            step = Math.min(step, t);
            blocking = s;
          }
        }
      }
      if (blocking < 0) {
        for (let s = 0; s < count; s++) w[s] = trial[s];
        this.#candidateSize = count;
        return 1 / sum;
      }
      for (let s = 0; s < count; s++) w[s] += step * (trial[s] - w[s]);
      count--;
      support[blocking] = support[count];
      w[blocking] = w[count];
    }
  }

  /** Removes the candidate of least weight; its weight goes to the others in proportion. */
  #dropSmallest(count: number): number {
    const support = this.#candidate;
    const w = this.#candidateW;
    let smallest = 0;
    for (let s = 1; s < count; s++) if (w[s] < w[smallest]) smallest = s;
    const rest = 1 - w[smallest];
    support[smallest] = support[count - 1];
    w[smallest] = w[count - 1];
    for (let s = 0; s < count - 1; s++) w[s] = rest > 0 ? w[s] / rest : 1 / (count - 1);
    return count - 1;
  }

  /** The best exchange over all entries, repeated until none helps, `most` times at most. */
  exchange(most: number): void {
    for (let round = 0; round < most; round++) if (!this.#exchangeOnce()) return;
  }

  #exchangeOnce(): boolean {
    if (!this.#inverse.solve(this.#form, this.#support, this.#size)) return false;
    const threshold = 1 / (this.value * (1 - this.#improvement));
    this.#exchanges.scan(this.#form, this.#inverse, this.#support, this.#size, threshold);
    const { feasible, infeasible } = this.#exchanges;
    const before = this.value;
    if (infeasible.entering >= 0 && infeasible.score > feasible.score) {
      const value = this.#solveOn(this.#propose(infeasible));
      if (value < 1 / feasible.score) {
        this.#keepIfBetter(value);
        return this.value < before;
      }
    }
    if (feasible.entering < 0) return false;
    this.#keepIfBetter(this.#solveOn(this.#propose(feasible)));
    return this.value < before;
  }

  /** Candidate = the support without a slot, plus an entry at weight 0 (a feasible start for the active set). */
  #propose({ slot, entering }: Exchange): number {
    const support = this.#support;
    const w = this.#w;
    const candidate = this.#candidate;
    const candidateW = this.#candidateW;
    let count = 0;
    let rest = 0;
    for (let s = 0; s < this.#size; s++) {
      if (s === slot) continue;
      candidate[count] = support[s];
      candidateW[count++] = w[s];
      rest += w[s];
    }
    for (let s = 0; s < count; s++) candidateW[s] = rest > 0 ? candidateW[s] / rest : 1 / count;
    candidate[count] = entering;
    candidateW[count] = count === 0 ? 1 : 0;
    return count + 1;
  }
}

/** Keeps columns that agree apart: shares of the smallest diagonal entry and of the trace. */
const RIDGE = 1e-10;
const TRACE_RIDGE = 1e-14;
/** Smaller than in `SimplexSolver`: the optimum itself is wanted. */
const DENSE_IMPROVEMENT = 1e-9;

/** The same for a form whose entries are known: G is n × n, row-major, positive semidefinite. */
export class DenseSimplexQp {
  /** n: the solution, read and written by `minimize`. */
  readonly w: Float64Array;
  readonly #form: DenseForm;
  readonly #solver: SimplexSolver;
  readonly #entries: Int32Array;
  readonly #weights: Float64Array;

  /** `most`: the largest n; `k`: the largest number of entries that are not 0. */
  constructor(most: number, k: number) {
    this.w = new Float64Array(most);
    this.#form = new DenseForm(most);
    this.#solver = new SimplexSolver(this.#form, k, DENSE_IMPROVEMENT);
    this.#entries = new Int32Array(k);
    this.#weights = new Float64Array(k);
  }

  /** From `w` (feasible, at most k entries not 0) to the optimum, in `w`. Returns wᵀ·G·w, never above that of the start. */
  minimize(g: Float64Array, n: number): number {
    const { w } = this;
    const entries = this.#entries;
    const weights = this.#weights;
    let count = 0;
    for (let c = 0; c < n; c++) if (w[c] > 0) [entries[count], weights[count++]] = [c, w[c]];
    const before = count > 0 ? this.#valueOn(g, n, count) : Infinity;
    this.#form.load(g, n);
    this.#solver.start(entries, weights, 0, count);
    this.#solver.exchange(8 * n);
    const used = this.#solver.store(entries, weights, 0, entries.length);
    const value = this.#valueOn(g, n, used);
    if (!(value < before)) return before;
    w.fill(0, 0, n);
    for (let s = 0; s < used; s++) w[entries[s]] = weights[s];
    return value;
  }

  /** The form itself, without a ridge, at the first `count` entries and weights. */
  #valueOn(g: Float64Array, n: number, count: number): number {
    const entries = this.#entries;
    const weights = this.#weights;
    let sum = 0;
    for (let s = 0; s < count; s++) {
      for (let t = 0; t < count; t++) sum += weights[s] * weights[t] * g[entries[s] * n + entries[t]];
    }
    return sum;
  }
}

class DenseForm implements QuadraticForm {
  size: number;
  readonly diagonal: Float64Array;
  #g: Float64Array = new Float64Array(0);

  constructor(most: number) {
    this.size = most;
    this.diagonal = new Float64Array(most);
  }

  load(g: Float64Array, n: number): void {
    this.#g = g;
    this.size = n;
    let smallest = Infinity;
    let trace = 0;
    for (let c = 0; c < n; c++) {
      const d = Math.max(0, g[c * n + c]); // rounding may leave a vanishing entry negative
      this.diagonal[c] = d;
      smallest = Math.min(smallest, d);
      trace += d;
    }
    const ridge = RIDGE * smallest + TRACE_RIDGE * trace + 1e-300;
    for (let c = 0; c < n; c++) this.diagonal[c] += ridge;
  }

  entry(a: number, b: number): number {
    return a === b ? this.diagonal[a] : this.#g[a * this.size + b];
  }

  row(out: Float64Array, from: number, a: number): void {
    for (let c = 0; c < this.size; c++) out[from + c] = this.#g[a * this.size + c];
  }
}
