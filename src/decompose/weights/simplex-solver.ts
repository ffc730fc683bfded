import type { BoneProducts } from '../engine/bone-products.ts';
import type { FitProblem, Support } from '../problem.ts';
import { type Exchange, ExchangeScan } from './exchange.ts';
import { SupportInverse } from './support-inverse.ts';
import { VertexGram } from './vertex-gram.ts';

const MAX_EXCHANGES = 10;
/** A change of the support must lower the error by this fraction, or rounding would exchange forever. */
const IMPROVEMENT = 1e-6;

/**
 * The weights of one vertex at a time: the minimum of wᵀ·G·w over w ≥ 0, Σw = 1, at most k non-zero (weights.ts has G).
 * On a given support S the optimum is w = G_SS⁻¹1 / (1ᵀG_SS⁻¹1) with value 1 / (1ᵀG_SS⁻¹1); the support is improved by
 * exchanges of one bone (exchange.ts). Nothing is allocated per vertex.
 */
export class SimplexSolver {
  /** wᵀGw of the support in force. */
  value = 0;
  /** Its bones, the first `#size` of them, and their weights. */
  #joints: Int32Array;
  #w: Float64Array;
  #size = 0;
  /** Where `#solveOn` starts and ends. */
  #candidateJoints: Int32Array;
  #candidateW: Float64Array;
  #candidateSize = 0;
  readonly #gram: VertexGram;
  readonly #inverse: SupportInverse;
  readonly #exchanges: ExchangeScan;
  readonly #trial: Float64Array;

  constructor(problem: FitProblem, products: BoneProducts, influences: number) {
    // A support, and the bone being tried.
    const most = influences + 1;
    this.#joints = new Int32Array(most);
    this.#candidateJoints = new Int32Array(most);
    this.#w = new Float64Array(most);
    this.#candidateW = new Float64Array(most);
    this.#trial = new Float64Array(most);
    this.#gram = new VertexGram(problem, products);
    this.#inverse = new SupportInverse(most);
    this.#exchanges = new ExchangeScan(influences, products.boneCount);
  }

  /** Vertex i, whose h_b is h[offset + b]. */
  begin(i: number, h: Float64Array, offset: number): void {
    this.#gram.load(i, h, offset);
  }

  /** Starts from vertex `from`'s support, re-solved; from the best single bone when it has none. */
  load(support: Support, from: number): void {
    const count = support.count[from];
    const o = from * support.influences;
    if (count === 0) {
      const best = this.#gram.bestBone();
      this.#size = 1;
      this.#joints[0] = best;
      this.#w[0] = 1;
      this.value = this.#gram.diagonal[best];
      return;
    }
    for (let s = 0; s < count; s++) {
      this.#candidateJoints[s] = support.joints[o + s];
      this.#candidateW[s] = support.weights[o + s];
    }
    this.value = Infinity;
    this.#keepIfBetter(this.#solveOn(count));
  }

  /** Takes over vertex `from`'s support when it is better here. */
  trySupport(support: Support, from: number): void {
    const count = support.count[from];
    if (count === 0) return;
    const o = from * support.influences;
    let same = count === this.#size;
    for (let s = 0; s < count; s++) {
      const j = support.joints[o + s];
      this.#candidateJoints[s] = j;
      this.#candidateW[s] = support.weights[o + s];
      // Beyond its size the array holds bones of earlier supports.
      const at = this.#joints.indexOf(j);
      if (at < 0 || at >= this.#size) same = false;
    }
    if (!same) this.#keepIfBetter(this.#solveOn(count));
  }

  store(support: Support, i: number): void {
    const o = i * support.influences;
    support.count[i] = this.#size;
    for (let s = 0; s < support.influences; s++) {
      support.joints[o + s] = s < this.#size ? this.#joints[s] : 0;
      support.weights[o + s] = s < this.#size ? this.#w[s] : 0;
    }
  }

  #keepIfBetter(value: number): void {
    if (!(value < this.value * (1 - IMPROVEMENT) || this.value === Infinity)) return;
    this.value = value;
    this.#size = this.#candidateSize;
    [this.#joints, this.#candidateJoints] = [this.#candidateJoints, this.#joints];
    [this.#w, this.#candidateW] = [this.#candidateW, this.#w];
  }

  /**
   * Optimum on the first `count` candidate joints, starting from the candidate weights (feasible): when the
   * unconstrained optimum has a weight ≤ 0, go as far as the boundary, drop that bone, and solve again.
   */
  #solveOn(count: number): number {
    const joints = this.#candidateJoints;
    const w = this.#candidateW;
    const trial = this.#trial;
    const { x } = this.#inverse;
    for (;;) {
      if (!this.#inverse.solve(this.#gram, joints, count)) {
        count = this.#dropSmallest(count);
        if (count > 1) continue;
        this.#inverse.solve(this.#gram, joints, 1);
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
      joints[blocking] = joints[count];
      w[blocking] = w[count];
    }
  }

  /** Removes the candidate of least weight; its weight goes to the others in proportion. */
  #dropSmallest(count: number): number {
    const joints = this.#candidateJoints;
    const w = this.#candidateW;
    let smallest = 0;
    for (let s = 1; s < count; s++) if (w[s] < w[smallest]) smallest = s;
    const rest = 1 - w[smallest];
    joints[smallest] = joints[count - 1];
    w[smallest] = w[count - 1];
    for (let s = 0; s < count - 1; s++) w[s] = rest > 0 ? w[s] / rest : 1 / (count - 1);
    return count - 1;
  }

  /** Best exchange over all bones, repeated until none helps. */
  exchange(): void {
    for (let round = 0; round < MAX_EXCHANGES; round++) if (!this.#exchangeOnce()) return;
  }

  #exchangeOnce(): boolean {
    if (!this.#inverse.solve(this.#gram, this.#joints, this.#size)) return false;
    const threshold = 1 / (this.value * (1 - IMPROVEMENT));
    this.#exchanges.scan(this.#gram, this.#inverse, this.#joints, this.#size, threshold);
    const { feasible, infeasible } = this.#exchanges;
    const before = this.value;
    if (infeasible.bone >= 0 && infeasible.score > feasible.score) {
      const value = this.#solveOn(this.#propose(infeasible));
      if (value < 1 / feasible.score) {
        this.#keepIfBetter(value);
        return this.value < before;
      }
    }
    if (feasible.bone < 0) return false;
    this.#keepIfBetter(this.#solveOn(this.#propose(feasible)));
    return this.value < before;
  }

  /** Candidate = the support without a slot, plus a bone at weight 0 (a feasible start for the active set). */
  #propose({ slot, bone }: Exchange): number {
    const joints = this.#joints;
    const w = this.#w;
    const candidateJoints = this.#candidateJoints;
    const candidateW = this.#candidateW;
    let count = 0;
    let rest = 0;
    for (let s = 0; s < this.#size; s++) {
      if (s === slot) continue;
      candidateJoints[count] = joints[s];
      candidateW[count++] = w[s];
      rest += w[s];
    }
    for (let s = 0; s < count; s++) candidateW[s] = rest > 0 ? candidateW[s] / rest : 1 / count;
    candidateJoints[count] = bone;
    candidateW[count] = count === 0 ? 1 : 0;
    return count + 1;
  }
}
