import { PosedDistance } from '../measure/posed-distance.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { splitVertexCount, triangleCount } from '../model/mesh.ts';
import type { LevelFigures, PosedSurface, SurfaceLevel } from './surface.ts';

/** Points on each surface and in each pose. */
const POINTS = 4000;

/** Distances between a level and its original over the poses. */
export function figuresOf(surface: PosedSurface, { mesh, poses }: Omit<SurfaceLevel, 'figures'>): LevelFigures {
  const diagonal = diagonalOf(surface.poses[0]) || 1;
  const a = { triangles: surface.mesh.triangles, positions: surface.poses[0] };
  const distance = new PosedDistance(a, { triangles: mesh.triangles, positions: poses[0] }, { points: POINTS });
  let sum = 0;
  let max = -1;
  let worstPose = 0;
  poses.forEach((pose, p) => {
    const found = distance.distance(surface.poses[p], pose);
    sum += found.rms * found.rms;
    if (found.max > max) {
      max = found.max;
      worstPose = p;
    }
  });
  return {
    triangles: triangleCount(mesh),
    vertices: splitVertexCount(mesh),
    rmsPercent: (100 * Math.sqrt(sum / poses.length)) / diagonal,
    maxPercent: (100 * max) / diagonal,
    worstPose,
  };
}
