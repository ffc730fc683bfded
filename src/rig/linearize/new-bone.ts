import { type BoneSet, type Sampling, sampleWeights } from './bone-sets.ts';
import { type BlendSample, blendMatrices, type Columns } from './columns.ts';
import { differenceColumn, dotOfRows, type Problem } from './problem.ts';
import { totalOf, type VertexWeights, type WeightSolver } from './vertex-weights.ts';

/**
 * Where the next blend bone should begin: Kavan 2009, §4.1. It asks for the w'-weights of all vertices for every
 * sample of every set; here a cheap lower bound of the gain is taken for all samples, the real one for the best few.
 *
 * The bound: the error e = ‖r‖² of a vertex, if its influences shrink by 1 − t to make room for t of the new column D,
 * becomes ‖(1 − t)·r + t·D‖², least at t = n/d with n = e − r·D, d = ‖r − D‖²: a gain of 2tn − t²d.
 */

/** A place where a blend bone could begin, and by how much it would lower the error at least. */
export interface Beginning {
  bone: BlendSample;
  set: BoneSet;
  gain: number;
}

/** Samples that are evaluated exactly. */
const FINALISTS = 8;
/** Vertices that speak for a set, where it has more. */
const WITNESSES = 100;
/** Vertices whose errors are below this share of the mean do not count. */
const NOTICEABLE = 1e-3;

/** Keeps the best beginnings of each set, as long as none of the set's vertices changes. */
export class BeginningSearch {
  readonly #columns: Columns;
  readonly #problem: Problem;
  readonly #sets: readonly BoneSet[];
  readonly #sampling: Sampling;
  readonly #scores: (Beginning[] | undefined)[];
  /** n × 3F: Σ w'_c·D_c of every vertex. */
  readonly #residuals: Float64Array;
  /** B: weights of the vertex at hand, its own and those in effect. */
  readonly #own: Float64Array;
  readonly #effective: Float64Array;

  constructor(columns: Columns, sets: readonly BoneSet[], sampling: Sampling) {
    this.#columns = columns;
    this.#problem = columns.problem;
    this.#sets = sets;
    this.#sampling = sampling;
    this.#scores = sets.map(() => undefined);
    this.#residuals = new Float64Array(this.#problem.targets.length);
    this.#own = new Float64Array(this.#problem.bones);
    this.#effective = new Float64Array(this.#problem.bones);
  }

  /** Forgets what was known of sets with one of these masters. */
  forget(masters: readonly number[]): void {
    this.#sets.forEach((set, s) => {
      if (set.masters.some((j) => masters.includes(j))) this.#scores[s] = undefined;
    });
  }

  /** The best beginnings, the best first, at most two of a set: from its vertices' weights, and from the grid. */
  best(state: VertexWeights, solver: WeightSolver): Beginning[] {
    const { errors } = state;
    this.#takeResiduals(state);
    const noticeable = (NOTICEABLE * totalOf(errors)) / errors.length;
    // A set cannot gain more than the errors of its vertices: those that promise most go first, until none can win.
    const promises = this.#sets.map(({ vertices }) => vertices.reduce((sum, i) => sum + errors[i], 0));
    const order = [...promises.keys()].sort((a, b) => promises[b] - promises[a]);
    let best: Beginning[] = [];
    for (const s of order) {
      if (best.length === FINALISTS && promises[s] <= best[FINALISTS - 1].gain) break;
      this.#scores[s] ??= this.#score(this.#sets[s], state, noticeable);
      best = best
        .concat(this.#scores[s])
        .sort((a, b) => b.gain - a.gain)
        .slice(0, FINALISTS);
    }
    return best
      .map((beginning) => this.#exactly(beginning, state, solver, noticeable))
      .filter(({ gain }) => gain > 0)
      .sort((a, b) => b.gain - a.gain);
  }

  /** The best sample of each kind of a set, by the bound. */
  #score(set: BoneSet, state: VertexWeights, noticeable: number): Beginning[] {
    const { frames, starts, masters, weights, rest } = this.#problem;
    const length = 3 * frames;
    const noticed = set.vertices.filter((i) => state.errors[i] > noticeable);
    if (noticed.length === 0) return [];
    const stride = Math.max(1, Math.floor(noticed.length / WITNESSES));
    const samples = sampleWeights(this.#problem, set, state, this.#sampling);
    const grid = this.#sampling === 'weights' ? samples.length - gridSize(set.masters.length) : 0;
    const bones = samples.map((u) => ({ masters: set.masters, u }));
    const matrices = bones.map((bone) => blendMatrices(bone, this.#problem.training));
    const gains = new Float64Array(samples.length);
    const d = new Float64Array(length);
    for (let v = 0; v < noticed.length; v += stride) {
      const i = noticed[v];
      for (let s = i * state.k; s < (i + 1) * state.k && state.columns[s] >= 0; s++) {
        this.#addEffective(state.columns[s], state.weights[s]);
      }
      const e = state.errors[i];
      const rho2 = this.#problem.rho2 * rest[4 * i + 3] ** 2;
      let own2 = 0;
      let ownEffective = 0;
      for (let s = starts[i]; s < starts[i + 1]; s++) {
        this.#own[masters[s]] = weights[s];
        own2 += weights[s] * weights[s];
        ownEffective += weights[s] * this.#effective[masters[s]];
      }
      for (let q = 0; q < samples.length; q++) {
        differenceColumn(d, 0, this.#problem, i, matrices[q]);
        let rd = dotOfRows(this.#residuals, i * length, d, 0, length);
        let dd = dotOfRows(d, 0, d, 0, length);
        // The rows that keep effective weights: r = ρ̂·(ā − w), D = ρ̂·(u − w).
        const u = samples[q];
        let ue = 0;
        let uo = 0;
        let uu = 0;
        for (let l = 0; l < u.length; l++) {
          ue += u[l] * this.#effective[set.masters[l]];
          uo += u[l] * this.#own[set.masters[l]];
          uu += u[l] * u[l];
        }
        rd += rho2 * (ue - uo - ownEffective + own2);
        dd += rho2 * (uu - 2 * uo + own2);
        const n = e - rd;
        if (!(n > 0)) continue;
        const den = e - 2 * rd + dd;
        const t = Math.min(1, n / den);
        gains[q] += stride * (2 * t * n - t * t * den);
      }
      for (let s = starts[i]; s < starts[i + 1]; s++) this.#own[masters[s]] = 0;
      this.#effective.fill(0);
    }
    const best = (from: number, to: number): Beginning[] => {
      let most = from;
      for (let q = from; q < to; q++) if (gains[q] > gains[most]) most = q;
      return from < to && gains[most] > 0 ? [{ bone: bones[most], set, gain: gains[most] }] : [];
    };
    return [...best(0, grid), ...best(grid, samples.length)];
  }

  #takeResiduals(state: VertexWeights): void {
    const r = this.#residuals.fill(0);
    const length = 3 * this.#problem.frames;
    const d = new Float64Array(length);
    for (let i = 0; i < this.#problem.count; i++) {
      for (let s = i * state.k; s < (i + 1) * state.k && state.columns[s] >= 0; s++) {
        const w = state.weights[s];
        differenceColumn(d, 0, this.#problem, i, this.#columns.matrices(state.columns[s]));
        for (let row = 0; row < length; row++) r[i * length + row] += w * d[row];
      }
    }
  }

  /** Adds a column's share to the weights in effect. */
  #addEffective(c: number, w: number): void {
    const { masters, u } = this.#columns.sample(c);
    for (let l = 0; l < masters.length; l++) this.#effective[masters[l]] += w * u[l];
  }

  /** The gain with each vertex's best weights among those columns that it follows and the new one. */
  #exactly(beginning: Beginning, state: VertexWeights, solver: WeightSolver, noticeable: number): Beginning {
    this.#columns.add(beginning.bone);
    const extra = this.#columns.count - 1;
    let gain = 0;
    for (const i of beginning.set.vertices) {
      if (state.errors[i] > noticeable) gain += state.errors[i] - solver.errorWith(state, i, extra);
    }
    this.#columns.removeAt(this.#columns.blends.length - 1);
    return { ...beginning, gain };
  }
}

/** How many quarter steps lie inside a simplex of 2, 3 or 4 corners. */
const gridSize = (n: number): number => (n === 4 ? 1 : 3);
