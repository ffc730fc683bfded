import { marchDistances } from '../../mesh/fast-marching.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { NearestBones } from './nearest-bones.ts';
import { pointCount, type Surface } from './surface.ts';

/**
 * Distances to bones through the surface, which the lecture on geometric surface deformation wishes for ("Problem with
 * cartesian distance"). The points that belong to a bone lie at their straight distance from it; from there the way
 * goes along the surface. The left thigh is then as far from the right one as the way through the crotch is long.
 *
 * @param reach distances beyond this multiple of the largest distance that any point has to its own bone are not computed:
 * ∞ in the result.
 * @returns n·D. Each point has at least one finite distance when it is joined to one that belongs to a bone.
 */
export async function geodesicDistances(
  surface: Surface,
  nearest: NearestBones,
  columns: number,
  reach: number,
  run: RunOptions,
): Promise<Float64Array> {
  const n = pointCount(surface);
  const own = marchDistances(surface, nearest.distance.slice());
  const limit = reach * own.reduce((most, d) => (d < Infinity ? Math.max(most, d) : most), 0);
  const out = new Float64Array(n * columns);
  const distances = new Float64Array(n);
  for (let c = 0; c < columns; c++) {
    await checkpoint(run, 'bind', c, columns, 'computing geodesic distances');
    for (let i = 0; i < n; i++) distances[i] = nearest.shares[i * columns + c] > 0 ? nearest.distance[i] : Infinity;
    marchDistances(surface, distances, limit);
    for (let i = 0; i < n; i++) out[i * columns + c] = distances[i];
  }
  return out;
}
