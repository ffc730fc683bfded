import { throwIfCancelled } from '../../error.ts';
import { gatherRows } from '../../math/rows.ts';
import { clusterEmbedding, nystromEmbedding, spectralEmbedding } from '../../math/spectral.ts';
import { deviationOf } from '../../math/statistics.ts';
import { deformationGradients, facetFrames } from '../../measure/facet-deformation.ts';
import type { DualGraph } from '../../mesh/dual-graph.ts';
import { lowerGraphDistances, straightDistance } from '../../mesh/graph-distance.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { MeshSequence } from '../../model/sequence.ts';
import { pCenters } from './p-center.ts';
import { clusterEachGroup, type Group, groupsOfParts } from './parts.ts';

/**
 * Spectral clustering of facets by their deformation gradients Γ, Feng 2010, §4.4.1 and §4.4.3:
 *
 *   w(f, g) = exp(−Σ_k ‖Γ_f^k − Γ_g^k‖ / (P·σ_Γ)) · exp(−dist(f, g) / σ_d)   (4.5)
 *
 * with dist along the dual graph, σ_Γ the deviation of all gradients and σ_d that of the distances. The sums over frames
 * are gathered while the frames stream by, between landmarks and all facets of their part, so that memory does not grow
 * with the frames. Small parts have every facet as a landmark and are solved exactly; large ones by Nyström's method, with
 * landmarks spread by p-center.
 */
export interface SpectralOptions {
  /** DualGraph that all others are compared with, in parts that are too large to be solved exactly. */
  landmarks: number;
  /** Parts with at most this many facets are solved exactly. */
  exactBelow: number;
  /** Chooses landmarks and the start of k-means. */
  seed: number;
}
const DEFAULTS: SpectralOptions = { landmarks: 200, exactBelow: 1200, seed: 1 };

/** Facets that are clustered together. */
export interface SpectralGroup extends Group {
  /** m: indices into `items`. */
  landmarks: Int32Array;
  /** m × n: what is known between landmarks and all; affinities in the end. */
  c: Float64Array;
}

/** A group per part, its landmarks chosen; `c` is zero. */
export function spectralGroups(facets: DualGraph, count: number, options: SpectralOptions): SpectralGroup[] {
  return groupsOfParts(facets, count).map((group) => {
    const landmarks = chooseLandmarks(facets, group, options);
    return { ...group, landmarks, c: new Float64Array(landmarks.length * group.items.length) };
  });
}

/** Facet → cluster, 0 … min(count, F) − 1. Frames are read once each. */
export async function spectralClustering(
  sequence: MeshSequence,
  facets: DualGraph,
  count: number,
  options: Partial<SpectralOptions> = {},
  run: RunOptions = {},
): Promise<Int32Array> {
  const settings = { ...DEFAULTS, ...options };
  const groups = spectralGroups(facets, count, settings);
  const deviation = await gatherDistances(sequence, facets.count, groups, run);
  return clusterEachGroup(facets.count, groups, (group) => {
    throwIfCancelled(run.signal, 'spectralClustering');
    return clusterGroup(facets, group, sequence.frameCount * deviation, settings);
  });
}

function chooseLandmarks(facets: DualGraph, { items, count }: Group, options: SpectralOptions): Int32Array {
  const n = items.length;
  if (n <= options.exactBelow) return Int32Array.from({ length: n }, (_, q) => q);
  const points = { positions: gatherRows(facets.centroids, 3, items), partOf: new Int32Array(n), partCount: 1 };
  return pCenters(points, Math.max(options.landmarks, 2 * count), options.seed).centres.sort();
}

/** Adds ‖Γ_f^k − Γ_g^k‖ of every frame to the groups; returns the deviation of all gradients. */
async function gatherDistances(
  sequence: MeshSequence,
  facetCount: number,
  groups: readonly SpectralGroup[],
  run: RunOptions,
): Promise<number> {
  const rest = facetFrames(sequence.rest);
  const gradients = new Float64Array(9 * facetCount);
  const positions = new Float32Array(3 * vertexCount(sequence.rest));
  const mean = new Float64Array(9);
  let squares = 0;
  const { frameCount } = sequence;
  const samples = frameCount * facetCount;
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(run, 'spectralClustering', k, frameCount, 'deformation gradients');
    deformationGradients(rest, await sequence.readFrame(k, positions), gradients);
    for (let c = 0; c < gradients.length; c++) {
      mean[c % 9] += gradients[c] / samples;
      squares += gradients[c] ** 2 / samples;
    }
    for (const { items, landmarks, c } of groups) {
      landmarks.forEach((landmark, s) => {
        addDistances(c.subarray(s * items.length), gradients, items, items[landmark]);
      });
    }
  }
  for (let c = 0; c < 9; c++) squares -= mean[c] ** 2;
  return Math.sqrt(Math.max(0, squares));
}

/** out[q] += ‖Γ_items[q] − Γ_from‖. Written out: this loop takes most of the time. */
function addDistances(out: Float64Array, g: Float64Array, items: Int32Array, from: number): void {
  const [a0, a1, a2, a3, a4, a5, a6, a7, a8] = g.subarray(9 * from, 9 * from + 9);
  for (let q = 0; q < items.length; q++) {
    const f = 9 * items[q];
    const d0 = g[f] - a0;
    const d1 = g[f + 1] - a1;
    const d2 = g[f + 2] - a2;
    const d3 = g[f + 3] - a3;
    const d4 = g[f + 4] - a4;
    const d5 = g[f + 5] - a5;
    const d6 = g[f + 6] - a6;
    const d7 = g[f + 7] - a7;
    const d8 = g[f + 8] - a8;
    out[q] += Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7 + d8 * d8);
  }
}

function clusterGroup(facets: DualGraph, group: SpectralGroup, scale: number, options: SpectralOptions): Int32Array {
  const { items, landmarks, c } = group;
  const geodesic = dualDistances(facets, items, landmarks);
  const spread = deviationOf(geodesic);
  // Nothing deforms, or nothing has an extent: that factor says nothing and is 1.
  for (let q = 0; q < c.length; q++) {
    c[q] = Math.exp((scale > 0 ? -c[q] / scale : 0) - (spread > 0 ? geodesic[q] / spread : 0));
  }
  return clusterAffinities(group, options.seed);
}

/** Clusters of a group by its affinities `c`: exactly where every facet is a landmark, else by Nyström's method. */
export function clusterAffinities({ items, landmarks, c, count }: SpectralGroup, seed: number): Int32Array {
  const n = items.length;
  if (count >= n) return Int32Array.from({ length: n }, (_, q) => q);
  if (landmarks.length < n) return clusterEmbedding(nystromEmbedding(c, landmarks, count), count, seed);
  const apply = (out: Float64Array, x: Float64Array): void => {
    for (let s = 0; s < n; s++) {
      let sum = 0;
      for (let q = 0; q < n; q++) sum += c[s * n + q] * x[q];
      out[s] = sum;
    }
  };
  return clusterEmbedding(spectralEmbedding(n, apply, count, { seed, tolerance: 1e-6 }), count, seed);
}

/** m × n: lengths of the shortest paths over the dual graph; between parts the straight distance. */
function dualDistances(facets: DualGraph, items: Int32Array, landmarks: Int32Array): Float64Array {
  const n = items.length;
  const graph = { positions: facets.centroids, neighbours: facets.neighbours };
  const out = new Float64Array(landmarks.length * n);
  const distances = new Float64Array(facets.count);
  landmarks.forEach((landmark, s) => {
    const from = items[landmark];
    lowerGraphDistances(graph, from, distances.fill(Infinity));
    items.forEach((f, q) => {
      out[s * n + q] = Number.isFinite(distances[f]) ? distances[f] : straightDistance(facets.centroids, f, from);
    });
  });
  return out;
}
