import { boundaryEdges, meshEdges } from '../adjacency.ts';
import { faceNormal } from '../triangle.ts';

/**
 * Quadric error metrics (Garland & Heckbert 1997; Antonopoulos 2010, (2.55)–(2.57) and (4.1)–(4.13)): the weighted sum
 * of squared distances from a point to planes and to points, as ten numbers in a flat array,
 *
 *   Δ(v) = vᵀ·A·v + 2·bᵀ·v + c,   stored as [A00, A01, A02, A11, A12, A22, b0, b1, b2, c].
 */
export const QUADRIC = 10;

/** q += weight · (squared distance to the plane n·v + d = 0), for a unit normal n: K_p of (2.57). */
export function addPlane(
  q: Float64Array,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  d: number,
  weight: number,
): void {
  const wx = weight * nx;
  const wy = weight * ny;
  const wz = weight * nz;
  q[o] += wx * nx;
  q[o + 1] += wx * ny;
  q[o + 2] += wx * nz;
  q[o + 3] += wy * ny;
  q[o + 4] += wy * nz;
  q[o + 5] += wz * nz;
  q[o + 6] += wx * d;
  q[o + 7] += wy * d;
  q[o + 8] += wz * d;
  q[o + 9] += weight * d * d;
}

/** q += weight · (squared distance to the point p). */
export function addPoint(q: Float64Array, o: number, x: number, y: number, z: number, weight: number): void {
  q[o] += weight;
  q[o + 3] += weight;
  q[o + 5] += weight;
  q[o + 6] -= weight * x;
  q[o + 7] -= weight * y;
  q[o + 8] -= weight * z;
  q[o + 9] += weight * (x * x + y * y + z * z);
}

/** Δ(v) of (4.7). */
export function evaluateQuadric(q: Float64Array, o: number, x: number, y: number, z: number): number {
  return (
    x * (q[o] * x + 2 * (q[o + 1] * y + q[o + 2] * z + q[o + 6])) +
    y * (q[o + 3] * y + 2 * (q[o + 4] * z + q[o + 7])) +
    z * (q[o + 5] * z + 2 * q[o + 8]) +
    q[o + 9]
  );
}

/** Below this ratio of det A to (tr A / 3)³ the minimum is a line or a plane to rounding. */
const SINGULAR = 1e-12;

/**
 * Writes the point where the sum of the quadrics at `a` and `b` is least, (4.10)–(4.12). Returns false, and writes nothing,
 * when that point is not unique: the planes are parallel, or all contain one direction.
 */
export function minimizeQuadrics(out: Float64Array, o: number, q: Float64Array, a: number, b: number): boolean {
  const a00 = q[a] + q[b];
  const a01 = q[a + 1] + q[b + 1];
  const a02 = q[a + 2] + q[b + 2];
  const a11 = q[a + 3] + q[b + 3];
  const a12 = q[a + 4] + q[b + 4];
  const a22 = q[a + 5] + q[b + 5];
  const c00 = a11 * a22 - a12 * a12;
  const c01 = a02 * a12 - a01 * a22;
  const c02 = a01 * a12 - a02 * a11;
  const det = a00 * c00 + a01 * c01 + a02 * c02;
  const mean = (a00 + a11 + a22) / 3;
  if (!(det > SINGULAR * mean * mean * mean)) return false;
  const c11 = a00 * a22 - a02 * a02;
  const c12 = a01 * a02 - a00 * a12;
  const c22 = a00 * a11 - a01 * a01;
  const b0 = q[a + 6] + q[b + 6];
  const b1 = q[a + 7] + q[b + 7];
  const b2 = q[a + 8] + q[b + 8];
  out[o] = -(c00 * b0 + c01 * b1 + c02 * b2) / det;
  out[o + 1] = -(c01 * b0 + c11 * b1 + c12 * b2) / det;
  out[o + 2] = -(c02 * b0 + c12 * b1 + c22 * b2) / det;
  return true;
}

/** How faces count in the quadrics of their vertices. */
export interface QuadricOptions {
  /** Weight of a face's plane: its area, or 1 as in Antonopoulos 2010. Areas do not depend on how a surface is cut up. */
  planeWeight: 'area' | 'one';
  /** Weight of the planes that hold a boundary in place, relative to a face as wide as the boundary edge is long. */
  boundaryWeight: number;
  /** Weight of the vertices themselves relative to their planes: decides where the planes do not. */
  pointWeight: number;
}

/** Where the quadrics of the vertices are: that of vertex i at stride·i + o of q. */
export interface QuadricsOfVertices {
  q: Float64Array;
  o: number;
  stride: number;
}

/** A surface without its positions. */
export interface QuadricSurface {
  /** 3F; triangles without an area add nothing. */
  triangles: Uint32Array;
  /** Corners c whose side, from c to the next corner of its triangle, is to stay in place: a boundary edge. */
  boundary: Uint32Array;
  /** One per entry of `boundary`: what `boundaryWeight` is multiplied by; 1 when absent. */
  boundaryShares?: ArrayLike<number>;
}

/** Adds the quadrics of every vertex in one pose (3N). */
export function addPoseQuadrics(
  { q, o, stride }: QuadricsOfVertices,
  positions: ArrayLike<number>,
  { triangles, boundary, boundaryShares }: QuadricSurface,
  options: QuadricOptions,
  weight = 1,
): void {
  const byArea = options.planeWeight === 'area';
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = faceNormal(normal, positions, triangles, t);
    if (area === 0) continue;
    const [nx, ny, nz] = normal;
    const i = 3 * triangles[t];
    const d = -(nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2]);
    const w = weight * (byArea ? area : 1);
    for (let c = t; c < t + 3; c++) {
      const p = 3 * triangles[c];
      const at = o + stride * triangles[c];
      addPlane(q, at, nx, ny, nz, d, w);
      addPoint(q, at, positions[p], positions[p + 1], positions[p + 2], w * options.pointWeight);
    }
  }
  // A plane through every boundary edge, perpendicular to its face.
  for (let s = 0; s < boundary.length; s++) {
    const c = boundary[s];
    const t = c - (c % 3);
    if (faceNormal(normal, positions, triangles, t) === 0) continue;
    const i = 3 * triangles[c];
    const j = 3 * triangles[t + ((c + 1) % 3)];
    const ex = positions[j] - positions[i];
    const ey = positions[j + 1] - positions[i + 1];
    const ez = positions[j + 2] - positions[i + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const nx = (normal[1] * ez - normal[2] * ey) / length;
    const ny = (normal[2] * ex - normal[0] * ez) / length;
    const nz = (normal[0] * ey - normal[1] * ex) / length;
    const d = -(nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2]);
    if (length === 0) continue;
    const w = weight * options.boundaryWeight * (boundaryShares?.[s] ?? 1) * (byArea ? length * length : 1);
    addPlane(q, o + (stride * i) / 3, nx, ny, nz, d, w);
    addPlane(q, o + (stride * j) / 3, nx, ny, nz, d, w);
  }
}

/** The corners whose side, to the next corner of their triangle, belongs to no other triangle. */
export function boundaryCorners(triangles: Uint32Array, vertexCount: number): Uint32Array {
  const edges = meshEdges(triangles, vertexCount);
  const { offsets, items } = edges.corners;
  return boundaryEdges(edges).map((e) => items[offsets[e]]);
}
