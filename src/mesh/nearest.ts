import { type Bvh, buildPointBvh, MAX_BVH_DEPTH } from './bvh.ts';
import { closest, closestOnTriangle } from './closest-point.ts';

/** A point of a surface. Callers keep one and hand it to every query. */
export interface SurfacePoint {
  /** The triangle it lies on, or −1 when none was found. */
  face: number;
  /** From the query to the point. */
  distance: number;
  x: number;
  y: number;
  z: number;
  /** Barycentric weights of the face's second and third corner; the first has the rest. */
  second: number;
  third: number;
}

/** A point to be filled by `nearestOnSurface`. */
export function surfacePoint(): SurfacePoint {
  return { face: -1, distance: Infinity, x: 0, y: 0, z: 0, second: 0, third: 0 };
}

const stack = new Uint32Array(MAX_BVH_DEPTH + 1);
const stackDistances = new Float64Array(MAX_BVH_DEPTH + 1);

/**
 * The point of the surface nearest to (x, y, z), into `out`. Exact: the same as trying every triangle. Returns false,
 * with `out.face` = −1, when no triangle is closer than `within`.
 */
export function nearestOnSurface(
  bvh: Bvh,
  x: number,
  y: number,
  z: number,
  out: SurfacePoint,
  within = Infinity,
): boolean {
  const { boxes, right, start, count, faces, corners } = bvh;
  out.face = -1;
  out.distance = Infinity;
  let best = within * within;
  let depth = 0;
  if (right.length > 0) {
    stack[0] = 0;
    stackDistances[0] = boxDistance(boxes, 0, x, y, z);
    depth = 1;
  }
  while (depth > 0) {
    depth--;
    if (stackDistances[depth] >= best) continue;
    let node = stack[depth];

    // Down to a leaf, always into the nearer box; the farther one waits.
    let open = true;
    while (right[node] !== 0) {
      let near = node + 1;
      let far = right[node];
      let nearDistance = boxDistance(boxes, 6 * near, x, y, z);
      let farDistance = boxDistance(boxes, 6 * far, x, y, z);
      if (farDistance < nearDistance) {
        [near, far] = [far, near];
        [nearDistance, farDistance] = [farDistance, nearDistance];
      }
      if (nearDistance >= best) {
        open = false;
        break;
      }
      if (farDistance < best) {
        stack[depth] = far;
        stackDistances[depth] = farDistance;
        depth++;
      }
      node = near;
    }
    if (!open) continue;

    for (let q = start[node]; q < start[node] + count[node]; q++) {
      const d = closestOnTriangle(x, y, z, corners, 9 * q);
      if (d < best) {
        best = d;
        out.face = faces[q];
        out.x = closest[0];
        out.y = closest[1];
        out.z = closest[2];
        out.second = closest[3];
        out.third = closest[4];
      }
    }
  }
  if (out.face < 0) return false;
  out.distance = Math.sqrt(best);
  return true;
}

/** Point → the nearest of other points; 3 numbers each. */
export function nearestPoints(of: ArrayLike<number>, to: Float32Array): Uint32Array {
  const bvh = buildPointBvh(
    to,
    Uint32Array.from({ length: to.length / 3 }, (_, i) => i),
  );
  const point = surfacePoint();
  return Uint32Array.from({ length: of.length / 3 }, (_, i) => {
    nearestOnSurface(bvh, of[3 * i], of[3 * i + 1], of[3 * i + 2], point);
    return point.face;
  });
}

/** Squared distance from a point to the box at `o`; 0 inside. */
function boxDistance(boxes: Float32Array, o: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[o] - x, 0, x - boxes[o + 3]);
  const dy = Math.max(boxes[o + 1] - y, 0, y - boxes[o + 4]);
  const dz = Math.max(boxes[o + 2] - z, 0, z - boxes[o + 5]);
  return dx * dx + dy * dy + dz * dz;
}
