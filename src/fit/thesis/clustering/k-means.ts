import { kMeans } from '../../../math/kmeans.ts';
import { deviationOf } from '../../../math/statistics.ts';
import { defaultsOf, type OptionsOf } from '../../../model/options.ts';
import type { Facets } from './facets.ts';
import { groupsOfParts, joinGroups } from './parts.ts';

/**
 * k-means of facets by their deformation, document 000 Algorithm 3.3, and in two levels, Algorithm 3.4. Both find areas of
 * similar deformation, not connected ones.
 *
 * Printed: random facets start it, and the data set is repeated `DatasetWeight` times so that deformation counts more than
 * position. Here: k-means++ unless `start` asks for `random`; a weight on the deformation, which is the same.
 */
export const K_MEANS_OPTIONS = {
  start: {
    type: 'choice',
    choices: ['spread', 'random'],
    default: 'spread',
    description: 'First centres: spread by k-means++, or random facets as printed.',
  },
  deformationWeight: {
    type: 'number',
    min: 0,
    default: 1,
    description: 'How much deformation counts against position (both at variance 1) in the second level.',
  },
  firstLevel: {
    type: 'number',
    integer: true,
    min: 1,
    default: 8,
    description: 'Clusters of the first level for each one of the second.',
  },
  seed: { type: 'number', integer: true, default: 1, description: 'Chooses the first centres.' },
} as const;
export type KMeansClusteringOptions = OptionsOf<typeof K_MEANS_OPTIONS>;
export const K_MEANS_DEFAULTS = defaultsOf(K_MEANS_OPTIONS);

/** By the mean deformation alone. Facet → cluster, 0 … min(count, F) − 1. */
export function kMeansClustering(
  facets: Facets,
  count: number,
  options: Partial<KMeansClusteringOptions> = {},
): Int32Array {
  const { start, seed } = { ...K_MEANS_DEFAULTS, ...options };
  return clusterEachPart(facets, count, (items, share) => {
    const data = Float64Array.from(items, (f) => facets.deformation[f]);
    return kMeans(data, 1, share, { start, seed }).clusterOf;
  });
}

/**
 * Two levels: k' clusters by deformation and position, whose centres are clustered again by the same data into k (3.24).
 * Facet → cluster, 0 … min(count, F) − 1.
 */
export function hierarchicalKMeansClustering(
  facets: Facets,
  count: number,
  options: Partial<KMeansClusteringOptions> = {},
): Int32Array {
  const { start, seed, deformationWeight, firstLevel } = { ...K_MEANS_DEFAULTS, ...options };
  return clusterEachPart(facets, count, (items, share) => {
    const deformation = Float64Array.from(items, (f) => facets.deformation[f]);
    const axes = [0, 1, 2].map((c) => Float64Array.from(items, (f) => facets.centroids[3 * f + c]));
    // Variance 1 each; one scale for the three axes, or clusters would not be round. What does not vary stays as it is.
    const deformationScale = Math.sqrt(deformationWeight) / (deviationOf(deformation) || 1);
    const positionScale = 1 / (Math.hypot(...axes.map(deviationOf)) || 1);
    const data = new Float64Array(4 * items.length);
    for (let q = 0; q < items.length; q++) {
      data[4 * q] = deformationScale * deformation[q];
      for (let c = 0; c < 3; c++) data[4 * q + 1 + c] = positionScale * axes[c][q];
    }
    const first = kMeans(data, 4, Math.min(items.length, firstLevel * share), { start, seed });
    const second = kMeans(first.centres, 4, share, { start, seed });
    return first.clusterOf.map((cluster) => second.clusterOf[cluster]);
  });
}

function clusterEachPart(
  facets: Facets,
  count: number,
  cluster: (items: Int32Array, count: number) => Int32Array,
): Int32Array {
  const groups = groupsOfParts(facets.partOf, facets.partCount, count);
  return joinGroups(
    facets.count,
    groups,
    groups.map((group) => cluster(group.items, group.count)),
  );
}
