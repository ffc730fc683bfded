import { nnls } from '../../math/nnls.ts';
import { DenseSimplexQp } from '../../math/simplex-qp.ts';
import type { Columns } from './columns.ts';
import { differenceColumn, dotOfRows, type Problem } from './problem.ts';

/** w' of every vertex of the problem: at most k columns each. */
export class VertexWeights {
  readonly k: number;
  /** n·k column numbers, −1 in unused slots, which come last. */
  readonly columns: Int32Array;
  /** n·k, sum 1. */
  readonly weights: Float64Array;
  /** n: squared error over all frames, with the rows that keep effective weights. */
  readonly errors: Float64Array;
  /** n: the part of it that is motion. */
  readonly motionErrors: Float64Array;

  constructor(count: number, k: number) {
    this.k = k;
    this.columns = new Int32Array(count * k).fill(-1);
    this.weights = new Float64Array(count * k);
    this.errors = new Float64Array(count).fill(Infinity);
    this.motionErrors = new Float64Array(count);
  }

  copy(): VertexWeights {
    const out = new VertexWeights(this.errors.length, this.k);
    out.assign(this);
    return out;
  }

  assign(from: VertexWeights): void {
    this.columns.set(from.columns);
    this.weights.set(from.weights);
    this.errors.set(from.errors);
    this.motionErrors.set(from.motionErrors);
  }

  /** Takes over the weights of vertex i. */
  take(from: VertexWeights, i: number): void {
    for (let s = i * this.k; s < (i + 1) * this.k; s++) {
      this.columns[s] = from.columns[s];
      this.weights[s] = from.weights[s];
    }
    this.errors[i] = from.errors[i];
    this.motionErrors[i] = from.motionErrors[i];
  }

  /** Column numbers after blend column `gone` was taken out; its vertices' weights have to be solved again. */
  dropColumn(gone: number): void {
    for (let s = 0; s < this.columns.length; s++) {
      if (this.columns[s] === gone) {
        this.columns[s] = -1;
        this.weights[s] = 0;
      } else if (this.columns[s] > gone) this.columns[s]--;
    }
  }
}

export const totalOf = (errors: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < errors.length; i++) sum += errors[i];
  return sum;
};

/**
 * The w'-weights of single vertices, Kavan 2009, §4.2. With D_c = M_c·v − Φ(w)·v and Σw' = 1 the error is w'ᵀ·G·w',
 * G = DᵀD, to which the rows that keep effective weights add ρ̂²·(a_c − w)·(a_d − w).
 */
export class WeightSolver {
  readonly #columns: Columns;
  readonly #problem: Problem;
  readonly #qp: DenseSimplexQp;
  /** The columns in question, and n × 3F: their D_c. */
  readonly #ids: Int32Array;
  readonly #d: Float64Array;
  readonly #gram: Float64Array;
  /** B: the master weights w of the vertex at hand. */
  readonly #own: Float64Array;
  readonly #along: Float64Array;

  /** `most`: the largest number of blend bones there will be. */
  constructor(columns: Columns, most: number) {
    const problem = columns.problem;
    let masters = 0;
    for (let i = 0; i < problem.count; i++) masters = Math.max(masters, problem.starts[i + 1] - problem.starts[i]);
    const n = masters + most;
    this.#columns = columns;
    this.#problem = problem;
    this.#qp = new DenseSimplexQp(n, problem.influences);
    this.#ids = new Int32Array(n);
    this.#d = new Float64Array(n * 3 * problem.frames);
    this.#gram = new Float64Array(n * n);
    this.#own = new Float64Array(problem.bones);
    this.#along = new Float64Array(n);
  }

  /** Solves vertex i exactly among all its candidates, starting from what `state` has. */
  solve(state: VertexWeights, i: number): void {
    const n = this.#columns.candidates(this.#ids, i);
    const { w } = this.#qp;
    const gram = this.#gram;
    this.#formGram(i, n);
    let sum = 0;
    let lightest = 0; // the column that is best alone
    for (let c = 0; c < n; c++) {
      w[c] = 0;
      for (let s = i * state.k; s < (i + 1) * state.k; s++)
        if (state.columns[s] === this.#ids[c]) w[c] = state.weights[s];
      sum += w[c];
      if (gram[c * n + c] < gram[lightest * n + lightest]) lightest = c;
    }
    for (let c = 0; c < n; c++) w[c] = sum > 0.5 ? w[c] / sum : Number(c === lightest);
    this.#store(state, i, n, this.#qp.minimize(gram, n));
  }

  /** The error of vertex i if it could also follow `extra`, in addition to its current columns. Nothing is changed. */
  errorWith(state: VertexWeights, i: number, extra: number): number {
    const { w } = this.#qp;
    let n = 0;
    for (let s = i * state.k; s < (i + 1) * state.k && state.columns[s] >= 0; s++) {
      w[n] = state.weights[s];
      this.#ids[n++] = state.columns[s];
    }
    w[n] = 0;
    this.#ids[n++] = extra;
    this.#formGram(i, n);
    return this.#qp.minimize(this.#gram, n);
  }

  /** The error of vertex i without the column in one of its slots. With `keep` the weights that this takes are kept. */
  errorWithout(state: VertexWeights, i: number, slot: number, keep = false): number {
    const { w } = this.#qp;
    const rest = 1 - state.weights[i * state.k + slot];
    let n = 0;
    for (let s = 0; s < state.k && state.columns[i * state.k + s] >= 0; s++) {
      if (s === slot) continue;
      w[n] = state.weights[i * state.k + s] / rest;
      this.#ids[n++] = state.columns[i * state.k + s];
    }
    this.#formGram(i, n);
    const error = this.#qp.minimize(this.#gram, n);
    if (keep) this.#store(state, i, n, error);
    return error;
  }

  /** The error of the weights that vertex i has, after columns have moved. */
  evaluate(state: VertexWeights, i: number): void {
    let n = 0;
    for (let s = i * state.k; s < (i + 1) * state.k && state.columns[s] >= 0; s++) this.#ids[n++] = state.columns[s];
    this.#formGram(i, n);
    for (let c = 0; c < n; c++) this.#qp.w[c] = state.weights[i * state.k + c];
    state.errors[i] = this.#error(n);
    state.motionErrors[i] = this.#motionError(n);
  }

  /**
   * The weights as in Kavan 2009: non-negative least squares of the rows c·A·w' = c·b and Σw' = 1, c = 1/‖b‖
   * (5); if more than k are left, again with the k largest; then normalised. With A = D + b·1ᵀ the products need D only.
   */
  solveSoftly(state: VertexWeights, i: number): void {
    const { frames, targets, influences } = this.#problem;
    let n = this.#columns.candidates(this.#ids, i);
    const b = targets.subarray(3 * frames * i, 3 * frames * (i + 1));
    let b2 = 0;
    for (const x of b) b2 += x * x;
    for (let pass = 0; pass < 2; pass++) {
      this.#formGram(i, n);
      const length = 3 * frames;
      for (let c = 0; c < n; c++) {
        this.#along[c] = dotOfRows(this.#d, c * length, b, 0, length);
      }
      const scale2 = b2 > 0 ? 1 / b2 : 1;
      const ata = new Float64Array(n * n);
      const atb = new Float64Array(n);
      for (let c = 0; c < n; c++) {
        for (let d = 0; d < n; d++) {
          ata[c * n + d] = scale2 * (this.#gram[c * n + d] + this.#along[c] + this.#along[d] + b2) + 1;
        }
        atb[c] = scale2 * (this.#along[c] + b2) + 1;
      }
      const x = nnls(ata, atb, n);
      const kept = [...x.keys()].filter((c) => x[c] > 0).sort((c, d) => x[d] - x[c]);
      const { w } = this.#qp;
      if (kept.length > influences) {
        const ids = kept.slice(0, influences).map((c) => this.#ids[c]);
        this.#ids.set(ids);
        n = ids.length;
        continue;
      }
      let sum = 0;
      for (let c = 0; c < n; c++) sum += x[c];
      for (let c = 0; c < n; c++) w[c] = x[c] / sum;
      break;
    }
    this.#store(state, i, n, this.#error(n));
  }

  /** w'ᵀ·G·w' of the solution at hand. */
  #error(n: number): number {
    const { w } = this.#qp;
    let error = 0;
    for (let c = 0; c < n; c++) for (let d = 0; d < n; d++) error += w[c] * w[d] * this.#gram[c * n + d];
    return error;
  }

  /** Writes `d`, and G with the rows that keep effective weights. */
  #formGram(i: number, n: number): void {
    const { frames, starts, masters, weights, rest } = this.#problem;
    const rho2 = this.#problem.rho2 * rest[4 * i + 3] ** 2;
    const length = 3 * frames;
    const d = this.#d;
    const gram = this.#gram;
    const ids = this.#ids;
    for (let c = 0; c < n; c++) differenceColumn(d, c * length, this.#problem, i, this.#columns.matrices(ids[c]));
    for (let c = 0; c < n; c++) {
      for (let e = 0; e <= c; e++) gram[c * n + e] = dotOfRows(d, c * length, d, e * length, length);
    }
    let own2 = 0;
    for (let s = starts[i]; s < starts[i + 1]; s++) {
      this.#own[masters[s]] = weights[s];
      own2 += weights[s] * weights[s];
    }
    for (let c = 0; c < n; c++) this.#along[c] = this.#columns.dot(ids[c], this.#own);
    for (let c = 0; c < n; c++) {
      for (let e = 0; e <= c; e++) {
        gram[c * n + e] += rho2 * (this.#columns.dotOf(ids[c], ids[e]) - this.#along[c] - this.#along[e] + own2);
        gram[e * n + c] = gram[c * n + e];
      }
    }
    for (let s = starts[i]; s < starts[i + 1]; s++) this.#own[masters[s]] = 0;
  }

  /** ‖Σ w'_c·D_c‖² of the solution at hand. */
  #motionError(n: number): number {
    const length = 3 * this.#problem.frames;
    const { w } = this.#qp;
    let total = 0;
    for (let row = 0; row < length; row++) {
      let sum = 0;
      for (let c = 0; c < n; c++) if (w[c] > 0) sum += w[c] * this.#d[c * length + row];
      total += sum * sum;
    }
    return total;
  }

  /** Takes over the columns with weight, the largest first. */
  #store(state: VertexWeights, i: number, n: number, error: number): void {
    const { w } = this.#qp;
    let used = 0;
    const at = i * state.k;
    for (let c = 0; c < n; c++) {
      if (!(w[c] > 0)) continue;
      let s = at + used++;
      for (; s > at && state.weights[s - 1] < w[c]; s--) {
        state.weights[s] = state.weights[s - 1];
        state.columns[s] = state.columns[s - 1];
      }
      state.weights[s] = w[c];
      state.columns[s] = this.#ids[c];
    }
    for (let s = at + used; s < at + state.k; s++) {
      state.columns[s] = -1;
      state.weights[s] = 0;
    }
    state.errors[i] = error;
    state.motionErrors[i] = this.#motionError(n);
  }
}
