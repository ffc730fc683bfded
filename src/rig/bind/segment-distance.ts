import type { BoneSegments } from './bone-segments.ts';

/** "Cylindrical distance" of the lecture on geometric surface deformation: from a position to a segment AB. */

/**
 * Writes the point of the segment whose ends are the six numbers at `e` that is nearest to the point at `p` to `out`, and
 * returns its squared distance.
 */
export function nearestOnSegment(
  out: Float64Array,
  ends: Float64Array,
  e: number,
  points: ArrayLike<number>,
  p: number,
): number {
  const ux = ends[e + 3] - ends[e];
  const uy = ends[e + 4] - ends[e + 1];
  const uz = ends[e + 5] - ends[e + 2];
  const vx = points[p] - ends[e];
  const vy = points[p + 1] - ends[e + 1];
  const vz = points[p + 2] - ends[e + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const rho = uu > 0 ? Math.min(1, Math.max(0, (vx * ux + vy * uy + vz * uz) / uu)) : 0;
  out[0] = ends[e] + rho * ux;
  out[1] = ends[e + 1] + rho * uy;
  out[2] = ends[e + 2] + rho * uz;
  return (points[p] - out[0]) ** 2 + (points[p + 1] - out[1]) ** 2 + (points[p + 2] - out[2]) ** 2;
}

/** n·D distances of n points (3n) to D bones, the least over a bone's segments. */
export function boneDistances(points: ArrayLike<number>, { bones, columnOf, ends }: BoneSegments): Float64Array {
  const n = points.length / 3;
  const out = new Float64Array(n * bones.length).fill(Infinity);
  const nearest = new Float64Array(3);
  for (let i = 0; i < n; i++) {
    const row = i * bones.length;
    for (let s = 0; s < columnOf.length; s++) {
      const d2 = nearestOnSegment(nearest, ends, 6 * s, points, 3 * i);
      if (d2 < out[row + columnOf[s]]) out[row + columnOf[s]] = d2;
    }
  }
  for (let q = 0; q < out.length; q++) out[q] = Math.sqrt(out[q]);
  return out;
}
