import { clusterEachGroup, groupsOfParts } from '../../../decompose/clustering/parts.ts';
import { kMeans } from '../../../math/kmeans.ts';
import { deviationOf } from '../../../math/statistics.ts';
import type { Facets } from './facets.ts';

/**
 * k-means of facets by their deformation, Antonopoulos 2010, Algorithm 3.3, and in two levels, Algorithm 3.4. Both find
 * areas of similar deformation, not connected ones.
 *
 * Departures: the print starts from random facets, here it is k-means++; and it repeats the data set so that deformation
 * counts more than position, here both have variance 1.
 */

/** Clusters of the first level for each one of the second. */
const FIRST_LEVEL = 8;

/** By the mean deformation alone. Facet → cluster, 0 … min(count, F) − 1. */
export function kMeansClustering(facets: Facets, count: number, seed = 1): Int32Array {
  return clusterEachGroup(facets.count, groupsOfParts(facets, count), ({ items, count: share }) => {
    const data = Float64Array.from(items, (f) => facets.deformation[f]);
    return kMeans(data, 1, share, { seed }).clusterOf;
  });
}

/**
 * Two levels: k' clusters by deformation and position, whose centres are clustered again by the same data into k (3.24).
 * Facet → cluster, 0 … min(count, F) − 1.
 */
export function hierarchicalKMeansClustering(facets: Facets, count: number, seed = 1): Int32Array {
  return clusterEachGroup(facets.count, groupsOfParts(facets, count), ({ items, count: share }) => {
    const deformation = Float64Array.from(items, (f) => facets.deformation[f]);
    const axes = [0, 1, 2].map((c) => Float64Array.from(items, (f) => facets.centroids[3 * f + c]));
    // Variance 1 each; one scale for the three axes, or clusters would not be round. What does not vary stays as it is.
    const deformationScale = 1 / (deviationOf(deformation) || 1);
    const positionScale = 1 / (Math.hypot(...axes.map(deviationOf)) || 1);
    const data = new Float64Array(4 * items.length);
    for (let q = 0; q < items.length; q++) {
      data[4 * q] = deformationScale * deformation[q];
      for (let c = 0; c < 3; c++) data[4 * q + 1 + c] = positionScale * axes[c][q];
    }
    const first = kMeans(data, 4, Math.min(items.length, FIRST_LEVEL * share), { seed });
    const second = kMeans(first.centres, 4, share, { seed });
    return first.clusterOf.map((cluster) => second.clusterOf[cluster]);
  });
}
