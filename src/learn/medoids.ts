import { FarthestPoints } from '../math/farthest-points.ts';

/**
 * k-medoids by Voronoi iteration (Park & Jun 2009) from farthest points: `wanted` of the candidate rows of a P × P matrix
 * of distances, such that every candidate is near one of them. Rising order.
 */
export function medoids(distances: Float64Array, p: number, candidates: readonly number[], wanted: number): number[] {
  const distance = (a: number, b: number): number => distances[a * p + b];
  // (1) The most central first, then the farthest from those chosen.
  const total = (a: number): number => candidates.reduce((sum, b) => sum + distance(a, b), 0);
  const central = candidates.reduce((best, a) => (total(a) < total(best) ? a : best));
  const sample = new FarthestPoints(candidates.length, (q, r) => distance(candidates[q], candidates[r]));
  sample.choose(candidates.indexOf(central));
  while (sample.chosen.length < wanted) sample.choose(sample.farthest());
  const chosen = sample.chosen.map((q) => candidates[q]);

  // (2) Each cluster's most central member becomes its medoid, until none changes.
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const members: number[][] = chosen.map(() => []);
    for (const a of candidates) {
      let best = 0;
      for (let m = 1; m < wanted; m++) if (distance(a, chosen[m]) < distance(a, chosen[best])) best = m;
      members[best].push(a);
    }
    let changed = false;
    members.forEach((cluster, m) => {
      const spread = (a: number): number => cluster.reduce((sum, b) => sum + distance(a, b), 0);
      const centre = cluster.reduce((best, a) => (spread(a) < spread(best) ? a : best), chosen[m]);
      changed ||= centre !== chosen[m];
      chosen[m] = centre;
    });
    if (!changed) break;
  }
  return chosen.sort((a, b) => a - b);
}

/** Voronoi iteration ends after a handful of rounds; this only bounds it. */
const MAX_ITERATIONS = 50;
