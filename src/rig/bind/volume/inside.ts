import { type MeshParts, meshParts } from '../../../mesh/parts.ts';
import { type VoxelGrid, voxelCount } from './grid.ts';

/**
 * The solid: what a surface touches or encloses. A voxel is enclosed when no way from the border of the grid leads to it, or,
 * for surfaces with holes, when the rays along the six directions of the axes leave the body more often than they enter it:
 * the mean of their signed crossings is the winding number of a closed surface, and near it for one with holes.
 */

/** The mean of signed crossings above which a voxel is inside. */
const INSIDE = 0.5;

/** Which voxels are solid, and which of them are not joined although they are side by side. */
export interface Filled {
  /** One per voxel: 1 in the solid. */
  solid: Uint8Array;
  /** One per voxel: bit c where the surface leaves the body and enters it again before the middle of the next voxel along axis c. */
  cuts: Uint8Array;
  /** One per voxel: 1 where the surface is, yet the voxel belongs to the gap between two sides of the body. */
  gaps: Uint8Array;
}

/** @param points 3n, in voxels. @param shell of `surfaceVoxels`. @param facing of `facings`. */
export function solidVoxels(
  grid: VoxelGrid,
  points: Float64Array,
  triangles: Uint32Array,
  shell: Uint8Array,
  facing: Int8Array,
): Filled {
  const outside = flooded(grid, shell);
  const { windings, cuts } = crossings(grid, points, triangles, facing);
  const enclosed = shell.map((touched, v) => (windings[v] > 6 * INSIDE || !(touched || outside[v]) ? 1 : 0));
  const gaps = shell.map((touched, v) => (touched && isInGap(grid, enclosed, v) ? 1 : 0));
  return { solid: shell.map((touched, v) => ((touched || enclosed[v]) && !gaps[v] ? 1 : 0)), cuts, gaps };
}

/** Steps to the body on either side of a gap, at most. */
const GAP_REACH = 2;

/** Whether the middle of a voxel is outside, with the body near on both sides along an axis: legs that all but touch. */
function isInGap({ size }: VoxelGrid, enclosed: Uint8Array, voxel: number): boolean {
  if (enclosed[voxel]) return false;
  for (const stride of [1, size[0], size[0] * size[1]]) {
    // The margin is as wide as the reach: neighbours that far are in the grid, if in the next row of it.
    let [below, above] = [false, false];
    for (let step = 1; step <= GAP_REACH; step++) {
      below ||= enclosed[voxel - step * stride] === 1;
      above ||= enclosed[voxel + step * stride] === 1;
    }
    if (below && above) return true;
  }
  return false;
}

/** 1 for voxels that can be reached from the border without passing `walls`, from side to side. */
function flooded({ size }: VoxelGrid, walls: Uint8Array): Uint8Array {
  const [nx, ny, nz] = size;
  const out = new Uint8Array(walls.length);
  const stack = new Uint32Array(walls.length);
  let top = 0;
  const visit = (voxel: number): void => {
    if (out[voxel] || walls[voxel]) return;
    out[voxel] = 1;
    stack[top++] = voxel;
  };
  // The margin is free all around: one corner reaches the whole border.
  visit(0);
  while (top > 0) {
    const voxel = stack[--top];
    const x = voxel % nx;
    const y = Math.floor(voxel / nx) % ny;
    const z = Math.floor(voxel / (nx * ny));
    if (x > 0) visit(voxel - 1);
    if (x + 1 < nx) visit(voxel + 1);
    if (y > 0) visit(voxel - nx);
    if (y + 1 < ny) visit(voxel + nx);
    if (z > 0) visit(voxel - nx * ny);
    if (z + 1 < nz) visit(voxel + nx * ny);
  }
  return out;
}

/** Per triangle 1, or −1 where it must be turned to face away from the volume of its part. */
export function facings(points: Float64Array, triangles: Uint32Array): Int8Array {
  const parts = meshParts(Float32Array.from(points), triangles);
  const all = partsVolume(parts) < 0 ? -1 : 1;
  return Int8Array.from(
    { length: triangles.length / 3 },
    (_, f) => parts.outside[parts.partOf[triangles[3 * f]]] || all,
  );
}

/** Of all parts together: the sign that open ones take, which bound no volume of their own. */
const partsVolume = ({ volumes }: MeshParts): number => volumes.reduce((sum, volume) => sum + volume, 0);

/** `windings`: per voxel the sum of signed crossings over six rays from its middle. `cuts` as of `Filled`. */
function crossings(
  grid: VoxelGrid,
  points: Float64Array,
  triangles: Uint32Array,
  facing: Int8Array,
): { windings: Int16Array; cuts: Uint8Array } {
  const { size } = grid;
  const strides = [1, size[0], size[0] * size[1]];
  const sums = new Int16Array(voxelCount(grid));
  const cuts = new Uint8Array(sums.length);
  for (let w = 0; w < 3; w++) {
    const [u, v] = [(w + 1) % 3, (w + 2) % 3];
    // Where rays cross, at the first voxel whose middle is beyond the crossing.
    const steps = new Int16Array(sums.length);
    const totals = new Int16Array(size[u] * size[v]);
    // By the first voxel beyond: the depth at which the body was left first.
    const left = new Map<number, number>();
    const entered: [voxel: number, depth: number][] = [];
    for (let f = 0; f < facing.length; f++) {
      crossColumns(points, triangles, 3 * f, size, w, (iu, iv, depth, sign) => {
        const s = sign * facing[f];
        totals[iu + size[u] * iv] += s;
        const first = Math.max(0, Math.ceil(depth - 0.5));
        if (first >= size[w]) return;
        const voxel = iu * strides[u] + iv * strides[v] + first * strides[w];
        steps[voxel] += s;
        if (s < 0) entered.push([voxel, depth]);
        else left.set(voxel, Math.min(depth, left.get(voxel) ?? Infinity));
      });
    }
    for (const [voxel, depth] of entered) {
      const leaving = left.get(voxel);
      if (leaving !== undefined && leaving < depth) cuts[voxel - strides[w]] |= 1 << w;
    }
    for (let iv = 0; iv < size[v]; iv++) {
      for (let iu = 0; iu < size[u]; iu++) {
        const total = totals[iu + size[u] * iv];
        let before = 0;
        let voxel = iu * strides[u] + iv * strides[v];
        for (let iw = 0; iw < size[w]; iw++, voxel += strides[w]) {
          before += steps[voxel];
          sums[voxel] += total - 2 * before; // forwards: total − before; backwards: −before
        }
      }
    }
  }
  return { windings: sums, cuts };
}

/**
 * Calls `hit` for each column of voxels along axis w whose middle passes through the triangle at t, with the depth and 1 where
 * the triangle faces along the axis, −1 against it. Of triangles that share an edge exactly one has what is on the edge.
 */
function crossColumns(
  p: Float64Array,
  triangles: Uint32Array,
  t: number,
  size: readonly number[],
  w: number,
  hit: (iu: number, iv: number, depth: number, sign: number) => void,
): void {
  const [u, v] = [(w + 1) % 3, (w + 2) % 3];
  const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
  const area =
    (p[3 * b + u] - p[3 * a + u]) * (p[3 * c + v] - p[3 * a + v]) -
    (p[3 * b + v] - p[3 * a + v]) * (p[3 * c + u] - p[3 * a + u]);
  if (area === 0) return;
  const sign = area > 0 ? 1 : -1;
  const range = (axis: number): [number, number] => {
    const [x, y, z] = [p[3 * a + axis], p[3 * b + axis], p[3 * c + axis]];
    return [
      Math.max(0, Math.ceil(Math.min(x, y, z) - 0.5)),
      Math.min(size[axis] - 1, Math.floor(Math.max(x, y, z) - 0.5)),
    ];
  };
  const [[u0, u1], [v0, v1]] = [range(u), range(v)];
  for (let iv = v0; iv <= v1; iv++) {
    for (let iu = u0; iu <= u1; iu++) {
      const ab = side(p, a, b, u, v, iu + 0.5, iv + 0.5);
      const bc = side(p, b, c, u, v, iu + 0.5, iv + 0.5);
      const ca = side(p, c, a, u, v, iu + 0.5, iv + 0.5);
      if (Math.sign(ab) !== sign || Math.sign(bc) !== sign || Math.sign(ca) !== sign) continue;
      const depth = (bc * p[3 * a + w] + ca * p[3 * b + w] + ab * p[3 * c + w]) / (ab + bc + ca);
      hit(iu, iv, depth, sign);
    }
  }
}

/**
 * On which side of the edge from a to b a place is: positive on the left, never 0. Computed alike for both triangles of the
 * edge, and what is on it counts as left of the way from the lower index to the higher.
 */
function side(p: Float64Array, a: number, b: number, u: number, v: number, x: number, y: number): number {
  const [from, to] = a < b ? [3 * a, 3 * b] : [3 * b, 3 * a];
  const left = (p[to + u] - p[from + u]) * (y - p[from + v]) - (p[to + v] - p[from + v]) * (x - p[from + u]);
  const positive = left === 0 ? Number.MIN_VALUE : left;
  return a < b ? positive : -positive;
}
