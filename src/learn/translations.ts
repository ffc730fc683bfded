import type { TranslationSolve } from '../model/predictor.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { TranslationInput } from './translation-solves.ts';

/** Applying what translation-solves.ts prepares, pose by pose. */

/**
 * Goals (3n_c) for the coordinates that do not steer: where the predicted transforms (12B) take the control points anyway,
 * blended linearly as (2.11) does, so that they pull at nothing.
 */
export function releaseFree(
  goals: Float64Array,
  axes: Uint8Array,
  transforms: Float64Array,
  { positions: v, skin, points }: Pick<TranslationInput, 'positions' | 'skin' | 'points'>,
): void {
  for (let c = 0; c < goals.length; c++) {
    if (axes[c]) continue;
    const i = points[Math.floor(c / 3)];
    goals[c] = 0;
    for (let s = i * skin.influences; s < (i + 1) * skin.influences; s++) {
      const row = MATRIX_STRIDE * skin.joints[s] + 4 * (c % 3);
      const turned =
        transforms[row] * v[3 * i] + transforms[row + 1] * v[3 * i + 1] + transforms[row + 2] * v[3 * i + 2];
      goals[c] += skin.weights[s] * (turned + transforms[row + 3]);
    }
  }
}

/** Applies the operators of a mode to 12B transforms, in place, without allocation. */
export class Translator {
  readonly #solve: TranslationSolve;
  /** Row a of `turn`: the entries from starts[a] to starts[a + 1]. */
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;
  readonly #amounts: Float64Array;
  readonly #columns: Float64Array;
  readonly #old: Float64Array;
  readonly #new: Float64Array;

  constructor(solve: TranslationSolve, bones: number) {
    const poisson = solve.mode === 'poisson';
    this.#solve = solve;
    const turn = solve.turn ?? new Float64Array(0);
    const places = Array.from(turn.keys()).filter((at) => turn[at] !== 0);
    this.#places = Uint32Array.from(places, (at) => at % (3 * bones));
    this.#amounts = Float64Array.from(places, (at) => turn[at]);
    this.#starts = new Uint32Array(bones + 1);
    for (const at of places) this.#starts[Math.floor(at / (3 * bones)) + 1]++;
    for (let b = 0; b < bones; b++) this.#starts[b + 1] += this.#starts[b];
    this.#columns = new Float64Array(poisson ? 9 * bones : 0);
    this.#old = new Float64Array(poisson ? 3 * bones : 0);
    this.#new = new Float64Array(3 * bones);
  }

  /** (2.11): translations anew from rotations, control points (3n_c) and the predicted translations. */
  solvePoisson(transforms: Float64Array, points: Float64Array): void {
    const { pull, hold } = this.#solve;
    if (!hold) return;
    const bones = this.#old.length / 3;
    for (let b = 0; b < bones; b++) {
      for (let r = 0; r < 3; r++) {
        const row = MATRIX_STRIDE * b + 4 * r;
        for (let s = 0; s < 3; s++) this.#columns[(3 * b + s) * 3 + r] = transforms[row + s];
        this.#old[3 * b + r] = transforms[row + 3];
      }
    }
    this.#addTurned();
    this.#new.fill(0);
    addProduct(this.#new, hold, this.#old);
    addProduct(this.#new, pull, points);
    for (let b = 0; b < bones; b++) {
      for (let r = 0; r < 3; r++) transforms[MATRIX_STRIDE * b + 4 * r + 3] = this.#new[3 * b + r];
    }
  }

  /** Predicted translations += turn · rotations. */
  #addTurned(): void {
    const starts = this.#starts;
    const places = this.#places;
    const amounts = this.#amounts;
    const columns = this.#columns;
    const old = this.#old;
    for (let b = 0; b + 1 < starts.length; b++) {
      let x = old[3 * b];
      let y = old[3 * b + 1];
      let z = old[3 * b + 2];
      for (let s = starts[b]; s < starts[b + 1]; s++) {
        const from = 3 * places[s];
        const amount = amounts[s];
        x += amount * columns[from];
        y += amount * columns[from + 1];
        z += amount * columns[from + 2];
      }
      old[3 * b] = x;
      old[3 * b + 1] = y;
      old[3 * b + 2] = z;
    }
  }

  /** Moves the translations so that control points (3n_c), which miss their goals by `misses`, arrive. */
  pullHome(transforms: Float64Array, misses: Float64Array): void {
    if (this.#solve.mode !== 'control-points') return;
    const bones = this.#new.length / 3;
    this.#new.fill(0);
    addProduct(this.#new, this.#solve.pull, misses);
    for (let c = 0; c < 3 * bones; c++) transforms[MATRIX_STRIDE * Math.floor(c / 3) + 4 * (c % 3) + 3] += this.#new[c];
  }
}

/**
 * out (n × 3) += a (n × m) · b (m × 3): four rows at a time, so that b is read once for all of them and no sum waits for
 * another. One row at a time took three times as long.
 */
function addProduct(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const m = b.length / 3;
  const n = out.length / 3;
  const whole = n - (n % 4);
  for (let row = 0; row < whole; row += 4) {
    let [x0, y0, z0] = [0, 0, 0];
    let [x1, y1, z1] = [0, 0, 0];
    let [x2, y2, z2] = [0, 0, 0];
    let [x3, y3, z3] = [0, 0, 0];
    let at = row * m;
    for (let c = 0; c < 3 * m; c += 3) {
      const x = b[c];
      const y = b[c + 1];
      const z = b[c + 2];
      const first = a[at];
      const second = a[at + m];
      const third = a[at + 2 * m];
      const fourth = a[at + 3 * m];
      x0 += first * x;
      y0 += first * y;
      z0 += first * z;
      x1 += second * x;
      y1 += second * y;
      z1 += second * z;
      x2 += third * x;
      y2 += third * y;
      z2 += third * z;
      x3 += fourth * x;
      y3 += fourth * y;
      z3 += fourth * z;
      at++;
    }
    const o = 3 * row;
    out[o] += x0;
    out[o + 1] += y0;
    out[o + 2] += z0;
    out[o + 3] += x1;
    out[o + 4] += y1;
    out[o + 5] += z1;
    out[o + 6] += x2;
    out[o + 7] += y2;
    out[o + 8] += z2;
    out[o + 9] += x3;
    out[o + 10] += y3;
    out[o + 11] += z3;
  }
  for (let row = whole; row < n; row++) {
    for (let c = 0; c < m; c++) {
      for (let r = 0; r < 3; r++) out[3 * row + r] += a[row * m + c] * b[3 * c + r];
    }
  }
}
