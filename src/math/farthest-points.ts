/**
 * Farthest-point sampling (Gonzalez 1985): each further point is the one whose distance from all chosen so far is largest,
 * the first of equals. Takes n·(number chosen) distances.
 */
export class FarthestPoints {
  readonly chosen: number[] = [];
  /** n: how far each point is from the nearest that was chosen; ∞ before the first, −∞ for those chosen. */
  readonly distances: Float64Array;
  /** n: which of the chosen is nearest. */
  readonly nearest: Int32Array;
  readonly #distance: (a: number, b: number) => number;

  /** Distances may be squared: only their order counts. */
  constructor(n: number, distance: (a: number, b: number) => number) {
    this.distances = new Float64Array(n).fill(Infinity);
    this.nearest = new Int32Array(n);
    this.#distance = distance;
  }

  choose(point: number): void {
    const { distances, nearest, chosen } = this;
    for (let p = 0; p < distances.length; p++) {
      const d = p === point ? -Infinity : this.#distance(p, point);
      if (d >= distances[p]) continue;
      distances[p] = d;
      nearest[p] = chosen.length;
    }
    chosen.push(point);
  }

  /** The point to choose next: that of the largest distance, times its weight (n) where there are some. */
  farthest(weights?: ArrayLike<number>): number {
    let far = 0;
    let most = -Infinity;
    for (let p = 0; p < this.distances.length; p++) {
      const distance = this.distances[p] * (weights ? weights[p] : 1);
      if (distance > most) [far, most] = [p, distance];
    }
    return far;
  }
}
