import { IndexedHeap } from '../../../mesh/indexed-heap.ts';
import type { RunOptions } from '../../../model/options.ts';
import { checkpoint } from '../../../model/run.ts';
import type { BoneSegments } from '../bone-segments.ts';
import { type VoxelGrid, voxelCount } from './grid.ts';
import type { Filled } from './inside.ts';
import { seeds } from './seeds.ts';
import { Ways } from './ways.ts';

/**
 * The nearest bone of every voxel by the way through the solid: fast marching (Sethian 1996) from all bones at once. Ways
 * outside the solid are three times as long, so that each voxel is reached, also of loose parts and from bones outside.
 *
 * Distances are those of the front; ways.ts says which bone they are from.
 */
export interface Marched {
  /** Per voxel: the distance to the nearest bone, in voxels; ∞ where it was not needed. */
  distance: Float64Array;
  /** Per voxel: the column of that bone, −1 where it was not needed. */
  column: Int32Array;
}

/** Of a way outside the solid. */
const COST_OUTSIDE = 3;
/** Voxels between two looks at the outside world. */
const STRIDE = 1 << 15;

/** Marching ends when all solid voxels are reached. */
export async function marchBones(
  grid: VoxelGrid,
  { solid, cuts }: Pick<Filled, 'solid' | 'cuts'>,
  segments: BoneSegments,
  run: RunOptions,
): Promise<Marched> {
  const [nx, ny, nz] = grid.size;
  const distance = new Float64Array(voxelCount(grid)).fill(Infinity);
  const segment = new Int32Array(distance.length).fill(-1);
  const fixed = new Uint8Array(distance.length);
  const heap = new IndexedHeap(distance.length);
  const ways = new Ways(grid, segments);
  for (const [voxel, start] of seeds(grid, segments, COST_OUTSIDE)) {
    distance[voxel] = start.distance;
    segment[voxel] = start.segment;
    heap.set(voxel, start.distance);
  }

  let left = solid.reduce((sum, is) => sum + is, 0);
  const total = left;
  for (let step = 0; left > 0 && heap.size > 0; step++) {
    if (step % STRIDE === 0) await checkpoint(run, 'bind', total - left, total, 'finding the nearest bones');
    const voxel = heap.pop();
    fixed[voxel] = 1;
    left -= solid[voxel];
    const x = voxel % nx;
    const y = Math.floor(voxel / nx) % ny;
    const z = Math.floor(voxel / (nx * ny));
    if (x > 0) relax(voxel - 1, x - 1, y, z);
    if (x + 1 < nx) relax(voxel + 1, x + 1, y, z);
    if (y > 0) relax(voxel - nx, x, y - 1, z);
    if (y + 1 < ny) relax(voxel + nx, x, y + 1, z);
    if (z > 0) relax(voxel - nx * ny, x, y, z - 1);
    if (z + 1 < nz) relax(voxel + nx * ny, x, y, z + 1);
  }
  return { distance, column: segment.map((s) => (s < 0 ? -1 : segments.columnOf[s])) };

  /** Lowers the distance of a voxel to what its fixed neighbours give. */
  function relax(voxel: number, x: number, y: number, z: number): void {
    if (fixed[voxel]) return;
    ways.aim(x, y, z);
    const a = along(voxel, 1, 1, x > 0, x + 1 < nx);
    const b = along(voxel, 2, nx, y > 0, y + 1 < ny);
    const c = along(voxel, 4, nx * ny, z > 0, z + 1 < nz);
    const d = frontDistance(a, b, c, solid[voxel] ? 1 : COST_OUTSIDE);
    if (d >= distance[voxel]) return;
    distance[voxel] = d;
    segment[voxel] = ways.best;
    heap.set(voxel, d);
  }

  /** The smaller distance of the two neighbours along an axis, among those that are fixed; their bones are offered. */
  function along(voxel: number, axis: number, stride: number, hasLower: boolean, hasUpper: boolean): number {
    const lower =
      hasLower && fixed[voxel - stride] ? distance[voxel - stride] + across(voxel - stride, axis) : Infinity;
    const upper = hasUpper && fixed[voxel + stride] ? distance[voxel + stride] + across(voxel, axis) : Infinity;
    if (lower < Infinity) ways.consider(segment[voxel - stride], lower, stride, -1);
    if (upper < Infinity) ways.consider(segment[voxel + stride], upper, stride, 1);
    return Math.min(lower, upper);
  }

  /** A step across a gap passes the outside, if not for the whole of a voxel. */
  function across(lower: number, axis: number): number {
    return cuts[lower] & axis ? COST_OUTSIDE : 0;
  }
}

/** The root of Σ max(0, t − x)² = cost² over the distances x of the three axes: the arrival of a front (Sethian 1996, eq. 3). */
function frontDistance(a: number, b: number, c: number, cost: number): number {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  const middle = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  const one = low + cost;
  if (one <= middle) return one;
  const gap = middle - low;
  const two = (low + middle + Math.sqrt(2 * cost * cost - gap * gap)) / 2;
  if (two <= high) return two;
  const sum = low + middle + high;
  const squares = low * low + middle * middle + high * high;
  return (sum + Math.sqrt(Math.max(0, sum * sum - 3 * (squares - cost * cost)))) / 3;
}
