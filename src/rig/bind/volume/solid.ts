import { type VoxelGrid, voxelOf } from './grid.ts';
import type { Filled } from './inside.ts';
import type { Marched } from './march.ts';

/** The solid voxels of a grid, numbered on their own, each with its nearest bone. */
export interface Solid {
  /** m: solid voxel → voxel of the grid. */
  voxels: Uint32Array;
  /** 6m: the solid voxels beside each, −1 where there is none. */
  neighbours: Int32Array;
  /** m: distance to the nearest bone, in voxels. */
  distance: Float64Array;
  /** m: the column of that bone. */
  column: Int32Array;
}

/** `placeOf`: voxel of the grid → solid voxel, −1 outside. */
export function solidOf(
  grid: VoxelGrid,
  { solid: filled, cuts }: Pick<Filled, 'solid' | 'cuts'>,
  { distance, column }: Marched,
): { solid: Solid; placeOf: Int32Array } {
  const placeOf = new Int32Array(filled.length).fill(-1);
  let count = 0;
  for (let voxel = 0; voxel < filled.length; voxel++) if (filled[voxel]) placeOf[voxel] = count++;
  const voxels = new Uint32Array(count);
  for (let voxel = 0; voxel < filled.length; voxel++) if (filled[voxel]) voxels[placeOf[voxel]] = voxel;
  // The margin is never solid: every neighbour is in the grid.
  const [nx, ny] = grid.size;
  const steps = [-1, 1, -nx, nx, -nx * ny, nx * ny];
  const neighbours = new Int32Array(6 * count);
  for (let v = 0; v < count; v++) {
    for (let e = 0; e < 6; e++) {
      const other = voxels[v] + steps[e];
      const isCut = cuts[Math.min(other, voxels[v])] & (1 << (e >> 1));
      neighbours[6 * v + e] = isCut ? -1 : placeOf[other];
    }
  }
  const solid = {
    voxels,
    neighbours,
    distance: Float64Array.from(voxels, (voxel) => distance[voxel]),
    column: Int32Array.from(voxels, (voxel) => column[voxel]),
  };
  return { solid, placeOf };
}

/** Where points are in a solid: by solid voxel, the points whose weights it has a share of. */
export interface PointsInSolid {
  /** m + 1: where each voxel's entries start. */
  offsets: Uint32Array;
  /** Points, and how much the voxel counts for them: the shares of a point sum to 1. */
  points: Uint32Array;
  shares: Float64Array;
}

/**
 * Trilinear shares of the eight voxels around each point, among those that are solid. At a gap only those behind the point
 * count, against its normal, or the nearest of them: what is in front is the other side.
 *
 * @param points 3n, in voxels. @param normals 3n, away from the body. @param placeOf of `solidOf`.
 */
export function pointsInSolid(
  grid: VoxelGrid,
  { points, normals }: { points: Float64Array; normals: Float32Array },
  { cuts, gaps }: Pick<Filled, 'cuts' | 'gaps'>,
  { voxels }: Solid,
  placeOf: Int32Array,
): PointsInSolid {
  const [nx, ny] = grid.size;
  const n = points.length / 3;
  const around = new Int32Array(8 * n).fill(-1);
  const amount = new Float64Array(8 * n);
  const low = [0, 0, 0];
  const at = [0, 0, 0];
  /** How far in front of a point the middle of the voxel at `at` is. */
  const ahead = (i: number): number =>
    at.reduce((sum, x, c) => sum + normals[3 * i + c] * (x + 0.5 - points[3 * i + c]), 0);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) low[c] = voxelOf(grid, c, points[3 * i + c] - 0.5);
    const first = low[0] + nx * (low[1] + ny * low[2]);
    let isAtGap = false;
    for (let corner = 0; corner < 8; corner++) {
      const voxel = first + (corner & 1) + nx * (((corner >> 1) & 1) + ny * (corner >> 2));
      isAtGap ||= gaps[voxel] === 1 || (cuts[voxel] & ~corner & 7) !== 0;
    }
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      const steps = [corner & 1, (corner >> 1) & 1, corner >> 2];
      for (let c = 0; c < 3; c++) at[c] = low[c] + steps[c];
      const place = placeOf[at[0] + nx * (at[1] + ny * at[2])];
      if (place < 0 || (isAtGap && ahead(i) > 0)) continue;
      let share = 1;
      for (let c = 0; c < 3; c++) share *= Math.max(0, 1 - Math.abs(points[3 * i + c] - 0.5 - at[c]));
      around[8 * i + corner] = place;
      amount[8 * i + corner] = share;
      sum += share;
    }
    if (sum > 0) for (let corner = 0; corner < 8; corner++) amount[8 * i + corner] /= sum;
    else {
      around.fill(-1, 8 * i, 8 * i + 8);
      around[8 * i] = nearestBehind(i);
      amount[8 * i] = 1;
    }
  }
  // By voxel instead of by point.
  const offsets = new Uint32Array(voxels.length + 1);
  for (const place of around) if (place >= 0) offsets[place + 1]++;
  for (let v = 0; v < voxels.length; v++) offsets[v + 1] += offsets[v];
  const out = {
    offsets,
    points: new Uint32Array(offsets[voxels.length]),
    shares: new Float64Array(offsets[voxels.length]),
  };
  const next = offsets.slice();
  around.forEach((place, q) => {
    if (place < 0) return;
    out.points[next[place]] = Math.floor(q / 8);
    out.shares[next[place]++] = amount[q];
  });
  return out;

  /** The nearest solid voxel behind a point at a gap, else the nearest: there is one, or it would be no gap. */
  function nearestBehind(i: number): number {
    let [best, least] = [-1, Infinity];
    const middle = [0, 1, 2].map((c) => voxelOf(grid, c, points[3 * i + c]));
    for (let q = 0; q < REACH ** 3; q++) {
      at[0] = middle[0] + (q % REACH) - (REACH >> 1);
      at[1] = middle[1] + (Math.floor(q / REACH) % REACH) - (REACH >> 1);
      at[2] = middle[2] + Math.floor(q / REACH ** 2) - (REACH >> 1);
      const place = placeOf[at[0] + nx * (at[1] + ny * at[2])] ?? -1;
      if (place < 0) continue;
      const far = Math.hypot(...at.map((x, c) => x + 0.5 - points[3 * i + c])) + (ahead(i) > 0 ? REACH ** 2 : 0);
      if (far < least) [best, least] = [place, far];
    }
    return best;
  }
}

/** Voxels to look at along each axis around a point at a gap: two steps lead out of one. */
const REACH = 5;
