import { faceArea } from '../mesh/triangle.ts';

/** Surface area and volume of triangle meshes: positions 3N, triangles 3F. */

/** Sum of the triangles' areas, in square units. */
export function surfaceArea(positions: ArrayLike<number>, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) sum += faceArea(positions, triangles, t);
  return sum;
}

/**
 * Signed volume in cubic units: the sum of det(a, b, c) / 6 over the triangles, measured from the mean of the vertices.
 * Positive when the triangles face outwards. For a closed mesh this is the volume it bounds, wherever the origin lies;
 * an open mesh is closed by a cone from its boundary to that mean, which moves and turns with it.
 */
export function signedVolume(positions: ArrayLike<number>, triangles: Uint32Array): number {
  const n = positions.length / 3;
  if (n === 0) return 0;
  let ox = 0;
  let oy = 0;
  let oz = 0;
  for (let i = 0; i < 3 * n; i += 3) {
    ox += positions[i] / n;
    oy += positions[i + 1] / n;
    oz += positions[i + 2] / n;
  }
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a] - ox;
    const ay = positions[a + 1] - oy;
    const az = positions[a + 2] - oz;
    const bx = positions[b] - ox;
    const by = positions[b + 1] - oy;
    const bz = positions[b + 2] - oz;
    const cx = positions[c] - ox;
    const cy = positions[c + 1] - oy;
    const cz = positions[c + 2] - oz;
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum / 6;
}
