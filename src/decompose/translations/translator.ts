import { THIN, ThinProduct } from '../../kernels/pose-products.ts';
import type { TranslationMode, TranslationSolve } from '../../model/predictor.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
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
  readonly #mode: TranslationMode;
  readonly #bones: number;
  /** Row a of `turn`: from starts[a] to starts[a + 1] the bones b that count, and the vectors d_ab, as R_b·d_ab. */
  readonly #starts: Uint32Array;
  readonly #others: Uint32Array;
  readonly #vectors: Float64Array;
  /** (2.11): [hold | pull] times sums and control points; else `pull` times misses. */
  readonly #product?: ThinProduct;

  constructor({ mode, pull, hold, turn = new Float64Array(0) }: TranslationSolve, bones: number) {
    this.#mode = mode;
    this.#bones = bones;
    const found: number[] = [];
    this.#starts = new Uint32Array(bones + 1);
    for (let at = 0; at < turn.length; at += 3) {
      if (turn[at] === 0 && turn[at + 1] === 0 && turn[at + 2] === 0) continue;
      found.push(at);
      this.#starts[Math.floor(at / (3 * bones)) + 1]++;
    }
    for (let b = 0; b < bones; b++) this.#starts[b + 1] += this.#starts[b];
    this.#others = Uint32Array.from(found, (at) => (at / 3) % bones);
    this.#vectors = Float64Array.from(found.flatMap((at) => [turn[at], turn[at + 1], turn[at + 2]]));
    if (mode !== 'predicted') this.#product = new ThinProduct(hold ? beside(hold, pull, bones) : pull, bones);
  }

  /** (2.11): translations anew from rotations, control points (3n_c) and the predicted translations. */
  solvePoisson(transforms: Float64Array, points: Float64Array): void {
    if (this.#mode !== 'poisson') return;
    const { input, out, run } = this.#product!;
    this.#sumUp(input, transforms);
    setThin(input, this.#bones, points);
    run();
    for (let b = 0; b < this.#bones; b++) {
      const o = MATRIX_STRIDE * b;
      transforms[o + 3] = out[THIN * b];
      transforms[o + 7] = out[THIN * b + 1];
      transforms[o + 11] = out[THIN * b + 2];
    }
  }

  /** Predicted translations + turn · rotations. */
  #sumUp(out: Float64Array, transforms: Float64Array): void {
    const starts = this.#starts;
    const others = this.#others;
    const vectors = this.#vectors;
    for (let b = 0; b < this.#bones; b++) {
      let x = transforms[MATRIX_STRIDE * b + 3];
      let y = transforms[MATRIX_STRIDE * b + 7];
      let z = transforms[MATRIX_STRIDE * b + 11];
      for (let s = starts[b]; s < starts[b + 1]; s++) {
        const m = MATRIX_STRIDE * others[s];
        const d0 = vectors[3 * s];
        const d1 = vectors[3 * s + 1];
        const d2 = vectors[3 * s + 2];
        x += transforms[m] * d0 + transforms[m + 1] * d1 + transforms[m + 2] * d2;
        y += transforms[m + 4] * d0 + transforms[m + 5] * d1 + transforms[m + 6] * d2;
        z += transforms[m + 8] * d0 + transforms[m + 9] * d1 + transforms[m + 10] * d2;
      }
      out[THIN * b] = x;
      out[THIN * b + 1] = y;
      out[THIN * b + 2] = z;
    }
  }

  /** Moves the translations so that control points (3n_c), which miss their goals by `misses`, arrive. */
  pullHome(transforms: Float64Array, misses: Float64Array): void {
    if (this.#mode !== 'control-points') return;
    const { input, out, run } = this.#product!;
    setThin(input, 0, misses);
    run();
    for (let b = 0; b < this.#bones; b++) {
      const o = MATRIX_STRIDE * b;
      transforms[o + 3] += out[THIN * b];
      transforms[o + 7] += out[THIN * b + 1];
      transforms[o + 11] += out[THIN * b + 2];
    }
  }
}

/** Vectors (3 each) as rows of a thin matrix, from row `first` on. */
function setThin(out: Float64Array, first: number, vectors: Float64Array): void {
  for (let c = 0, o = THIN * first; c < vectors.length; c += 3, o += THIN) {
    out[o] = vectors[c];
    out[o + 1] = vectors[c + 1];
    out[o + 2] = vectors[c + 2];
  }
}

/** [a | b], both of n rows. */
function beside(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const [p, q] = [a.length / n, b.length / n];
  const out = new Float64Array(a.length + b.length);
  for (let row = 0; row < n; row++) {
    out.set(a.subarray(row * p, (row + 1) * p), row * (p + q));
    out.set(b.subarray(row * q, (row + 1) * q), row * (p + q) + p);
  }
  return out;
}
