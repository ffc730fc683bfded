import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';

/**
 * The factors of bounces.ts by least squares: per band l, what a traced transfer has beyond the direct one, from the terms
 * (T, o t, o T, o² t, o² T).
 */

const TERMS = 5;
const BANDS = 5;
/** Held back a little, of the mean diagonal: o is nearly constant on some models. */
const RIDGE = 1e-4;

export class BounceFit {
  readonly #order: number;
  readonly #matrices = Array.from({ length: BANDS }, () => new Float64Array(TERMS * TERMS));
  readonly #sides = Array.from({ length: BANDS }, () => new Float64Array(TERMS));

  constructor(order: number) {
    this.#order = order;
  }

  /** One vertex, order² numbers from `at` on: without occluders, direct, and with all bounces as traced. */
  add(unshadowed: ArrayLike<number>, direct: ArrayLike<number>, traced: ArrayLike<number>, at = 0): void {
    const o = 1 - direct[at] / unshadowed[at];
    if (o === 0) return;
    for (let l = 0; l < Math.min(this.#order, BANDS); l++) {
      const [matrix, side] = [this.#matrices[l], this.#sides[l]];
      for (let c = at + l * l; c < at + (l + 1) * (l + 1); c++) {
        const t = direct[c];
        const blocked = unshadowed[c] - t;
        const terms = [blocked, o * t, o * blocked, o * o * t, o * o * blocked];
        for (let r = 0; r < TERMS; r++) {
          side[r] += terms[r] * (traced[c] - t);
          for (let k = 0; k < TERMS; k++) matrix[TERMS * r + k] += terms[r] * terms[k];
        }
      }
    }
  }

  /** 25 factors; those of a band that nothing was learned about are 0. */
  finish(): Float32Array {
    const out = new Float32Array(TERMS * BANDS);
    this.#matrices.forEach((matrix, l) => {
      const factor = matrix.slice();
      let mean = 0;
      for (let r = 0; r < TERMS; r++) mean += matrix[r * TERMS + r] / TERMS;
      if (!(mean > 0)) return;
      for (let r = 0; r < TERMS; r++) factor[r * TERMS + r] += RIDGE * mean;
      const solved = this.#sides[l].slice();
      if (!choleskyFactor(factor, TERMS)) return;
      choleskySolve(factor, TERMS, solved, 1);
      out.set(solved, TERMS * l);
    });
    return out;
  }
}
