import { length3 } from '../math/vector.ts';

/**
 * Edges, normals and areas of single triangles. Points are given by where they begin in `p`: 3·i for vertex i. The
 * forces of cloth write these products out: with calls a simulation took 10 % longer.
 */

/** out = (b − a) × (d − c). With c = a this is the normal of the triangle a b d, as long as twice its area. */
export function crossOfEdges(
  out: Float64Array,
  p: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  d: number,
): Float64Array {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[d] - p[c];
  const vy = p[d + 1] - p[c + 1];
  const vz = p[d + 2] - p[c + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  return out;
}

const cross = new Float64Array(3);

/** Of the triangle whose first corner is the `t`-th of 3F; in an array that is used again. */
function crossOfFace(positions: ArrayLike<number>, triangles: Uint32Array, t: number): Float64Array {
  const a = 3 * triangles[t];
  return crossOfEdges(cross, positions, a, 3 * triangles[t + 1], a, 3 * triangles[t + 2]);
}

/** Writes the unit normal and returns the area; a triangle without one gets no normal, and 0. */
export function faceNormal(out: Float64Array, positions: ArrayLike<number>, triangles: Uint32Array, t: number): number {
  const doubleArea = length3(crossOfFace(positions, triangles, t));
  if (!(doubleArea > 0)) return 0;
  for (let c = 0; c < 3; c++) out[c] = cross[c] / doubleArea;
  return doubleArea / 2;
}

/** The area, in square units. */
export function faceArea(positions: ArrayLike<number>, triangles: Uint32Array, t: number): number {
  return length3(crossOfFace(positions, triangles, t)) / 2;
}

/** A triangle is degenerate when its height is below this fraction of its longest side: what float32 rounding leaves. */
const FLAT = 1e-7;

/** Whether the triangle whose first corner is the `t`-th of 3F has no area to speak of. */
export function isDegenerate(positions: ArrayLike<number>, triangles: Uint32Array, t: number): boolean {
  const side = (c: number, d: number): number =>
    [0, 1, 2].reduce(
      (sum, k) => sum + (positions[3 * triangles[t + d] + k] - positions[3 * triangles[t + c] + k]) ** 2,
      0,
    );
  const longest = Math.max(side(0, 1), side(1, 2), side(2, 0));
  return 2 * faceArea(positions, triangles, t) <= FLAT * longest;
}

/** The area as seen against a normal (3 numbers at `o`): negative where the triangle is turned over. */
export function signedFaceArea(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  t: number,
  normals: ArrayLike<number>,
  o: number,
): number {
  crossOfFace(positions, triangles, t);
  return (normals[o] * cross[0] + normals[o + 1] * cross[1] + normals[o + 2] * cross[2]) / 2;
}

/** det(a − o, b − o, c − o): six times the volume between the triangle a b c and the point o. */
export function determinant(p: ArrayLike<number>, o: number, a: number, b: number, c: number): number {
  const [ax, ay, az] = [p[a] - p[o], p[a + 1] - p[o + 1], p[a + 2] - p[o + 2]];
  const [bx, by, bz] = [p[b] - p[o], p[b + 1] - p[o + 1], p[b + 2] - p[o + 2]];
  const [cx, cy, cz] = [p[c] - p[o], p[c + 1] - p[o + 1], p[c + 2] - p[o + 2]];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
