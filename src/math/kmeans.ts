import { seededRandom } from './rng.ts';

/**
 * k-means: Lloyd's iteration, (3.22)–(3.23) of Antonopoulos 2010. It starts from random points, as printed there, or
 * from points spread by k-means++ (Arthur & Vassilvitskii 2007), which ends lower on average. Every cluster keeps at
 * least one point: an empty one takes the point that is farthest from its centre.
 */
export interface KMeansOptions {
  start: 'spread' | 'random';
  seed: number;
  maxIterations: number;
  /** The loop ends when the error falls by less than this fraction. */
  tolerance: number;
}

export interface KMeansResult {
  /** min(k, n): there are no more clusters than points. */
  count: number;
  /** count × d, row-major. */
  centres: Float64Array;
  /** n: point → cluster. */
  clusterOf: Int32Array;
  /** Sum of squared distances between points and the centres they were assigned to; the last update only lowers it. */
  error: number;
  iterations: number;
  converged: boolean;
}

/** @param data n × d, row-major. */
export function kMeans(data: Float64Array, d: number, k: number, options: Partial<KMeansOptions> = {}): KMeansResult {
  const { start = 'spread', seed = 1, maxIterations = 100, tolerance = 1e-6 } = options;
  const n = data.length / d;
  const count = Math.min(k, n);
  const centres = new Float64Array(count * d);
  const first = start === 'spread' ? spreadPoints(data, d, count, seed) : randomPoints(n, count, seed);
  first.forEach((point, c) => {
    centres.set(data.subarray(point * d, (point + 1) * d), c * d);
  });

  const clusterOf = new Int32Array(n);
  const distance2 = new Float64Array(n);
  const sizes = new Int32Array(count);
  let error = Infinity;
  let iterations = 0;
  let converged = false;
  while (iterations < maxIterations && !converged) {
    iterations++;
    sizes.fill(0);
    let total = 0;
    for (let i = 0; i < n; i++) {
      let best = 0;
      let least = Infinity;
      for (let c = 0; c < count; c++) {
        const s = squaredDistance(data, i * d, centres, c * d, d, least);
        if (s < least) {
          least = s;
          best = c;
        }
      }
      clusterOf[i] = best;
      distance2[i] = least;
      sizes[best]++;
      total += least;
    }
    total -= fillEmpty(clusterOf, distance2, sizes);
    converged = error - total <= tolerance * error;
    error = total;
    updateCentres(data, d, clusterOf, sizes, centres);
  }
  return { count, centres, clusterOf, error, iterations, converged };
}

/** Gives each empty cluster the point farthest from its centre; returns by how much that lowers the error. */
function fillEmpty(clusterOf: Int32Array, distance2: Float64Array, sizes: Int32Array): number {
  let gained = 0;
  for (let c = 0; c < sizes.length; c++) {
    if (sizes[c] > 0) continue;
    let farthest = -1;
    for (let i = 0; i < clusterOf.length; i++) {
      if (sizes[clusterOf[i]] > 1 && (farthest < 0 || distance2[i] > distance2[farthest])) farthest = i;
    }
    sizes[clusterOf[farthest]]--;
    clusterOf[farthest] = c;
    sizes[c] = 1;
    gained += distance2[farthest];
    distance2[farthest] = 0;
  }
  return gained;
}

function updateCentres(
  data: Float64Array,
  d: number,
  clusterOf: Int32Array,
  sizes: Int32Array,
  out: Float64Array,
): void {
  out.fill(0);
  for (let i = 0; i < clusterOf.length; i++) {
    const o = clusterOf[i] * d;
    for (let c = 0; c < d; c++) out[o + c] += data[i * d + c];
  }
  for (let cluster = 0; cluster < sizes.length; cluster++) {
    for (let c = 0; c < d; c++) out[cluster * d + c] /= sizes[cluster];
  }
}

/** Squared distance of two rows; may stop early, with any value ≥ `limit`, once it reaches `limit`. */
function squaredDistance(a: Float64Array, ai: number, b: Float64Array, bi: number, d: number, limit: number): number {
  let sum = 0;
  for (let c = 0; c < d && sum < limit; c++) {
    const x = a[ai + c] - b[bi + c];
    sum += x * x;
  }
  return sum;
}

/** `count` different points, each with the same chance (a partial Fisher–Yates shuffle). */
function randomPoints(n: number, count: number, seed: number): number[] {
  const random = seededRandom(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let c = 0; c < count; c++) {
    const other = c + Math.floor(random() * (n - c));
    [order[c], order[other]] = [order[other], order[c]];
  }
  return order.slice(0, count);
}

/** k-means++: each next point with a chance proportional to its squared distance from those chosen. */
function spreadPoints(data: Float64Array, d: number, count: number, seed: number): number[] {
  const random = seededRandom(seed);
  const n = data.length / d;
  const nearest = new Float64Array(n).fill(Infinity);
  const chosen: number[] = [];
  let next = Math.floor(random() * n);
  while (chosen.length < count) {
    chosen.push(next);
    let total = 0;
    for (let i = 0; i < n; i++) {
      nearest[i] = Math.min(nearest[i], squaredDistance(data, i * d, data, next * d, d, Infinity));
      total += nearest[i];
    }
    // All points coincide with chosen ones: the rest does not matter, Lloyd's first pass fills empty clusters.
    if (total === 0) next = 0;
    let pick = random() * total;
    for (let i = 0; i < n && total > 0; i++) {
      if (nearest[i] === 0) continue;
      next = i;
      pick -= nearest[i];
      if (pick < 0) break;
    }
  }
  return chosen;
}
