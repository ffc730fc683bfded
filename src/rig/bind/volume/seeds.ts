import type { BoneSegments } from '../bone-segments.ts';
import { nearestOnSegment } from '../segment-distance.ts';
import { inVoxels, type VoxelGrid } from './grid.ts';
import { sideOfSegment } from './ways.ts';

/** Voxels this near to a segment, in voxels, start at their distance from it. */
const SEED_RADIUS = 1.6;

/** Where the march starts. */
export interface Seed {
  /** In voxels. */
  distance: number;
  segment: number;
  /** Of `sideOfSegment`. */
  side: number;
}

/** Distances that differ by less, in voxels, are equal: two bones that meet in a joint have it in common. */
const TIE = 1e-6;

/**
 * Voxels along the segments; for segments that leave the grid, its border too. What is equally near to two bones, since their
 * common joint is the nearest of both, is split along the plane between them: a toe that points down has the front of the foot.
 *
 * @param costOutside how much longer ways outside the solid are, as to the border of the grid. @returns by voxel.
 */
export function seeds(grid: VoxelGrid, { columnOf, ends }: BoneSegments, costOutside: number): Map<number, Seed> {
  const { size } = grid;
  const own = ends.map((x, q) => inVoxels(grid, q % 3, x));
  const found = new Map<number, Seed>();
  const middle = new Float64Array(3);
  const nearest = new Float64Array(3);
  for (let s = 0; s < columnOf.length; s++) {
    const e = 6 * s;
    const range = [0, 1, 2].map((c) => [
      Math.max(0, Math.floor(Math.min(own[e + c], own[e + 3 + c]) - 2)),
      Math.min(size[c] - 1, Math.ceil(Math.max(own[e + c], own[e + 3 + c]) + 2)),
    ]);
    for (let z = range[2][0]; z <= range[2][1]; z++) {
      for (let y = range[1][0]; y <= range[1][1]; y++) {
        for (let x = range[0][0]; x <= range[0][1]; x++) start(s, x, y, z, 1, SEED_RADIUS);
      }
    }
    const isInside = [0, 1, 2, 3, 4, 5].every((q) => own[e + q] >= 0 && own[e + q] <= size[q % 3]);
    if (!isInside) borderOf(size, (x, y, z) => start(s, x, y, z, costOutside, Infinity));
  }
  return found;

  /** Lets a voxel within `radius` of segment s start there, unless it is nearer to another. */
  function start(s: number, x: number, y: number, z: number, cost: number, radius: number): void {
    middle[0] = x + 0.5;
    middle[1] = y + 0.5;
    middle[2] = z + 0.5;
    const d = Math.sqrt(nearestOnSegment(nearest, own, 6 * s, middle, 0));
    if (d > radius) return;
    const voxel = x + size[0] * (y + size[1] * z);
    const before = found.get(voxel);
    if (before && cost * d > before.distance + TIE) return;
    const side = sideOfSegment(own, s, middle, nearest);
    if (before && cost * d >= before.distance - TIE && side <= before.side + TIE) return;
    found.set(voxel, { distance: cost * d, segment: s, side });
  }
}

/** Every voxel at the border of the grid. */
function borderOf(size: readonly number[], visit: (x: number, y: number, z: number) => void): void {
  for (let z = 0; z < size[2]; z++) {
    for (let y = 0; y < size[1]; y++) {
      const isFace = z === 0 || z === size[2] - 1 || y === 0 || y === size[1] - 1;
      for (let x = 0; x < size[0]; x += isFace ? 1 : size[0] - 1) visit(x, y, z);
    }
  }
}
