import type { Samples } from '../samples.ts';

/** A surface and a level of it in one pose, before and after a fit. */
export interface FitPose {
  /** 3N. */
  surface: ArrayLike<number>;
  /** 3S each. */
  before: ArrayLike<number>;
  after: ArrayLike<number>;
}

/** The mean squared distance of a star may grow this many times; and be this many times that of the level before the fit. */
const WORSE = 4;
const USUAL = 16;

/**
 * Vertices that a fit has thrown off: sums are minimised, and where the records carry points badly a vertex may pay for its
 * neighbours. S: 1 where the points around a vertex are farther from those they stand for than before, off the surface
 * rather than along it (ε as in the fit).
 *
 * What is within the usual is left alone: where samples are exact, on flat ground, any fit is worse. Slivers without an area
 * say nothing about their vertices, which may end up anywhere: none goes farther than its longest side.
 */
export function thrownVertices(
  triangles: Uint32Array,
  surfaceTriangles: Uint32Array,
  samples: Samples,
  poses: readonly FitPose[],
  epsilon: number,
): Uint8Array {
  const out = new Uint8Array(poses[0].after.length / 3);
  for (const { surface, before, after } of poses) {
    const was = new Float64Array(out.length);
    const is = new Float64Array(out.length);
    const shares = new Float64Array(out.length);
    let mean = 0;
    for (let s = 0; s < samples.count; s++) {
      const t = 3 * samples.triangle[s];
      const share = samples.share[s];
      const b = share * distance2(samples, s, before, triangles, surface, surfaceTriangles, epsilon);
      const a = share * distance2(samples, s, after, triangles, surface, surfaceTriangles, epsilon);
      mean += b;
      for (let c = t; c < t + 3; c++) {
        was[triangles[c]] += b;
        is[triangles[c]] += a;
        shares[triangles[c]] += share;
      }
    }
    const reach2 = longestSides2(triangles, before);
    for (let i = 0; i < out.length; i++) {
      if (is[i] > WORSE * was[i] + USUAL * mean * shares[i] || moved2(i, before, after) > reach2[i]) out[i] = 1;
    }
  }
  return out;
}

/** S: the squared length of the longest side at each vertex: farther than that no vertex needs to go. */
function longestSides2(triangles: Uint32Array, x: ArrayLike<number>): Float64Array {
  const out = new Float64Array(x.length / 3);
  for (let c = 0; c < triangles.length; c++) {
    const i = triangles[c];
    const j = triangles[c % 3 === 2 ? c - 2 : c + 1];
    const length2 =
      (x[3 * i] - x[3 * j]) ** 2 + (x[3 * i + 1] - x[3 * j + 1]) ** 2 + (x[3 * i + 2] - x[3 * j + 2]) ** 2;
    out[i] = Math.max(out[i], length2);
    out[j] = Math.max(out[j], length2);
  }
  return out;
}

const moved2 = (i: number, a: ArrayLike<number>, b: ArrayLike<number>): number =>
  (a[3 * i] - b[3 * i]) ** 2 + (a[3 * i + 1] - b[3 * i + 1]) ** 2 + (a[3 * i + 2] - b[3 * i + 2]) ** 2;

/** ‖r‖² of (nnᵀ + ε(I − nnᵀ)): r from the point of the surface to that of the level, n the normal there. */
function distance2(
  samples: Samples,
  s: number,
  x: ArrayLike<number>,
  triangles: Uint32Array,
  y: ArrayLike<number>,
  surfaceTriangles: Uint32Array,
  epsilon: number,
): number {
  const t = 3 * samples.triangle[s];
  const f = 3 * samples.face[s];
  const { a, b, u, v } = { a: samples.a[s], b: samples.b[s], u: samples.u[s], v: samples.v[s] };
  const [p, q, r] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const [i, j, k] = [3 * surfaceTriangles[f], 3 * surfaceTriangles[f + 1], 3 * surfaceTriangles[f + 2]];
  const dx = a * x[p] + b * x[q] + (1 - a - b) * x[r] - u * y[i] - v * y[j] - (1 - u - v) * y[k];
  const dy =
    a * x[p + 1] + b * x[q + 1] + (1 - a - b) * x[r + 1] - u * y[i + 1] - v * y[j + 1] - (1 - u - v) * y[k + 1];
  const dz =
    a * x[p + 2] + b * x[q + 2] + (1 - a - b) * x[r + 2] - u * y[i + 2] - v * y[j + 2] - (1 - u - v) * y[k + 2];
  const ex = y[j] - y[i];
  const ey = y[j + 1] - y[i + 1];
  const ez = y[j + 2] - y[i + 2];
  const gx = y[k] - y[i];
  const gy = y[k + 1] - y[i + 1];
  const gz = y[k + 2] - y[i + 2];
  const nx = ey * gz - ez * gy;
  const ny = ez * gx - ex * gz;
  const nz = ex * gy - ey * gx;
  const length2 = nx * nx + ny * ny + nz * nz;
  const off = length2 > 0 ? (nx * dx + ny * dy + nz * dz) ** 2 / length2 : 0;
  return off + epsilon * (dx * dx + dy * dy + dz * dz - off);
}
