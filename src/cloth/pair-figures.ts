import type { Figures } from '../model/figures.ts';
import type { Embedding } from './embedding.ts';
import { barycentric } from './guide.ts';

/**
 * How calm a pair is, gathered frame by frame. The detail is x − b, b the embedding in the coarse cloth, turned back by the
 * rotations of the coarse cloth: e_j = Σ_v β_jv R_vᵀ (x_j − b_j). Its correlation from frame to frame is Σ e_k · e_{k−1} /
 * √(Σ |e_k|² Σ |e_{k−1}|²), 1 for folds that the cloth carries along and 0 for noise. Repeatability is W of a second
 * simulation: 1 − Σ |repeat − x|² / Σ |barycentric − x|². No prediction of x can be expected to do much better.
 */
export class PairFigures {
  readonly #embedding: Embedding;
  readonly #base: Float64Array;
  readonly #local: Float64Array;
  readonly #before: Float64Array;
  #frames = 0;
  #product = 0;
  #squares = 0;
  #squaresBefore = 0;
  #repeatError = 0;
  #baseError = 0;
  #hasRepeat = false;

  constructor(embedding: Embedding) {
    this.#embedding = embedding;
    this.#base = new Float64Array(3 * embedding.count);
    this.#local = new Float64Array(3 * embedding.count);
    this.#before = new Float64Array(3 * embedding.count);
  }

  /** One frame: coarse (3V), fine and fine again (3N). */
  add(coarse: Float64Array, x: Float64Array, repeat?: Float64Array): void {
    this.#correlate(coarse, x);
    barycentric(this.#embedding, coarse, this.#base);
    for (let c = 0; c < x.length; c++) this.#baseError += (this.#base[c] - x[c]) ** 2;
    if (!repeat) return;
    this.#hasRepeat = true;
    for (let c = 0; c < x.length; c++) this.#repeatError += (repeat[c] - x[c]) ** 2;
  }

  all(): Figures {
    const size = Math.sqrt(this.#squares * this.#squaresBefore);
    return {
      ...(size > 0 && { detailCorrelation: this.#product / size }),
      ...(this.#hasRepeat &&
        this.#baseError > 0 && { repeatabilityPercent: 100 * (1 - this.#repeatError / this.#baseError) }),
    };
  }

  #correlate(coarse: Float64Array, x: Float64Array): void {
    const { hats, weights, rotations } = this.#embedding;
    const local = this.#local;
    const before = this.#before;
    before.set(local);
    this.#embedding.apply(coarse, this.#base);
    local.fill(0);
    for (let o = 0; o < x.length; o += 3) {
      for (let h = o; h < o + 3; h++) {
        const m = 9 * hats[h];
        for (let row = 0; row < 3; row++) {
          const d = weights[h] * (x[o + row] - this.#base[o + row]);
          for (let c = 0; c < 3; c++) local[o + c] += rotations[m + 3 * row + c] * d;
        }
      }
    }
    this.#frames++;
    if (this.#frames === 1) return;
    for (let c = 0; c < local.length; c++) {
      this.#product += local[c] * before[c];
      this.#squares += local[c] ** 2;
      this.#squaresBefore += before[c] ** 2;
    }
  }
}
