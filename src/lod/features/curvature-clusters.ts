import { clusterEachGroup } from '../../decompose/clustering/parts.ts';
import { clusterAffinities, type SpectralOptions, spectralGroups } from '../../decompose/clustering/spectral.ts';
import { PriorityQueue } from '../../math/priority-queue.ts';
import { deviationOf } from '../../math/statistics.ts';
import { NO_EDGE } from '../../mesh/adjacency.ts';
import type { DualGraph } from '../../mesh/dual-graph.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';
import type { Bends } from './bends.ts';

/** β of (4.3) and (4.4): how alike the two sides of a crest line are. */
export const CREST = 0.1;

/** A path through facets of one deviation of curvature loses a factor of e² per this share of σ_d. */
const REACH = 1 / 16;

/**
 * Spectral clusters of facets by curvature, Feng 2010, (4.3):
 *
 *   w(f, g) = β·exp(−(|κ_f| + |κ_g|)/σ_κ)·exp(−dist(f, g)/σ_d)
 *
 * for facets that share an edge. Between others, which the landmarks of Nyström's method need, affinities multiply along the
 * path that keeps most: a ridge counts wherever it is crossed, not only where a path ends. So that this does not depend on
 * the size of triangles, curvature counts per length of the path (`REACH`).
 */
export function curvatureClusters(bends: Bends, dual: DualGraph, count: number, options: SpectralOptions): Int32Array {
  const groups = spectralGroups(dual, count, options);
  const sides = sidesOf(bends);
  return clusterEachGroup(dual.count, groups, (group) => {
    const { items, landmarks, c } = group;
    const n = items.length;
    const spread = spreadOf(dual, items, landmarks);
    const costs = new Float64Array(dual.count);
    landmarks.forEach((landmark, s) => {
      pathCosts(costs, items[landmark], bends, dual, sides, spread);
      for (let q = 0; q < n; q++) c[s * n + q] = Math.exp(-costs[items[q]]);
    });
    return clusterAffinities(group, options.seed);
  });
}

/** 3F: side c of a facet → the facet beyond it and whether a crest lies between, as 2·facet + crest; −1 at borders. */
function sidesOf({ triangles, edges, crests }: Bends): Int32Array {
  return Int32Array.from({ length: triangles.length }, (_, c) => {
    const e = edges.edgeOf[c];
    if (e === NO_EDGE) return -1;
    const { offsets, items } = edges.corners;
    for (let q = offsets[e]; q < offsets[e + 1]; q++) {
      if (items[q] !== c) return 2 * Math.floor(items[q] / 3) + crests[e];
    }
    return -1;
  });
}

/** σ_d: the deviation of straight distances between landmarks and facets of a group. */
function spreadOf(dual: DualGraph, items: Int32Array, landmarks: Int32Array): number {
  const few = landmarks.subarray(0, 200);
  const distances = new Float64Array(few.length * items.length);
  few.forEach((landmark, s) => {
    items.forEach((f, q) => {
      distances[s * items.length + q] = straightDistance(dual.centroids, items[landmark], f);
    });
  });
  return deviationOf(distances);
}

/** −log w from one facet to all: shortest paths (Dijkstra) where steps cost length, curvature and crests. */
function pathCosts(
  out: Float64Array,
  from: number,
  { facetMean, deviation }: Bends,
  dual: DualGraph,
  sides: Int32Array,
  spread: number,
): void {
  const queue = new PriorityQueue();
  out.fill(Infinity);
  out[from] = 0;
  queue.push(0, from);
  while (queue.pop()) {
    const { item: f, priority } = queue;
    if (priority > out[f]) continue;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      if (sides[c] < 0) continue;
      const g = sides[c] >> 1;
      const bend = deviation > 0 ? (facetMean[f] + facetMean[g]) / deviation : 0;
      const length = spread > 0 ? straightDistance(dual.centroids, f, g) / spread : 0;
      const cost = priority + length * (1 + bend / REACH) + (sides[c] & 1 ? -Math.log(CREST) : 0);
      if (cost >= out[g]) continue;
      out[g] = cost;
      queue.push(cost, g);
    }
  }
}
