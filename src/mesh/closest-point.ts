/**
 * The closest point of a triangle (Ericson 2005, §5.1.5, with other tests). The signs of the point against the three
 * sides are taken with the triangle's normal rather than as differences of products of dot products, which lose the
 * digits of thin triangles; and triangles without an area are their sides.
 */

/** What `closestOnTriangle` found: x, y, z, and the barycentric weights of the triangle's second and third corner. */
export const closest = new Float64Array(5);

/** Below this ratio of height to longest side a triangle is treated as its three sides. */
const FLAT = 1e-10;

/**
 * Squared distance from p to the triangle whose corners are the 9 numbers of `corners` at `o`. Leaves the point itself
 * in `closest`.
 */
export function closestOnTriangle(px: number, py: number, pz: number, corners: Float32Array, o: number): number {
  const ax = corners[o];
  const ay = corners[o + 1];
  const az = corners[o + 2];
  const ux = corners[o + 3] - ax;
  const uy = corners[o + 4] - ay;
  const uz = corners[o + 5] - az;
  const vx = corners[o + 6] - ax;
  const vy = corners[o + 7] - ay;
  const vz = corners[o + 8] - az;
  const dx = px - ax;
  const dy = py - ay;
  const dz = pz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const flat = !(nn > FLAT * FLAT * Math.max(uu, vv) ** 2);

  // Barycentric weights of p's projection, times nn: each is the side of the opposite edge that p lies on.
  const qx = ny * dz - nz * dy;
  const qy = nz * dx - nx * dz;
  const qz = nx * dy - ny * dx;
  const second = vx * qx + vy * qy + vz * qz;
  const third = -(ux * qx + uy * qy + uz * qz);
  const first = nn - second - third;
  let s = second / nn;
  let t = third / nn;

  if (flat || first < 0 || second < 0 || third < 0) {
    // Outside: on one of the sides that p is beyond.
    let best = Infinity;
    if (flat || third < 0) {
      const along = clampedRatio(dx * ux + dy * uy + dz * uz, uu);
      best = (dx - along * ux) ** 2 + (dy - along * uy) ** 2 + (dz - along * uz) ** 2;
      s = along;
      t = 0;
    }
    if (flat || second < 0) {
      const along = clampedRatio(dx * vx + dy * vy + dz * vz, vv);
      const d = (dx - along * vx) ** 2 + (dy - along * vy) ** 2 + (dz - along * vz) ** 2;
      if (d < best) {
        best = d;
        s = 0;
        t = along;
      }
    }
    if (flat || first < 0) {
      const wx = vx - ux;
      const wy = vy - uy;
      const wz = vz - uz;
      const ex = dx - ux;
      const ey = dy - uy;
      const ez = dz - uz;
      const along = clampedRatio(ex * wx + ey * wy + ez * wz, wx * wx + wy * wy + wz * wz);
      const d = (ex - along * wx) ** 2 + (ey - along * wy) ** 2 + (ez - along * wz) ** 2;
      if (d < best) {
        s = 1 - along;
        t = along;
      }
    }
  }

  const cx = s * ux + t * vx;
  const cy = s * uy + t * vy;
  const cz = s * uz + t * vz;
  closest[0] = ax + cx;
  closest[1] = ay + cy;
  closest[2] = az + cz;
  closest[3] = s;
  closest[4] = t;
  return (dx - cx) ** 2 + (dy - cy) ** 2 + (dz - cz) ** 2;
}

/** a / b within 0…1; 0 where b is 0: a side without length is its first corner. */
function clampedRatio(a: number, b: number): number {
  if (!(a > 0)) return 0;
  return a >= b ? 1 : a / b;
}
