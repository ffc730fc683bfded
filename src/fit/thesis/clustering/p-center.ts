import { PliantError } from '../../../error.ts';
import { seededRandom } from '../../../math/rng.ts';
import type { Lists } from '../../../mesh/adjacency.ts';
import { lowerGraphDistances, straightDistance } from '../../../mesh/graph-distance.ts';
import { defaultsOf, type OptionsOf } from '../../../model/options.ts';

/**
 * P-center clustering (Gonzalez 1985), document 000 Algorithm 3.2: each next centre is the point farthest from the centres
 * so far, and takes over every point that is closer to it. Its first centres lie on the borders of the model.
 *
 * Points of different parts count as infinitely far apart while there are enough centres, so that each part gets one
 * before any gets its second.
 */
export const P_CENTER_OPTIONS = {
  metric: {
    type: 'choice',
    choices: ['euclidean', 'graph'],
    default: 'euclidean',
    description: 'Distance between points: straight, as printed, or along edges.',
  },
  seed: { type: 'number', integer: true, default: 1, description: 'Chooses the first centre.' },
} as const;
export type PCenterOptions = OptionsOf<typeof P_CENTER_OPTIONS>;
export const P_CENTER_DEFAULTS = defaultsOf(P_CENTER_OPTIONS);

/** The points to be clustered: vertices, or centroids of facets. */
export interface Points {
  /** 3n. */
  positions: ArrayLike<number>;
  /** Along which `graph` distances run; straight ones do without. */
  neighbours?: Lists;
  /** n: point → part. */
  partOf: Int32Array;
  partCount: number;
}

export interface PCenters {
  /** min(count, n) different points. */
  centres: Int32Array;
  /** n: point → index of its centre. */
  clusterOf: Int32Array;
  /** n: distance to it. */
  distances: Float64Array;
}

export function pCenters(points: Points, count: number, options: Partial<PCenterOptions> = {}): PCenters {
  const n = points.partOf.length;
  const limited = Math.min(count, n);
  const { seed, metric } = { ...P_CENTER_DEFAULTS, ...options };
  // Fewer centres than parts: parts have to share them, and only straight distances lead from one to another.
  const separate = points.partCount <= limited;
  const graph =
    metric === 'graph' && points.neighbours
      ? { positions: points.positions, neighbours: points.neighbours }
      : undefined;
  if (metric === 'graph' && !graph) throw new PliantError('bad-option', 'pCenters', 'metric graph without neighbours');
  const alongEdges = separate && graph;
  const centres = new Int32Array(limited);
  const clusterOf = new Int32Array(n);
  const distances = new Float64Array(n).fill(Infinity);
  const straight = new Float64Array(n).fill(Infinity);

  let centre = Math.floor(seededRandom(seed)() * n);
  for (let c = 0; c < limited; c++) {
    centres[c] = centre;
    for (let i = 0; i < n; i++) {
      const d = straightDistance(points.positions, i, centre);
      straight[i] = Math.min(straight[i], d);
      if (alongEdges || d >= distances[i] || (separate && points.partOf[i] !== points.partOf[centre])) continue;
      distances[i] = d;
      clusterOf[i] = c;
    }
    if (alongEdges) {
      lowerGraphDistances(alongEdges, centre, distances, (i) => {
        clusterOf[i] = c;
      });
    }
    // A point may coincide with an earlier centre: a centre all the same, with at least itself as its cluster.
    clusterOf[centre] = c;
    distances[centre] = -1;
    centre = farthest(distances, straight);
  }
  for (const centre of centres) distances[centre] = 0;
  return { centres, clusterOf, distances };
}

/** The point of largest distance; parts without a centre (∞) come first, among them the point farthest in space. */
function farthest(distances: Float64Array, straight: Float64Array): number {
  let best = 0;
  for (let i = 1; i < distances.length; i++) {
    const further =
      distances[i] === distances[best]
        ? distances[i] === Infinity && straight[i] > straight[best]
        : distances[i] > distances[best];
    if (further) best = i;
  }
  return best;
}

/** Point → cluster, 0 … count − 1. */
export function pCenterClustering(points: Points, count: number, options: Partial<PCenterOptions> = {}): Int32Array {
  return pCenters(points, count, options).clusterOf;
}
