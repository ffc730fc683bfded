import type { Vector } from '../math/vector.ts';

/** What `segmentDistance` found last: where along the segment, 0…1, and the vector from there to the point. */
export const offSegment = { t: 0, x: 0, y: 0, z: 0 };

/** The distance of a point from the segment between a and b, the axis of a capsule. */
export function segmentDistance(a: Vector, b: Vector, x: number, y: number, z: number): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const dz = b[2] - a[2];
  const along = (x - a[0]) * dx + (y - a[1]) * dy + (z - a[2]) * dz;
  // Between two ends that coincide there is no way: a sphere.
  const t = Math.min(1, Math.max(0, along / (dx * dx + dy * dy + dz * dz || 1)));
  offSegment.t = t;
  offSegment.x = x - a[0] - t * dx;
  offSegment.y = y - a[1] - t * dy;
  offSegment.z = z - a[2] - t * dz;
  return Math.sqrt(offSegment.x ** 2 + offSegment.y ** 2 + offSegment.z ** 2);
}
