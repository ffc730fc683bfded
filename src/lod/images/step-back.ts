import { buildBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';

/** A surface and a level of it in one pose, before and after a fit. */
export interface FitPose {
  /** 3N and 3F. */
  surface: Float32Array;
  surfaceTriangles: Uint32Array;
  /** 3S each. */
  before: ArrayLike<number>;
  after: ArrayLike<number>;
}

/** A star may be this many times as far from the surface as before, and this share of the diagonal farther. */
const WORSE = 1.25;
const SLACK = 1e-4;

/**
 * Vertices that a fit has thrown off: sums are minimised, and where the records carry points badly a vertex may pay for its
 * neighbours. S: 1 where the largest distance from the surface, over the triangles around a vertex, has grown.
 */
export function thrownVertices(triangles: Uint32Array, poses: readonly FitPose[], diagonal: number): Uint8Array {
  const out = new Uint8Array(poses[0].after.length / 3);
  for (const { surface, surfaceTriangles, before, after } of poses) {
    const bvh = buildBvh(surface, surfaceTriangles);
    const found = surfacePoint();
    const starDistances = (x: ArrayLike<number>): Float64Array => {
      const worst = new Float64Array(out.length);
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        let most = 0;
        // The middle, and the middles of the sides.
        for (let q = 0; q < 4; q++) {
          const [u, v] = q === 0 ? [1 / 3, 1 / 3] : q === 1 ? [0.5, 0.5] : q === 2 ? [0.5, 0] : [0, 0.5];
          const w = 1 - u - v;
          nearestOnSurface(
            bvh,
            u * x[a] + v * x[b] + w * x[c],
            u * x[a + 1] + v * x[b + 1] + w * x[c + 1],
            u * x[a + 2] + v * x[b + 2] + w * x[c + 2],
            found,
          );
          most = Math.max(most, found.distance);
        }
        for (let k = t; k < t + 3; k++) worst[triangles[k]] = Math.max(worst[triangles[k]], most);
      }
      return worst;
    };
    const was = starDistances(before);
    const is = starDistances(after);
    for (let i = 0; i < out.length; i++) if (is[i] > WORSE * was[i] + SLACK * diagonal) out[i] = 1;
  }
  return out;
}
