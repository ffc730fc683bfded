import { boundsOf } from '../../../mesh/bounds.ts';

/** A box of cubic voxels around a mesh. Voxel (x, y, z) has the index x + size[0]·(y + size[1]·z). */
export interface VoxelGrid {
  /** Voxels along each axis. */
  size: readonly [number, number, number];
  /** Of the first voxel: its lowest corner, in mesh space. */
  origin: readonly [number, number, number];
  /** Edge of a voxel, in mesh space. */
  cell: number;
}

/** Empty voxels around the mesh, so that the outside is one piece. */
const MARGIN = 2;

export const voxelCount = ({ size }: VoxelGrid): number => size[0] * size[1] * size[2];

/**
 * Voxels of which `resolution` fit into the longest side of the box of the points (3n). The box is in the middle, and counts are
 * even: the plane of a symmetric mesh then lies between voxels, and neither side gets those on it.
 */
export function voxelGrid(positions: Float32Array, resolution: number): VoxelGrid {
  const { min, max } = boundsOf(positions);
  const sides = min.map((low, c) => max[c] - low);
  const cell = Math.max(...sides) / resolution || 1;
  const size = sides.map((side) => 2 * Math.max(1, Math.ceil(side / cell / 2)) + 2 * MARGIN);
  const origin = size.map((count, c) => (min[c] + max[c]) / 2 - (count / 2) * cell);
  return { size: [size[0], size[1], size[2]], origin: [origin[0], origin[1], origin[2]], cell };
}

/** A coordinate along axis c in voxels: voxel i reaches from i to i + 1. */
export const inVoxels = ({ origin, cell }: VoxelGrid, c: number, x: number): number => (x - origin[c]) / cell;

/** 3n points in voxels: coordinates as of `inVoxels`. */
export function pointsInVoxels(grid: VoxelGrid, points: ArrayLike<number>): Float64Array {
  return Float64Array.from(points, (x, q) => inVoxels(grid, q % 3, x));
}

/** The voxel that holds a coordinate; on the border between two the upper one. */
export const voxelOf = (grid: VoxelGrid, c: number, x: number): number =>
  Math.min(grid.size[c] - 1, Math.max(0, Math.floor(x)));
