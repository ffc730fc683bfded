import type { ClothBody } from './body.ts';
import type { Embedding } from './embedding.ts';

/** Seconds in which a vertex that is drawn comes half of the way. */
const HALF_LIFE = 1 / 60;

/**
 * A hand that draws one vertex of the fine cloth to a place: by the three coarse vertices around it, whose speed it takes
 * away as it does so, so that nothing is flung.
 */
export class Grip {
  readonly #target = new Float64Array(3);
  readonly #stepTime: number;
  #held?: { vertex: number; hats: Uint32Array; weights: Float64Array; squares: number; offset: Float64Array };

  /** A frame of the coarse simulation takes `stepTime` seconds. */
  constructor(stepTime: number) {
    this.#stepTime = stepTime;
  }

  /** Takes hold of a vertex of `fine` (3N), or draws on if it is held already. `coarse` is 3V. */
  hold(
    vertex: number,
    embedding: Embedding,
    coarse: Float64Array,
    fine: Float64Array,
    target: ArrayLike<number>,
  ): void {
    this.#target.set(target);
    if (this.#held?.vertex === vertex) return;
    const hats = embedding.hats.slice(3 * vertex, 3 * vertex + 3);
    const weights = embedding.weights.slice(3 * vertex, 3 * vertex + 3);
    const offset = fine.slice(3 * vertex, 3 * vertex + 3).map((x, c) => x - meanOf(coarse, hats, weights, c));
    const squares = weights.reduce((sum, w) => sum + w * w, 0);
    this.#held = { vertex, hats, weights, squares, offset };
  }

  release(): void {
    this.#held = undefined;
  }

  /** What it does in one of `count` sub-steps of a frame. */
  pull({ x, previous, inverseMass }: ClothBody, count: number): void {
    if (!this.#held) return;
    const { hats, weights, squares, offset } = this.#held;
    const share = 1 - 0.5 ** (this.#stepTime / (count * HALF_LIFE));
    for (let c = 0; c < 3; c++) {
      const gap = this.#target[c] - offset[c] - meanOf(x, hats, weights, c);
      for (let h = 0; h < 3; h++) {
        if (inverseMass[hats[h]] === 0) continue;
        const o = 3 * hats[h] + c;
        const way = (1 - share) * (x[o] - previous[o]);
        x[o] += (share * weights[h] * gap) / squares;
        previous[o] = x[o] - way;
      }
    }
  }
}

const meanOf = (x: Float64Array, hats: Uint32Array, weights: Float64Array, c: number): number =>
  weights[0] * x[3 * hats[0] + c] + weights[1] * x[3 * hats[1] + c] + weights[2] * x[3 * hats[2] + c];
