import { pCenters } from '../../../decompose/clustering/p-center.ts';
import { PriorityQueue } from '../../../math/priority-queue.ts';
import { varianceOf } from '../../../math/statistics.ts';
import type { Facets } from './facets.ts';

/** Floods at most. */
const MAX_ITERATIONS = 20;
/** Mean squared difference of the seeds' deformation from their regions', as a fraction of its variance, that ends them. */
const TOLERANCE = 1e-6;

/**
 * Variational region growing, Antonopoulos 2010, Algorithm 3.5, after Cohen-Steiner, Alliez & Desbrun 2004: regions flood from
 * their seeds over a queue sorted by deformation error (3.27); each region's mean deformation (3.28) and the facet closest
 * to it are the next prototype and seed. Regions are connected, and as many as asked for.
 *
 * Departures: the loop runs while the seeds' error is above the tolerance **and** iterations remain (the print stops in both
 * cases), and ends when the seeds repeat. The tolerance is a fraction of the field's variance.
 *
 * @returns Facet → region, 0 … min(count, F) − 1. With fewer regions than parts, parts without a seed join the nearest region.
 */
export function regionGrowing(facets: Facets, count: number, seed = 1): Int32Array {
  const { deformation } = facets;
  const start = pCenters({ ...facets, positions: facets.centroids }, count, seed);
  let seeds: Int32Array = start.centres;
  let prototypes: Float64Array = Float64Array.from(seeds, (f) => deformation[f]);
  let regionOf: Int32Array = start.clusterOf;
  const limit = TOLERANCE * varianceOf(deformation);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    regionOf = flood(facets, seeds, prototypes);
    prototypes = meansOf(facets, regionOf, seeds.length);
    const next = nearestToPrototypes(facets, regionOf, prototypes);
    let error = 0;
    next.forEach((f, j) => {
      error += (deformation[f] - prototypes[j]) ** 2 / next.length;
    });
    const repeats = next.every((f, j) => f === seeds[j]);
    seeds = next;
    if (repeats || error <= limit) break;
  }
  // Parts that no seed reached keep the region that was nearest in space.
  return regionOf.map((region, f) => (region >= 0 ? region : start.clusterOf[f]));
}

/** Deformation-minimising flooding; −1 where no seed leads. */
function flood(facets: Facets, seeds: Int32Array, prototypes: Float64Array): Int32Array {
  const { deformation, neighbours } = facets;
  const regionOf = new Int32Array(facets.count).fill(-1);
  const queue = new PriorityQueue();
  const register = (f: number, region: number): void => {
    for (let q = neighbours.offsets[f]; q < neighbours.offsets[f + 1]; q++) {
      const other = neighbours.items[q];
      if (regionOf[other] < 0) queue.push((deformation[other] - prototypes[region]) ** 2, other, region);
    }
  };
  // Seeds never enter the queue: every region keeps at least its own.
  seeds.forEach((f, region) => {
    regionOf[f] = region;
  });
  seeds.forEach(register);
  while (queue.pop()) {
    const { item, tag } = queue;
    if (regionOf[item] >= 0) continue;
    regionOf[item] = tag;
    register(item, tag);
  }
  return regionOf;
}

function meansOf(facets: Facets, regionOf: Int32Array, count: number): Float64Array {
  const sums = new Float64Array(count);
  const sizes = new Int32Array(count);
  for (let f = 0; f < facets.count; f++) {
    if (regionOf[f] < 0) continue;
    sums[regionOf[f]] += facets.deformation[f];
    sizes[regionOf[f]]++;
  }
  return sums.map((sum, j) => sum / sizes[j]);
}

function nearestToPrototypes(facets: Facets, regionOf: Int32Array, prototypes: Float64Array): Int32Array {
  const seeds = new Int32Array(prototypes.length).fill(-1);
  const least = new Float64Array(prototypes.length).fill(Infinity);
  for (let f = 0; f < facets.count; f++) {
    const j = regionOf[f];
    if (j < 0) continue;
    const error = Math.abs(facets.deformation[f] - prototypes[j]);
    if (error < least[j]) {
      least[j] = error;
      seeds[j] = f;
    }
  }
  return seeds;
}
