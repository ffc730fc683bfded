import type { FitProblem, Support } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';

/**
 * The weights of one vertex: the minimum of wᵀ·G·w over w ≥ 0, Σw = 1, at most k non-zero (weights.ts has G).
 *
 * On a given support S the optimum is w = G⁻¹1 / (1ᵀG⁻¹1) with value 1 / (1ᵀG⁻¹1). The support is improved by the best
 * exchange over **all** bones, in closed form: with I = G_SS⁻¹, and for a bone e outside S u = I·G_Se, σ = G_ee − G_Se·u,
 * leaving out slot j changes these to
 *
 *   σ_j = σ + u_j²/I_jj,   Σu → Σu − u_j·x_j/I_jj   with x = I·1,   Σx → Σx − x_j²/I_jj,
 *
 * so that each of the |S|·B exchanges costs a handful of operations: value' = 1/(Σx + (1 − Σu)²/σ). A gradient-picked
 * shortlist instead of the full scan ends at twice the error.
 */

const MAX_EXCHANGES = 10;
/** An exchange must lower the error by this fraction, or rounding would exchange forever. */
const IMPROVEMENT = 1e-6;

/** Minimises wᵀGw over the simplex for one vertex at a time, with at most k bones. Nothing is allocated per vertex. */
export class SimplexSolver {
  value = 0;
  size = 0;
  private readonly k: number;
  private readonly bones: number;
  private readonly pairs: Float64Array;
  private readonly monomials: Float64Array;
  private readonly zNorm2: Float64Array;
  private i = 0;
  private h: Float64Array = new Float64Array(0);
  private offset = 0;
  /** Added to every G_bb: keeps supports whose bones agree invertible. */
  private ridge = 0;
  private mu = new Float64Array(10);

  private joints: Int32Array;
  private w: Float64Array;
  private readonly inverse: Float64Array;
  private readonly x: Float64Array;
  private readonly u: Float64Array;
  private readonly g: Float64Array;
  private readonly diagonal: Float64Array;
  private candidateJoints: Int32Array;
  private candidateW: Float64Array;
  private readonly trial: Float64Array;

  constructor(problem: FitProblem, products: BoneProducts, influences: number) {
    const k = influences + 1;
    this.k = influences;
    this.bones = products.boneCount;
    this.pairs = products.pairs;
    this.monomials = problem.monomials;
    this.zNorm2 = problem.zNorm2;
    this.joints = new Int32Array(k);
    this.candidateJoints = new Int32Array(k);
    this.w = new Float64Array(k);
    this.candidateW = new Float64Array(k);
    this.inverse = new Float64Array(k * k);
    this.x = new Float64Array(k);
    this.u = new Float64Array(k);
    this.trial = new Float64Array(k);
    this.g = new Float64Array(k * products.boneCount);
    this.diagonal = new Float64Array(products.boneCount);
  }

  begin(i: number, h: Float64Array, offset: number): void {
    this.i = i;
    this.h = h;
    this.offset = offset;
    for (let m = 0; m < 10; m++) this.mu[m] = this.monomials[10 * i + m];
    let smallest = Infinity;
    for (let b = 0; b < this.bones; b++) {
      const d = this.rawEntry(b, b);
      this.diagonal[b] = d;
      if (d < smallest) smallest = d;
    }
    // 1e-10 of the scale of G, and never zero. Cancellation leaves 1e-16·|z|² anyway.
    this.ridge = 1e-10 * Math.max(0, smallest) + 1e-15 * this.zNorm2[i] + 1e-30;
    for (let b = 0; b < this.bones; b++) this.diagonal[b] = Math.max(0, this.diagonal[b]) + this.ridge;
  }

  private rawEntry(b: number, c: number): number {
    const { pairs, mu } = this;
    const o = (b * this.bones + c) * 10;
    return (
      this.zNorm2[this.i] -
      this.h[this.offset + b] -
      this.h[this.offset + c] +
      pairs[o] * mu[0] +
      pairs[o + 1] * mu[1] +
      pairs[o + 2] * mu[2] +
      pairs[o + 3] * mu[3] +
      pairs[o + 4] * mu[4] +
      pairs[o + 5] * mu[5] +
      pairs[o + 6] * mu[6] +
      pairs[o + 7] * mu[7] +
      pairs[o + 8] * mu[8] +
      pairs[o + 9] * mu[9]
    );
  }

  private entry(b: number, c: number): number {
    return b === c ? this.diagonal[b] : this.rawEntry(b, c);
  }

  /** Starts from vertex `from`'s support, re-solved; from the best single bone when it has none. */
  load(support: Support, from: number): void {
    const count = support.count[from];
    const o = from * support.influences;
    if (count === 0) {
      let best = 0;
      for (let b = 1; b < this.bones; b++) if (this.diagonal[b] < this.diagonal[best]) best = b;
      this.size = 1;
      this.joints[0] = best;
      this.w[0] = 1;
      this.value = this.diagonal[best];
      return;
    }
    for (let s = 0; s < count; s++) {
      this.candidateJoints[s] = support.joints[o + s];
      this.candidateW[s] = support.weights[o + s];
    }
    this.value = Infinity;
    this.keepIfBetter(this.solveOn(count));
  }

  /** Takes over vertex `from`'s support when it is better here. */
  trySupport(support: Support, from: number): void {
    const count = support.count[from];
    if (count === 0) return;
    const o = from * support.influences;
    let same = count === this.size;
    for (let s = 0; s < count; s++) {
      const j = support.joints[o + s];
      this.candidateJoints[s] = j;
      this.candidateW[s] = support.weights[o + s];
      if (same && this.joints.indexOf(j) < 0) same = false;
    }
    if (!same) this.keepIfBetter(this.solveOn(count));
  }

  store(support: Support, i: number): void {
    const o = i * support.influences;
    support.count[i] = this.size;
    for (let s = 0; s < support.influences; s++) {
      support.joints[o + s] = s < this.size ? this.joints[s] : 0;
      support.weights[o + s] = s < this.size ? this.w[s] : 0;
    }
  }

  private candidateSize = 0;

  private keepIfBetter(value: number): void {
    if (!(value < this.value * (1 - IMPROVEMENT) || this.value === Infinity)) return;
    this.value = value;
    this.size = this.candidateSize;
    const { joints, w } = this;
    this.joints = this.candidateJoints;
    this.w = this.candidateW;
    this.candidateJoints = joints;
    this.candidateW = w;
  }

  /**
   * Optimum on the first `count` candidate joints, starting from the candidate weights (feasible): when the
   * unconstrained optimum has a weight ≤ 0, go as far as the boundary, drop that bone, and solve again.
   */
  private solveOn(count: number): number {
    const { candidateJoints: joints, candidateW: w, trial } = this;
    for (;;) {
      if (!this.invert(joints, count)) {
        count = this.dropSmallest(count);
        if (count > 1) continue;
        this.invert(joints, 1);
      }
      let sum = 0;
      for (let s = 0; s < count; s++) sum += this.x[s];
      let step = 1;
      let blocking = -1;
      for (let s = 0; s < count; s++) {
        trial[s] = this.x[s] / sum;
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
        this.candidateSize = count;
        return 1 / sum;
      }
      for (let s = 0; s < count; s++) w[s] += step * (trial[s] - w[s]);
      count--;
      joints[blocking] = joints[count];
      w[blocking] = w[count];
    }
  }

  /** Removes the candidate of least weight; its weight goes to the others in proportion. */
  private dropSmallest(count: number): number {
    const { candidateJoints: joints, candidateW: w } = this;
    let smallest = 0;
    for (let s = 1; s < count; s++) if (w[s] < w[smallest]) smallest = s;
    const rest = 1 - w[smallest];
    joints[smallest] = joints[count - 1];
    w[smallest] = w[count - 1];
    for (let s = 0; s < count - 1; s++) w[s] = rest > 0 ? w[s] / rest : 1 / (count - 1);
    return count - 1;
  }

  /** inverse = G_SS⁻¹ and x = inverse·1 for the given joints (Gauss–Jordan; G is positive definite). */
  private invert(joints: Int32Array, size: number): boolean {
    const { inverse: a, k } = this;
    const stride = k + 1;
    for (let s = 0; s < size; s++) {
      for (let t = 0; t <= s; t++) {
        a[s * stride + t] = a[t * stride + s] = this.entry(joints[s], joints[t]);
      }
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

  /** Best exchange over all bones, repeated until none helps. */
  exchange(): void {
    for (let round = 0; round < MAX_EXCHANGES; round++) if (!this.exchangeOnce()) return;
  }

  private exchangeOnce(): boolean {
    const { joints, size, inverse: a, x, u, g, diagonal, bones, pairs, mu } = this;
    const stride = this.k + 1;
    if (!this.invert(joints, size)) return false;
    let sumX = 0;
    for (let s = 0; s < size; s++) sumX += x[s];

    // Rows G_Se for all e at once: the pair table is read in order.
    const z2 = this.zNorm2[this.i];
    const { h, offset } = this;
    for (let s = 0; s < size; s++) {
      const base = z2 - h[offset + joints[s]];
      let o = joints[s] * bones * 10;
      for (let e = 0; e < bones; e++, o += 10) {
        g[s * bones + e] =
          base -
          h[offset + e] +
          pairs[o] * mu[0] +
          pairs[o + 1] * mu[1] +
          pairs[o + 2] * mu[2] +
          pairs[o + 3] * mu[3] +
          pairs[o + 4] * mu[4] +
          pairs[o + 5] * mu[5] +
          pairs[o + 6] * mu[6] +
          pairs[o + 7] * mu[7] +
          pairs[o + 8] * mu[8] +
          pairs[o + 9] * mu[9];
      }
    }

    // `score` is 1/value: larger is better. Slot `size` means "leave nothing out".
    const threshold = 1 / (this.value * (1 - IMPROVEMENT));
    let best = threshold;
    let bestSlot = -1;
    let bestBone = -1;
    let bestInfeasible = threshold;
    let infeasibleSlot = -1;
    let infeasibleBone = -1;
    const canGrow = size < this.k;
    for (let e = 0; e < bones; e++) {
      let inside = false;
      for (let s = 0; s < size; s++) if (joints[s] === e) inside = true;
      if (inside) continue;
      let sumU = 0;
      let sigma = diagonal[e];
      for (let s = 0; s < size; s++) {
        let us = 0;
        for (let t = 0; t < size; t++) us += a[s * stride + t] * g[t * bones + e];
        u[s] = us;
        sumU += us;
        sigma -= us * g[s * bones + e];
      }
      const floor = 1e-12 * diagonal[e];
      for (let j = canGrow ? size : size - 1; j >= 0; j--) {
        let s2 = sigma;
        let su = sumU;
        let sx = sumX;
        if (j < size) {
          const d = a[j * stride + j];
          s2 += (u[j] * u[j]) / d;
          su -= (u[j] * x[j]) / d;
          sx -= (x[j] * x[j]) / d;
        }
        if (s2 < floor) s2 = floor;
        const alpha = (1 - su) / s2;
        if (alpha <= 0) continue;
        const score = sx + (1 - su) * alpha;
        if (score <= best) continue;
        if (this.isFeasible(j, alpha)) {
          best = score;
          bestSlot = j;
          bestBone = e;
        } else if (score > bestInfeasible) {
          bestInfeasible = score;
          infeasibleSlot = j;
          infeasibleBone = e;
        }
      }
    }

    let changed = false;
    const before = this.value;
    if (infeasibleBone >= 0 && bestInfeasible > best) {
      const count = this.propose(infeasibleSlot, infeasibleBone);
      const value = this.solveOn(count);
      if (value < 1 / best) {
        this.keepIfBetter(value);
        return this.value < before;
      }
    }
    if (bestBone >= 0) {
      this.keepIfBetter(this.solveOn(this.propose(bestSlot, bestBone)));
      changed = this.value < before;
    }
    return changed;
  }

  /** Whether x_T − α·u_T ≥ 0 after leaving out slot j (the current u belongs to the bone being tried). */
  private isFeasible(j: number, alpha: number): boolean {
    const { inverse: a, x, u, size } = this;
    const stride = this.k + 1;
    for (let s = 0; s < size; s++) {
      if (s === j) continue;
      let xs = x[s];
      let us = u[s];
      if (j < size) {
        const f = a[s * stride + j] / a[j * stride + j];
        xs -= f * x[j];
        us -= f * u[j];
      }
      if (xs - alpha * us < 0) return false;
    }
    return true;
  }

  /** Candidate = current support without slot j, plus bone e at weight 0 (a feasible start for the active set). */
  private propose(j: number, e: number): number {
    const { joints, w, size, candidateJoints, candidateW } = this;
    let count = 0;
    let rest = 0;
    for (let s = 0; s < size; s++) {
      if (s === j) continue;
      candidateJoints[count] = joints[s];
      candidateW[count++] = w[s];
      rest += w[s];
    }
    for (let s = 0; s < count; s++) candidateW[s] = rest > 0 ? candidateW[s] / rest : 1 / count;
    candidateJoints[count] = e;
    candidateW[count] = count === 0 ? 1 : 0;
    return count + 1;
  }
}
