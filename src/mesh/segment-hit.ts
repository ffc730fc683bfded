import { type Bvh, MAX_BVH_DEPTH } from './bvh.ts';

/** Which faces can stop a segment. */
export type FaceFilter = (face: number) => boolean;

const stack = new Uint32Array(MAX_BVH_DEPTH + 1);

/** Hits this little outside a triangle count too, so that nothing slips through between two of them. */
const EDGE_TOLERANCE = 1e-9;

/** A segment that rises less over a triangle's plane, or a triangle as thin, is no crossing but rounding. */
const PARALLEL = 1e-7;

/**
 * Whether a triangle lies in the way from `from` to `to` (three numbers each; the ends do not count): the test of Möller &
 * Trumbore 1997 in the leaves of the hierarchy. Faces that `counts` refuses are looked through. A segment in the plane of a
 * triangle passes.
 */
export function segmentHitsSurface(
  bvh: Bvh,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  counts: FaceFilter,
): boolean {
  const { boxes, right, start, count, faces, corners } = bvh;
  if (right.length === 0) return false;
  const [ox, oy, oz] = [from[0], from[1], from[2]];
  const [dx, dy, dz] = [to[0] - ox, to[1] - oy, to[2] - oz];
  const [ix, iy, iz] = [1 / dx, 1 / dy, 1 / dz];
  let depth = 1;
  stack[0] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    const o = 6 * node;
    if (
      !overlaps(ox, ix, boxes[o], boxes[o + 3], oy, iy, boxes[o + 1], boxes[o + 4], oz, iz, boxes[o + 2], boxes[o + 5])
    )
      continue;
    if (right[node] !== 0) {
      stack[depth++] = right[node];
      stack[depth++] = node + 1;
      continue;
    }
    for (let q = start[node]; q < start[node] + count[node]; q++) {
      if (hitsTriangle(ox, oy, oz, dx, dy, dz, corners, 9 * q) && counts(faces[q])) return true;
    }
  }
  return false;
}

/** Slab test of the segment's parameters 0…1; a direction of 0 along an axis only asks whether the origin is inside. */
function overlaps(
  ox: number,
  ix: number,
  x0: number,
  x1: number,
  oy: number,
  iy: number,
  y0: number,
  y1: number,
  oz: number,
  iz: number,
  z0: number,
  z1: number,
): boolean {
  let near = 0;
  let far = 1;
  const ax = (x0 - ox) * ix;
  const bx = (x1 - ox) * ix;
  const ay = (y0 - oy) * iy;
  const by = (y1 - oy) * iy;
  const az = (z0 - oz) * iz;
  const bz = (z1 - oz) * iz;
  // 0 · ∞ is NaN where the origin lies on a face of the box: comparisons with it are false, which is "inside".
  if (Math.min(ax, bx) > near) near = Math.min(ax, bx);
  if (Math.max(ax, bx) < far) far = Math.max(ax, bx);
  if (Math.min(ay, by) > near) near = Math.min(ay, by);
  if (Math.max(ay, by) < far) far = Math.max(ay, by);
  if (Math.min(az, bz) > near) near = Math.min(az, bz);
  if (Math.max(az, bz) < far) far = Math.max(az, bz);
  return near <= far;
}

function hitsTriangle(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  c: Float32Array,
  q: number,
): boolean {
  const ux = c[q + 3] - c[q];
  const uy = c[q + 4] - c[q + 1];
  const uz = c[q + 5] - c[q + 2];
  const vx = c[q + 6] - c[q];
  const vy = c[q + 7] - c[q + 1];
  const vz = c[q + 8] - c[q + 2];
  const px = dy * vz - dz * vy;
  const py = dz * vx - dx * vz;
  const pz = dx * vy - dy * vx;
  const determinant = ux * px + uy * py + uz * pz;
  const product2 = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz) * (dx * dx + dy * dy + dz * dz);
  if (!(determinant * determinant > PARALLEL * PARALLEL * product2)) return false;
  const inverse = 1 / determinant;
  const sx = ox - c[q];
  const sy = oy - c[q + 1];
  const sz = oz - c[q + 2];
  const second = (sx * px + sy * py + sz * pz) * inverse;
  if (!(second >= -EDGE_TOLERANCE)) return false;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const third = (dx * qx + dy * qy + dz * qz) * inverse;
  if (!(third >= -EDGE_TOLERANCE && second + third <= 1 + EDGE_TOLERANCE)) return false;
  const t = (vx * qx + vy * qy + vz * qz) * inverse;
  return t > 0 && t < 1;
}
