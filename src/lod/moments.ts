import type { Edges } from '../mesh/adjacency.ts';
import { faceNormal } from '../mesh/triangle.ts';
import { DIRECTION, type Samples } from './samples.ts';

/**
 * The squared distances of samples as a quadratic form of a level's vertices, pose by pose. With d_i the displacement of
 * vertex i from where it started, b the weights of a sample's corners, r its offset at the start, n the normal of the
 * original there, or of the level for points of the original that have their nearest one on it, and W = nnᵀ + ε(I − nnᵀ),
 *
 *   Σ_s w_s ‖Σ_i b_si d_i − r_s‖²_W = Σ_ij d_iᵀ S_ij d_j − 2 Σ_i d_iᵀ Y_i + const.
 *
 * Points of lines count across the line only: n is then the direction in the surface at right angles to it, and ε is 0. Where
 * a chart has its nearest point on its border, W is I: else it could slide out over its neighbours unseen.
 * Offsets instead of places keep the digits that single precision has.
 */
export interface Moments {
  /** K. */
  poses: number;
  /** 6 per vertex and pose (all poses of a vertex together): S_ii as xx xy xz yy yz zz. */
  vertices: Float32Array;
  /** 6 per edge and pose: S_ij of its ends. */
  edges: Float32Array;
  /** 3 per vertex and pose: Y_i. */
  sides: Float32Array;
  /** K: the constants; a pose that is hit exactly has 0 at its minimum. */
  constants: Float64Array;
}

/** The level and the original in a pose. */
export interface PosePair {
  /** 3n: where the level's vertices start. */
  level: ArrayLike<number>;
  /** 3N. */
  original: ArrayLike<number>;
}

/** Gathers the moments of all poses. `edges`: of the level's `triangles` (3f); `originalTriangles`: 3F. */
export function gatherMoments(
  samples: Samples,
  triangles: Uint32Array,
  edges: Edges,
  originalTriangles: Uint32Array,
  pairs: readonly PosePair[],
  epsilon: number,
): Moments {
  const poses = pairs.length;
  const n = pairs[0].level.length / 3;
  const moments: Moments = {
    poses,
    vertices: new Float32Array(6 * poses * n),
    edges: new Float32Array((6 * poses * edges.vertices.length) / 2),
    sides: new Float32Array(3 * poses * n),
    constants: new Float64Array(poses),
  };
  const order = byTriangle(samples, triangles.length / 3);
  pairs.forEach((pair, p) => {
    gatherPose(moments, p, samples, order, triangles, edges.edgeOf, originalTriangles, pair, epsilon);
  });
  return moments;
}

/** The samples that count, by triangle of the level: what they add is then written once per triangle. */
function byTriangle({ count, triangle, share }: Samples, triangles: number): Uint32Array {
  const next = new Uint32Array(triangles + 1);
  for (let s = 0; s < count; s++) if (share[s] > 0) next[triangle[s] + 1]++;
  for (let t = 0; t < triangles; t++) next[t + 1] += next[t];
  const order = new Uint32Array(next[triangles]);
  for (let s = 0; s < count; s++) if (share[s] > 0) order[next[triangle[s]]++] = s;
  return order;
}

const normal = new Float64Array(3);

/** What the samples of a triangle add: S of its three corners, of its three sides, and Y of its corners. */
const sums = new Float64Array(45);

function gatherPose(
  { poses, vertices, edges, sides, constants }: Moments,
  p: number,
  samples: Samples,
  order: Uint32Array,
  triangles: Uint32Array,
  edgeOf: Uint32Array,
  originalTriangles: Uint32Array,
  { level, original }: PosePair,
  epsilon: number,
): void {
  let constant = 0;
  sums.fill(0);
  for (let q = 0; q < order.length; q++) {
    const s = order[q];
    // (1) The point of the original and its normal.
    const f = 3 * samples.face[s];
    const u = samples.u[s];
    const v = samples.v[s];
    const w = 1 - u - v;
    const i = 3 * originalTriangles[f];
    const j = 3 * originalTriangles[f + 1];
    const l = 3 * originalTriangles[f + 2];
    const ax = original[i];
    const ay = original[i + 1];
    const az = original[i + 2];
    const bx = original[j] - ax;
    const by = original[j + 1] - ay;
    const bz = original[j + 2] - az;
    const cx = original[l] - ax;
    const cy = original[l + 1] - ay;
    const cz = original[l + 2] - az;
    let nx = by * cz - bz * cy;
    let ny = bz * cx - bx * cz;
    let nz = bx * cy - by * cx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = length > 0 ? 1 / length : 0;
    nx *= scale;
    ny *= scale;
    nz *= scale;
    let hasNormal = length > 0;
    const direction = samples.direction[s];
    if (direction === DIRECTION.offLevel && faceNormal(normal, level, triangles, 3 * samples.triangle[s]) > 0) {
      hasNormal = true;
      nx = normal[0];
      ny = normal[1];
      nz = normal[2];
    }
    const onLine = direction === DIRECTION.acrossLine;
    if (onLine) {
      // On a line the direction that counts lies in the face, across the side that the point is on.
      const first = w <= u && w <= v;
      const second = !first && u <= v;
      const ex = first ? bx : second ? cx - bx : cx;
      const ey = first ? by : second ? cy - by : cy;
      const ez = first ? bz : second ? cz - bz : cz;
      const side = Math.sqrt(ex * ex + ey * ey + ez * ez) || 1;
      const mx = (ny * ez - nz * ey) / side;
      const my = (nz * ex - nx * ez) / side;
      nz = (nx * ey - ny * ex) / side;
      nx = mx;
      ny = my;
    }

    // (2) The offset of the level from it.
    const t = 3 * samples.triangle[s];
    const a = samples.a[s];
    const b = samples.b[s];
    const c = 1 - a - b;
    const va = triangles[t];
    const vb = triangles[t + 1];
    const vc = triangles[t + 2];
    const rx = ax + v * bx + w * cx - (a * level[3 * va] + b * level[3 * vb] + c * level[3 * vc]);
    const ry = ay + v * by + w * cy - (a * level[3 * va + 1] + b * level[3 * vb + 1] + c * level[3 * vc + 1]);
    const rz = az + v * bz + w * cz - (a * level[3 * va + 2] + b * level[3 * vb + 2] + c * level[3 * vc + 2]);

    // (3) w·W and w·W·r. Without a normal, and beyond the border of a chart, all directions count.
    const share = samples.share[s];
    const along = onLine ? 0 : share * (hasNormal && direction !== DIRECTION.all ? epsilon : 1);
    const across = share - along;
    const xx = along + across * nx * nx;
    const xy = across * nx * ny;
    const xz = across * nx * nz;
    const yy = along + across * ny * ny;
    const yz = across * ny * nz;
    const zz = along + across * nz * nz;
    const px = xx * rx + xy * ry + xz * rz;
    const py = xy * rx + yy * ry + yz * rz;
    const pz = xz * rx + yz * ry + zz * rz;
    constant += rx * px + ry * py + rz * pz;

    add(0, a * a, xx, xy, xz, yy, yz, zz);
    add(6, b * b, xx, xy, xz, yy, yz, zz);
    add(12, c * c, xx, xy, xz, yy, yz, zz);
    add(18, a * b, xx, xy, xz, yy, yz, zz);
    add(24, b * c, xx, xy, xz, yy, yz, zz);
    add(30, c * a, xx, xy, xz, yy, yz, zz);
    sums[36] += a * px;
    sums[37] += a * py;
    sums[38] += a * pz;
    sums[39] += b * px;
    sums[40] += b * py;
    sums[41] += b * pz;
    sums[42] += c * px;
    sums[43] += c * py;
    sums[44] += c * pz;

    // (4) After the last sample of the triangle, to its corners and sides.
    if (q + 1 < order.length && samples.triangle[order[q + 1]] === samples.triangle[s]) continue;
    for (let k = 0; k < 6; k++) {
      vertices[6 * (va * poses + p) + k] += sums[k];
      vertices[6 * (vb * poses + p) + k] += sums[6 + k];
      vertices[6 * (vc * poses + p) + k] += sums[12 + k];
      edges[6 * (edgeOf[t] * poses + p) + k] += sums[18 + k];
      edges[6 * (edgeOf[t + 1] * poses + p) + k] += sums[24 + k];
      edges[6 * (edgeOf[t + 2] * poses + p) + k] += sums[30 + k];
    }
    for (let k = 0; k < 3; k++) {
      sides[3 * (va * poses + p) + k] += sums[36 + k];
      sides[3 * (vb * poses + p) + k] += sums[39 + k];
      sides[3 * (vc * poses + p) + k] += sums[42 + k];
    }
    sums.fill(0);
  }
  constants[p] = constant;
}

function add(o: number, factor: number, xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): void {
  sums[o] += factor * xx;
  sums[o + 1] += factor * xy;
  sums[o + 2] += factor * xz;
  sums[o + 3] += factor * yy;
  sums[o + 4] += factor * yz;
  sums[o + 5] += factor * zz;
}
