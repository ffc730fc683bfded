/**
 * A few balls that stand for many: greedy cover (Nemhauser, Wolsey and Fisher 1978; gains that are out of date are computed
 * again only when they come first, Minoux 1978). What is to be covered are the cells of a grid that lie in any ball; a cell
 * counts more in thin places, because a shadow is as wide as what throws it.
 */
import { PriorityQueue } from '../math/priority-queue.ts';

/** Balls of several parts. */
export interface Balls {
  /** 3 per ball. */
  centres: Float64Array;
  radii: Float64Array;
  /** Ball → part. */
  parts: Uint32Array;
}

/** Edge of a cell in diagonals, and the most cells along the longest side of a cover. */
const CELL = 0.012;
/** A chosen ball covers cells within so many radii: a little between balls may stay open. */
const REACH = 1.3;
/** A part that weighs w counts as w to this power: small parts get more than their share. */
const PART_POWER = 0.7;

/** The numbers of at most `count` balls, in the order of what they add. */
export function coverBalls(balls: Balls, count: number, diagonal: number): number[] {
  const grid = new CellGrid(balls, CELL * diagonal);
  const chosen: number[] = [];
  const queue = new PriorityQueue();
  grid.candidates.forEach((ball) => {
    queue.push(-grid.gain(ball), ball, 0);
  });
  while (chosen.length < count && queue.pop()) {
    const { item: ball, tag: age, priority } = queue;
    if (age === chosen.length) {
      if (priority >= 0) break;
      grid.cover(ball);
      chosen.push(ball);
    } else queue.push(-grid.gain(ball), ball, chosen.length);
  }
  return chosen;
}

/** The cells that lie in some ball: what they weigh until a chosen ball covers them. */
class CellGrid {
  /** One ball per part and cell, the largest. */
  readonly candidates: Uint32Array;
  readonly #balls: Balls;
  readonly #cell: number;
  /** Per cell, x first; 0 outside of all balls and where a chosen ball is. */
  readonly #weights: Float64Array;
  readonly #low = [0, 0, 0];
  readonly #sizes = [0, 0, 0];

  constructor(balls: Balls, cell: number) {
    this.#balls = balls;
    this.#cell = cell;
    this.#measure();
    this.#weights = new Float64Array(this.#sizes[0] * this.#sizes[1] * this.#sizes[2]);
    this.candidates = this.#thin();
    this.#fill();
  }

  /** What a ball would add. */
  gain(ball: number): number {
    const weights = this.#weights;
    let sum = 0;
    this.#rows(ball, REACH, (from, to) => {
      for (let q = from; q < to; q++) sum += weights[q];
    });
    return sum;
  }

  cover(ball: number): void {
    this.#rows(ball, REACH, (from, to) => {
      this.#weights.fill(0, from, to);
    });
  }

  #measure(): void {
    const { centres, radii } = this.#balls;
    for (let c = 0; c < 3; c++) {
      let low = Infinity;
      let high = -Infinity;
      for (let b = 0; b < radii.length; b++) {
        low = Math.min(low, centres[3 * b + c] - REACH * radii[b]);
        high = Math.max(high, centres[3 * b + c] + REACH * radii[b]);
      }
      this.#low[c] = low - this.#cell;
      this.#sizes[c] = Math.ceil((high - low) / this.#cell) + 3;
    }
  }

  #thin(): Uint32Array {
    const { centres, radii, parts } = this.#balls;
    const best = new Map<number, number>();
    const place = (b: number, c: number): number => Math.floor((centres[3 * b + c] - this.#low[c]) / this.#cell);
    for (let b = 0; b < radii.length; b++) {
      const cell = (place(b, 2) * this.#sizes[1] + place(b, 1)) * this.#sizes[0] + place(b, 0);
      const key = parts[b] * this.#weights.length + cell;
      const known = best.get(key);
      if (known === undefined || radii[b] > radii[known]) best.set(key, b);
    }
    return Uint32Array.from(best.values());
  }

  /** Weights of the cells: 1 / radius of the largest ball around them, but for balls smaller than a cell; large balls first. */
  #fill(): void {
    const { radii, parts } = this.#balls;
    const weights = this.#weights;
    const ballOf = new Int32Array(weights.length).fill(-1);
    const totals = new Map<number, number>();
    for (const ball of [...this.candidates].sort((a, b) => radii[b] - radii[a] || a - b)) {
      const weight = this.#cell / Math.max(this.#cell, radii[ball]);
      let added = 0;
      this.#rows(ball, 1, (from, to) => {
        for (let q = from; q < to; q++) {
          if (ballOf[q] >= 0) continue;
          ballOf[q] = ball;
          weights[q] = weight;
          added++;
        }
      });
      totals.set(parts[ball], (totals.get(parts[ball]) ?? 0) + added * weight);
    }
    for (let q = 0; q < weights.length; q++) {
      if (ballOf[q] >= 0) weights[q] *= totals.get(parts[ballOf[q]])! ** (PART_POWER - 1);
    }
  }

  /** Runs of the cells whose middle lies within `reach` radii of a ball's centre; for tiny balls the cell of the centre. */
  #rows(ball: number, reach: number, visit: (from: number, to: number) => void): void {
    const { centres, radii } = this.#balls;
    const [sizeX, sizeY] = this.#sizes;
    const x = (centres[3 * ball] - this.#low[0]) / this.#cell;
    const y = (centres[3 * ball + 1] - this.#low[1]) / this.#cell;
    const z = (centres[3 * ball + 2] - this.#low[2]) / this.#cell;
    const r = (reach * radii[ball]) / this.#cell;
    if (r < TINY) {
      const cell = (Math.floor(z) * sizeY + Math.floor(y)) * sizeX + Math.floor(x);
      visit(cell, cell + 1);
      return;
    }
    for (let k = Math.ceil(z - r - 0.5); k <= Math.floor(z + r - 0.5); k++) {
      const dz = k + 0.5 - z;
      for (let j = Math.ceil(y - r - 0.5); j <= Math.floor(y + r - 0.5); j++) {
        const dy = j + 0.5 - y;
        const rest = r * r - dz * dz - dy * dy;
        if (rest < 0) continue;
        const half = Math.sqrt(rest);
        const row = (k * sizeY + j) * sizeX;
        visit(row + Math.ceil(x - half - 0.5), row + Math.floor(x + half - 0.5) + 1);
      }
    }
  }
}

/** Half the diagonal of a cell, in cells: smaller balls may hold no cell's middle. */
const TINY = 0.87;
