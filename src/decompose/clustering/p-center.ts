import { FarthestPoints } from '../../math/farthest-points.ts';
import { seededRandom } from '../../math/rng.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';

/** The points to be clustered: vertices, or centroids of facets. */
export interface Points {
  /** 3n. */
  positions: ArrayLike<number>;
  /** n: point → part. */
  partOf: Int32Array;
  partCount: number;
}

export interface PCenters {
  /** min(count, n) different points. */
  centres: Int32Array;
  /** n: point → index of its centre. */
  clusterOf: Int32Array;
}

/** Added to distances between parts, in units of the largest coordinate: farther than any two points of one part. */
const APART = 1e3;

/**
 * P-center clustering (Gonzalez 1985), Antonopoulos 2010, Algorithm 3.2: each next centre is the point farthest from the
 * centres so far, and takes over every point that is closer to it. Its first centres lie on the borders of the model.
 *
 * Parts count as far apart while there are enough centres, so that each gets one before any gets its second.
 */
export function pCenters({ positions, partOf, partCount }: Points, count: number, seed = 1): PCenters {
  const n = partOf.length;
  const limited = Math.min(count, n);
  let largest = 0;
  for (let c = 0; c < positions.length; c++) largest = Math.max(largest, Math.abs(positions[c]));
  const gap = partCount <= limited ? APART * largest : 0;
  const points = new FarthestPoints(
    n,
    (a, b) => straightDistance(positions, a, b) + (partOf[a] === partOf[b] ? 0 : gap),
  );
  points.choose(Math.floor(seededRandom(seed)() * n));
  while (points.chosen.length < limited) points.choose(points.farthest());
  return { centres: Int32Array.from(points.chosen), clusterOf: points.nearest };
}
