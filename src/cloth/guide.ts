import type { ClothBody } from './body.ts';
import type { Embedding } from './embedding.ts';

/** The plain embedding Σ β_jv X_v of a coarse pose (3V), into `out` (3N). */
export function barycentric({ hats, weights }: Embedding, pose: ArrayLike<number>, out: Float64Array): void {
  for (let o = 0; o < out.length; o += 3) {
    const a = 3 * hats[o];
    const b = 3 * hats[o + 1];
    const c = 3 * hats[o + 2];
    for (let axis = 0; axis < 3; axis++) {
      out[o + axis] = weights[o] * pose[a + axis] + weights[o + 1] * pose[b + axis] + weights[o + 2] * pose[c + axis];
    }
  }
}

/** Share of the way to the coarse cloth that is left after a frame. */
const LEFT_PER_FRAME = 0.47;

/**
 * Keeps a fine simulation on a coarse one of the same cloth: simulated alone, the two part within seconds. Every second
 * sub-step d_j = Σ_v β_jv X_v − x_j is averaged to the coarse vertices by their hats β, and half of that is taken back in
 * a frame: x_j += α Σ_v β_jv (Σ_i β_iv d_i / Σ_i β_iv). Folds smaller than the hats are left alone.
 *
 * On a curved garment the coarse mesh cuts corners: its chords lie inside. The mean distance at rest is therefore kept, turned
 * with the coarse vertices. Drawn to the chords, a skirt is too narrow for its cloth and has folds all over.
 */
export class Guide {
  readonly #embedding: Embedding;
  /** V: 1 / Σ_i β_iv. */
  readonly #shares: Float64Array;
  // 3V: the coarse cloth at the start and the end of the frame.
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  // 3V: the mean distance from the coarse cloth that is kept, at the start and the end of the frame.
  readonly #shiftFrom: Float64Array;
  readonly #shiftTo: Float64Array;
  // Scratch.
  readonly #pose: Float64Array;
  readonly #means: Float64Array;
  readonly #base: Float64Array;

  /** `coarse` (3V) is where the coarse cloth starts. */
  constructor(embedding: Embedding, coarse: Float64Array) {
    this.#embedding = embedding;
    this.#shares = embedding.hatSums.map((sum) => 1 / (sum || 1));
    this.#from = coarse.slice();
    this.#to = coarse.slice();
    this.#pose = coarse.slice();
    this.#means = new Float64Array(coarse.length);
    this.#base = new Float64Array(3 * embedding.count);
    this.#shiftFrom = new Float64Array(coarse.length);
    this.#shiftTo = new Float64Array(coarse.length);
    this.next(coarse);
  }

  /** Begins a frame, in which the coarse cloth goes on to `coarse` (3V). */
  next(coarse: Float64Array): void {
    this.#from.set(this.#to);
    this.#to.set(coarse);
    this.#shiftFrom.set(this.#shiftTo);
    this.#embedding.turn(coarse);
    const { rotations: r, meanOffsets: o } = this.#embedding;
    for (let v = 0; v < coarse.length; v += 3) {
      for (let c = 0; c < 3; c++) {
        const m = 3 * v + 3 * c;
        this.#shiftTo[v + c] = r[m] * o[v] + r[m + 1] * o[v + 1] + r[m + 2] * o[v + 2];
      }
    }
  }

  /** After sub-step s of `count`. Makes no arrays. */
  pull({ x, inverseMass }: Pick<ClothBody, 'x' | 'inverseMass'>, s: number, count: number): void {
    if (s % 2 === 1) return;
    const { hats, weights } = this.#embedding;
    const pose = this.#pose;
    const means = this.#means;
    const base = this.#base;
    const t = (s + 1) / count;
    const rate = 1 - LEFT_PER_FRAME ** (2 / count);
    for (let c = 0; c < pose.length; c++) pose[c] = this.#from[c] + t * (this.#to[c] - this.#from[c]);
    barycentric(this.#embedding, pose, base);
    means.fill(0);
    for (let o = 0; o < x.length; o += 3) {
      const dx = base[o] - x[o];
      const dy = base[o + 1] - x[o + 1];
      const dz = base[o + 2] - x[o + 2];
      for (let h = o; h < o + 3; h++) {
        const v = 3 * hats[h];
        means[v] += weights[h] * dx;
        means[v + 1] += weights[h] * dy;
        means[v + 2] += weights[h] * dz;
      }
    }
    for (let c = 0; c < means.length; c++) {
      const shift = this.#shiftFrom[c] + t * (this.#shiftTo[c] - this.#shiftFrom[c]);
      means[c] = rate * (this.#shares[Math.floor(c / 3)] * means[c] + shift);
    }
    barycentric(this.#embedding, means, base);
    for (let o = 0; o < x.length; o += 3) {
      if (inverseMass[o / 3] === 0) continue;
      x[o] += base[o];
      x[o + 1] += base[o + 1];
      x[o + 2] += base[o + 2];
    }
  }
}
