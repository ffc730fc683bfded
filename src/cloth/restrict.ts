/**
 * A coarse cloth that a fine one would have: the coarse vertices X for which the fine cloth x lies around its embedding b,
 * so that hats see nothing of x − b on average. Coarse and fine cloth that were simulated each by itself part within
 * seconds; what is learned from them would be the way from one simulation to the other, not folds.
 */
import type { MeshSequence } from '../model/sequence.ts';
import { Embedding } from './embedding.ts';
import type { ClothPair } from './pairs.ts';

/** Each takes most of what is left. */
const ROUNDS = 8;

/** Adds to a coarse pose (3V) what hats see of x − b on average. */
export class Restriction {
  readonly #embedding: Embedding;
  readonly #base: Float64Array;
  readonly means: Float64Array;

  constructor(embedding: Embedding) {
    this.#embedding = embedding;
    this.#base = new Float64Array(3 * embedding.count);
    this.means = new Float64Array(3 * embedding.coarseCount);
  }

  /** Sets `means` (3V) for a coarse pose (3V) and a fine one (3N). */
  measure(pose: Float64Array, fine: Float32Array): void {
    const { hats, weights, hatSums } = this.#embedding;
    const { means } = this;
    this.#embedding.apply(pose, this.#base);
    means.fill(0);
    for (let h = 0; h < hats.length; h++) {
      const o = h - (h % 3);
      const w = weights[h] / hatSums[hats[h]];
      for (let c = 0; c < 3; c++) if (w > 0) means[3 * hats[h] + c] += w * (fine[o + c] - this.#base[o + c]);
    }
  }

  /** Moves a coarse pose to where the fine one is. */
  follow(pose: Float64Array, fine: Float32Array): void {
    for (let round = 0; round < ROUNDS; round++) {
      this.measure(pose, fine);
      for (let c = 0; c < pose.length; c++) pose[c] += this.means[c];
    }
  }
}

/** The same pair with a coarse cloth that follows the fine one. */
export function restrictedPair(pair: ClothPair): ClothPair {
  const { coarse, fine } = pair;
  const restriction = new Restriction(new Embedding(coarse.rest, fine.rest));
  const sequence: MeshSequence = {
    ...coarse,
    async readFrame(k, out = new Float32Array(coarse.rest.positions.length)) {
      const pose = Float64Array.from(await coarse.readFrame(k));
      restriction.follow(pose, await fine.readFrame(k));
      out.set(pose);
      return out;
    },
  };
  return { ...pair, coarse: sequence };
}
