import { type Bvh, MAX_BVH_DEPTH } from './bvh.ts';

/** Which faces can stop a segment. */
export type FaceFilter = (face: number) => boolean;

const stack = new Uint32Array(MAX_BVH_DEPTH + 1);

/** The segment at hand: where it begins, the way to its end, and 1 over each of its coordinates. */
const origin = new Float64Array(3);
const direction = new Float64Array(3);
const inverse = new Float64Array(3);

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
  for (let axis = 0; axis < 3; axis++) {
    origin[axis] = from[axis];
    direction[axis] = to[axis] - from[axis];
    inverse[axis] = 1 / direction[axis];
  }
  let depth = 1;
  stack[0] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!overlaps(boxes, 6 * node)) continue;
    if (right[node] !== 0) {
      stack[depth++] = right[node];
      stack[depth++] = node + 1;
      continue;
    }
    for (let q = start[node]; q < start[node] + count[node]; q++) {
      if (hitsTriangle(corners, 9 * q) && counts(faces[q])) return true;
    }
  }
  return false;
}

/**
 * Slab test of the segment's parameters 0…1 with the box at `o`; a direction of 0 along an axis only asks whether the
 * origin is inside.
 */
function overlaps(boxes: Float32Array, o: number): boolean {
  let near = 0;
  let far = 1;
  for (let axis = 0; axis < 3; axis++) {
    const a = (boxes[o + axis] - origin[axis]) * inverse[axis];
    const b = (boxes[o + 3 + axis] - origin[axis]) * inverse[axis];
    // 0 · ∞ is NaN where the origin lies on a face of the box: comparisons with it are false, which is "inside".
    if (Math.min(a, b) > near) near = Math.min(a, b);
    if (Math.max(a, b) < far) far = Math.max(a, b);
  }
  return near <= far;
}

/** The segment with the triangle at `q`. */
function hitsTriangle(c: Float32Array, q: number): boolean {
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
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
  const scale = 1 / determinant;
  const sx = origin[0] - c[q];
  const sy = origin[1] - c[q + 1];
  const sz = origin[2] - c[q + 2];
  const second = (sx * px + sy * py + sz * pz) * scale;
  if (!(second >= -EDGE_TOLERANCE)) return false;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const third = (dx * qx + dy * qy + dz * qz) * scale;
  if (!(third >= -EDGE_TOLERANCE && second + third <= 1 + EDGE_TOLERANCE)) return false;
  const t = (vx * qx + vy * qy + vz * qz) * scale;
  return t > 0 && t < 1;
}
