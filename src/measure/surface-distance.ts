import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import type { Mesh } from '../model/mesh.ts';

/**
 * Mean surface distance d_avg, Antonopoulos 2010, (6.3): the average of two averages, from X to Y and from Y to X. X
 * and Y are sampled at their vertices, and the distance from a vertex to the other surface is exact: to the nearest
 * point of its triangles, not to its nearest vertex.
 */

/** Compares two surfaces frame by frame; the hierarchies are built once and refitted. */
export interface SurfaceComparison {
  /** d_avg between positions of the two meshes (3 per vertex of each), in their unit. */
  distance(original: Float32Array, approximation: Float32Array): number;
}

/** Both meshes must have vertices and triangles. */
export function compareSurfaces(original: Mesh, approximation: Mesh): SurfaceComparison {
  const originalBvh = buildBvh(original.positions, original.triangles);
  const approximationBvh = buildBvh(approximation.positions, approximation.triangles);
  return {
    distance(originalPositions, approximationPositions) {
      refitBvh(originalBvh, originalPositions);
      refitBvh(approximationBvh, approximationPositions);
      return (
        (meanDistance(originalPositions, approximationBvh) + meanDistance(approximationPositions, originalBvh)) / 2
      );
    },
  };
}

/** Mean distance from 3N positions to a surface. */
function meanDistance(positions: Float32Array, surface: Bvh): number {
  const hit = surfacePoint();
  let sum = 0;
  for (let i = 0; i < positions.length; i += 3) {
    nearestOnSurface(surface, positions[i], positions[i + 1], positions[i + 2], hit);
    sum += hit.distance;
  }
  return sum / (positions.length / 3);
}

/** d_avg between two meshes at rest. */
export function meanSurfaceDistance(original: Mesh, approximation: Mesh): number {
  return compareSurfaces(original, approximation).distance(original.positions, approximation.positions);
}
