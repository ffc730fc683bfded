import { type VoxelGrid, voxelCount, voxelOf } from './grid.ts';

/**
 * The voxels that a surface touches, by the separating axes of triangle and box (Akenine-Möller 2001). For each triangle only
 * those are tried that its plane passes: columns along the axis it faces most, and in each the few voxels around the plane.
 *
 * @param points 3n, in voxels. @returns one per voxel: 1 where a triangle or a point is.
 */
export function surfaceVoxels(grid: VoxelGrid, points: Float64Array, triangles: Uint32Array): Uint8Array {
  const shell = new Uint8Array(voxelCount(grid));
  const [nx, ny] = grid.size;
  const mark = (x: number, y: number, z: number): void => {
    shell[x + nx * (y + ny * z)] = 1;
  };
  for (let p = 0; p < points.length; p += 3) {
    mark(voxelOf(grid, 0, points[p]), voxelOf(grid, 1, points[p + 1]), voxelOf(grid, 2, points[p + 2]));
  }
  const corners = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let q = 0; q < 9; q++) corners[q] = points[3 * triangles[t + Math.floor(q / 3)] + (q % 3)];
    markTriangle(grid, corners, mark);
  }
  return shell;
}

type Mark = (x: number, y: number, z: number) => void;

/** Marks the voxels that touch the triangle of nine coordinates. */
function markTriangle(grid: VoxelGrid, corners: Float64Array, mark: Mark): void {
  const low = [0, 1, 2].map((c) => voxelOf(grid, c, Math.min(corners[c], corners[3 + c], corners[6 + c])));
  const high = [0, 1, 2].map((c) => voxelOf(grid, c, Math.max(corners[c], corners[3 + c], corners[6 + c])));
  const normal = normalOf(corners);
  const size = normal.map(Math.abs);
  const w = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const [u, v] = [(w + 1) % 3, (w + 2) % 3];
  const at = [0, 0, 0];
  for (at[u] = low[u]; at[u] <= high[u]; at[u]++) {
    for (at[v] = low[v]; at[v] <= high[v]; at[v]++) {
      // Where the plane runs above the middle of the column, and how far it rises and falls within it.
      let [from, to] = [low[w], high[w]];
      if (size[w] > 0) {
        const offset = normal[u] * (at[u] + 0.5 - corners[u]) + normal[v] * (at[v] + 0.5 - corners[v]);
        const middle = corners[w] - offset / normal[w];
        const reach = (size[u] + size[v]) / size[w] / 2;
        from = Math.max(from, Math.floor(middle - reach) - 1);
        to = Math.min(to, Math.floor(middle + reach) + 1);
      }
      for (at[w] = from; at[w] <= to; at[w]++) {
        if (touches(corners, normal, at)) mark(at[0], at[1], at[2]);
      }
    }
  }
}

function normalOf(p: Float64Array): [number, number, number] {
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Whether a triangle and the voxel at `at` have a point in common: no axis separates them. */
function touches(p: Float64Array, normal: readonly number[], at: readonly number[]): boolean {
  // (1) The sides of the box.
  for (let c = 0; c < 3; c++) {
    if (Math.min(p[c], p[3 + c], p[6 + c]) > at[c] + 1 || Math.max(p[c], p[3 + c], p[6 + c]) < at[c]) return false;
  }
  // (2) The triangle's plane.
  const [mx, my, mz] = [at[0] + 0.5, at[1] + 0.5, at[2] + 0.5];
  const reach = (Math.abs(normal[0]) + Math.abs(normal[1]) + Math.abs(normal[2])) / 2;
  const off = normal[0] * (p[0] - mx) + normal[1] * (p[1] - my) + normal[2] * (p[2] - mz);
  if (Math.abs(off) > reach) return false;
  // (3) Across each edge and each axis.
  for (let e = 0; e < 9; e += 3) {
    const next = (e + 3) % 9;
    const last = (e + 6) % 9;
    for (let c = 0; c < 3; c++) {
      const [u, v] = [(c + 1) % 3, (c + 2) % 3];
      const du = p[next + u] - p[e + u];
      const dv = p[next + v] - p[e + v];
      const middle = (at[u] + 0.5) * dv - (at[v] + 0.5) * du;
      const a = p[e + u] * dv - p[e + v] * du - middle;
      const b = p[last + u] * dv - p[last + v] * du - middle;
      if (Math.min(a, b) > (Math.abs(du) + Math.abs(dv)) / 2 || Math.max(a, b) < -(Math.abs(du) + Math.abs(dv)) / 2) {
        return false;
      }
    }
  }
  return true;
}
