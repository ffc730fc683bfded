import { straightDistance } from '../mesh/graph-distance.ts';
import type { ClothBody } from './body.ts';
import type { Embedding } from './embedding.ts';

/** Seconds in which the hand comes half of the way. */
const HALF_LIFE = 1 / 60;
/** What it moves the cloth by in a sub-step at most, in edges: stronger than the cloth's weight, too weak to tear it. */
const STRENGTH = 0.2;

/**
 * A hand that draws one vertex of the fine cloth to a place: by the three coarse vertices around it, whose speed it takes
 * away as it does so, so that nothing is flung. It is firm: what a sub-step can do is a length, not a share of the way,
 * which would give in to the cloth long before the place is reached.
 */
export class Grip {
  readonly #target = new Float64Array(3);
  /** Where the hand is on the way to its target. */
  readonly #hand = new Float64Array(3);
  readonly #gap = new Float64Array(3);
  readonly #stepTime: number;
  #held?: {
    vertex: number;
    hats: Uint32Array;
    weights: Float64Array;
    squares: number;
    offset: Float64Array;
    edge: number;
  };

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
    const at = fine.subarray(3 * vertex, 3 * vertex + 3);
    const offset = at.map((x, c) => x - meanOf(coarse, hats, weights, c));
    const squares = weights.reduce((sum, w) => sum + w * w, 0);
    const edge = hats.reduce((sum, v, h) => sum + straightDistance(coarse, v, hats[(h + 1) % 3]), 0) / 3;
    this.#hand.set(at);
    this.#held = { vertex, hats, weights, squares, offset, edge };
  }

  release(): void {
    this.#held = undefined;
  }

  /** What it does in one of `count` sub-steps of a frame. */
  pull({ x, previous, inverseMass }: ClothBody, count: number): void {
    if (!this.#held) return;
    const { hats, weights, squares, offset, edge } = this.#held;
    const hand = this.#hand;
    const gap = this.#gap;
    const share = 1 - 0.5 ** (this.#stepTime / (count * HALF_LIFE));
    for (let c = 0; c < 3; c++) {
      hand[c] += share * (this.#target[c] - hand[c]);
      gap[c] = hand[c] - offset[c] - meanOf(x, hats, weights, c);
    }
    const length = Math.hypot(gap[0], gap[1], gap[2]);
    const firm = Math.min(1, (STRENGTH * edge) / (length || 1)) / squares;
    for (let h = 0; h < 3; h++) {
      if (inverseMass[hats[h]] === 0) continue;
      for (let c = 0; c < 3; c++) {
        const o = 3 * hats[h] + c;
        const way = (1 - share) * (x[o] - previous[o]);
        x[o] += firm * weights[h] * gap[c];
        previous[o] = x[o] - way;
      }
    }
  }
}

const meanOf = (x: Float64Array, hats: Uint32Array, weights: Float64Array, c: number): number =>
  weights[0] * x[3 * hats[0] + c] + weights[1] * x[3 * hats[1] + c] + weights[2] * x[3 * hats[2] + c];
