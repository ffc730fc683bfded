import type { BoneSegments } from '../bone-segments.ts';
import { nearestOnSegment } from '../segment-distance.ts';
import { inVoxels, type VoxelGrid } from './grid.ts';

/** Ways that differ by less than this, in voxels, are as long: which side of a joint they come from decides. */
const SAME_WAY = 0.05;

/**
 * Which segment a voxel belongs to, of those that its neighbours belong to. The way from a segment is that of the neighbour, with
 * the straight part of it measured anew from here: exact where nothing is in between.
 *
 * Tried: the segment of the neighbour that lowered the voxel last (29 % of voxels wrong), and of the smallest neighbour. The
 * latter takes labels along the axes, so that a toe kept the lower half of its foot only (CesiumMan .286 / .346 against
 * .266 / .285, RiggedFigure .181 / .852 against .187 / .726; docs/notes/bind.md).
 */
export class Ways {
  best = -1;
  readonly #stride: readonly number[];
  readonly #ends: Float64Array;
  readonly #middle = new Float64Array(3);
  readonly #beside = new Float64Array(3);
  readonly #nearest = new Float64Array(3);
  #way = Infinity;
  #side = 0;

  constructor(grid: VoxelGrid, { ends }: BoneSegments) {
    this.#stride = [1, grid.size[0], grid.size[0] * grid.size[1]];
    this.#ends = ends.map((x, q) => inVoxels(grid, q % 3, x));
  }

  /** Starts to look for the segment of a voxel. */
  aim(x: number, y: number, z: number): void {
    this.#middle[0] = x + 0.5;
    this.#middle[1] = y + 0.5;
    this.#middle[2] = z + 0.5;
    this.#way = Infinity;
    this.best = -1;
  }

  /** Offers the segment of the neighbour one step along an axis, at distance d. */
  consider(s: number, d: number, stride: number, step: number): void {
    if (s === this.best) return;
    this.#beside.set(this.#middle);
    this.#beside[this.#stride.indexOf(stride)] += step;
    const detour = d - Math.sqrt(nearestOnSegment(this.#nearest, this.#ends, 6 * s, this.#beside, 0));
    const way = detour + Math.sqrt(nearestOnSegment(this.#nearest, this.#ends, 6 * s, this.#middle, 0));
    if (way > this.#way + SAME_WAY) return;
    const side = sideOfSegment(this.#ends, s, this.#middle, this.#nearest);
    if (way >= this.#way - SAME_WAY && (side < this.#side || (side === this.#side && s >= this.best))) return;
    this.#way = way;
    this.#side = side;
    this.best = s;
  }
}

/** How far a point lies along segment s, seen from the end of it that is nearest: 0 beside the segment, negative beyond its end. */
export function sideOfSegment(ends: Float64Array, s: number, point: Float64Array, nearest: Float64Array): number {
  const e = 6 * s;
  let [along, length, fromFirst, fromLast] = [0, 0, 0, 0];
  for (let c = 0; c < 3; c++) {
    fromFirst += (nearest[c] - ends[e + c]) ** 2;
    fromLast += (nearest[c] - ends[e + 3 + c]) ** 2;
    along += (point[c] - nearest[c]) * (ends[e + 3 + c] - ends[e + c]);
    length += (ends[e + 3 + c] - ends[e + c]) ** 2;
  }
  if (length === 0) return 0;
  return ((fromFirst < fromLast ? 1 : -1) * along) / Math.sqrt(length);
}
