import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { Kernel } from '../../model/predictor.ts';

/**
 * What every direction has of the examples' variance, as a fraction of all of it: less is as good as none, and true poses that
 * were not learned from have that much.
 */
const UNSEEN = 1e-3;

/** The principal directions of the examples' inputs, which are centred and scaled to a total variance of 1. */
export interface Directions {
  /** d × d, in rows. */
  vectors: Float64Array;
  /** E × d: the examples along them. */
  coordinates: Float64Array;
}

export function directionsOf({ mean, points }: Kernel): Directions {
  const d = mean.length;
  const covariance = new Float64Array(d * d);
  for (let o = 0; o < points.length; o += d) {
    for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) covariance[a * d + b] += points[o + a] * points[o + b];
  }
  const { vectors } = symmetricEigen(covariance, d);
  const coordinates = points.map((_, at) => along(vectors, at % d, points, at - (at % d)));
  return { vectors, coordinates };
}

/** Coordinate m of the d numbers at `o`. */
export function along(vectors: Float64Array, m: number, x: Float64Array, o: number): number {
  const d = Math.sqrt(vectors.length);
  let sum = 0;
  for (let c = 0; c < d; c++) sum += vectors[m * d + c] * x[o + c];
  return sum;
}

/**
 * How far control points are from experience: their distance from the examples' mean, in which a step counts the more the less
 * the examples vary in its direction (Mahalanobis), relative to the farthest example. It grows in proportion to every motion
 * away from the mean, also of one point alone, which among many points hardly changes the plain distance.
 */
export class Experience {
  readonly #kernel: Kernel;
  readonly #vectors: Float64Array;
  /** d: what a step along each direction counts; the farthest example is at 1. */
  readonly #weights: Float64Array;
  readonly #centred: Float64Array;

  constructor(kernel: Kernel, { vectors, coordinates }: Directions) {
    const d = kernel.mean.length;
    const e = coordinates.length / d;
    const weights = new Float64Array(d);
    for (let m = 0; m < d; m++) {
      let variance = 0;
      for (let k = 0; k < e; k++) variance += coordinates[k * d + m] ** 2 / e;
      weights[m] = 1 / (variance + UNSEEN);
    }
    let farthest = 0;
    for (let k = 0; k < e; k++) {
      let sum = 0;
      for (let m = 0; m < d; m++) sum += weights[m] * coordinates[k * d + m] ** 2;
      farthest = Math.max(farthest, sum);
    }
    this.#kernel = kernel;
    this.#vectors = vectors;
    this.#weights = weights.map((w) => w / farthest);
    this.#centred = new Float64Array(d);
  }

  /** @param inputs d. */
  distance(inputs: Float64Array): number {
    const { mean, scale } = this.#kernel;
    const x = this.#centred;
    for (let c = 0; c < x.length; c++) x[c] = (inputs[c] - mean[c]) / scale;
    let sum = 0;
    for (let m = 0; m < x.length; m++) sum += this.#weights[m] * along(this.#vectors, m, x, 0) ** 2;
    return Math.sqrt(sum);
  }
}
