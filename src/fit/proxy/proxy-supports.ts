import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { cross3, dot3 } from '../../math/vector.ts';
import { boundsOf } from '../../mesh/bounds.ts';

/** Where the vertices of each bone lie: what its pivot, its size and its flatness are read from. */
export interface BoneSupports {
  /** 3B: c = Σw²x / Σw², rounded to float32 as files keep them. A bone that no vertex follows has the mesh's centre. */
  pivots: Float64Array;
  /** 9B: Σw²(x − c)(x − c)ᵀ / Σw², row-major. */
  covariances: Float64Array;
}

/** Weights and joints as models have them, or a fit. */
interface Influences {
  influences: number;
  /** 0 in unused slots. */
  weights: ArrayLike<number>;
  joints: ArrayLike<number>;
}

export function boneSupports(
  positions: ArrayLike<number>,
  skin: Influences,
  boneCount: number,
  round = Math.fround,
): BoneSupports {
  const k = skin.influences;
  const mass = new Float64Array(boneCount);
  const pivots = new Float64Array(3 * boneCount);
  const covariances = new Float64Array(9 * boneCount);
  for (let s = 0; s < skin.joints.length; s++) {
    const w2 = skin.weights[s] ** 2;
    const i = 3 * Math.floor(s / k);
    mass[skin.joints[s]] += w2;
    for (let c = 0; c < 3; c++) pivots[3 * skin.joints[s] + c] += w2 * positions[i + c];
  }
  const { min, max } = boundsOf(positions);
  for (let j = 0; j < boneCount; j++) {
    for (let c = 0; c < 3; c++) {
      pivots[3 * j + c] = round(mass[j] > 0 ? pivots[3 * j + c] / mass[j] : (min[c] + max[c]) / 2);
    }
  }
  const d = new Float64Array(3);
  for (let s = 0; s < skin.joints.length; s++) {
    const j = skin.joints[s];
    const w2 = skin.weights[s] ** 2;
    if (w2 === 0) continue;
    const i = 3 * Math.floor(s / k);
    for (let c = 0; c < 3; c++) d[c] = positions[i + c] - pivots[3 * j + c];
    for (let c = 0; c < 9; c++) covariances[9 * j + c] += (w2 / mass[j]) * d[Math.floor(c / 3)] * d[c % 3];
  }
  return { pivots, covariances };
}

/** Supports whose smallest eigenvalue is below this fraction of the largest are flat. */
const FLAT = 1e-3;

/** The principal axes of a flat support. */
export interface FlatSupport {
  /** Two unit vectors in the plane. */
  tangents: [Float64Array, Float64Array];
  normal: Float64Array;
  /** Root mean square distance from the plane. */
  thickness: number;
}

/** The plane of a bone's support, or undefined where it is not flat; lines and points have no plane either. */
export function flatSupport(covariance: Float64Array): FlatSupport | undefined {
  const { values, vectors } = symmetricEigen(covariance, 3);
  if (!(values[2] < FLAT * values[0] && values[1] >= FLAT * values[0])) return undefined;
  const axis = (e: number) => vectors.slice(3 * e, 3 * e + 3);
  return { tangents: [axis(0), axis(1)], normal: axis(2), thickness: Math.sqrt(Math.max(0, values[2])) };
}

/**
 * Along the normal of a flat support the data say nothing of a matrix, yet shading follows it: in place, the image of the
 * normal becomes a unit normal of the image of the plane. At the first key it is the one that keeps the support from being
 * mirrored, later the one closer to that of the key before: a map that folds over passes through flat, and its normal
 * must not jump meanwhile. `linear` is 9P, row-major, one bone's linear parts.
 *
 * All frames or none: where the support would move by more than `tolerance` (root mean square) in some frame, it is not
 * as flat as it seems and stays as it is. Returns whether it was done.
 */
export function straightenNormals(linear: Float64Array, flat: FlatSupport, tolerance: number): boolean {
  const frames = linear.length / 9;
  const [s, t] = flat.tangents;
  const images = new Float64Array(3 * frames);
  // The tangents may be left-handed about the normal.
  let side = Math.sign(dot3(cross3(s, t), flat.normal));
  for (let k = 0; k < frames; k++) {
    const n = cross3(image(linear, 9 * k, s), image(linear, 9 * k, t));
    const length = Math.hypot(n[0], n[1], n[2]);
    if (!(length > 0)) return false;
    if (k > 0 && dot3(n, images.subarray(3 * k - 3, 3 * k)) * side < 0) side = -side;
    const before = image(linear, 9 * k, flat.normal);
    for (let c = 0; c < 3; c++) images[3 * k + c] = (side * n[c]) / length;
    const moved = Math.hypot(...before.map((x, c) => images[3 * k + c] - x));
    if (flat.thickness * moved > tolerance) return false;
  }
  for (let k = 0; k < frames; k++) {
    const before = image(linear, 9 * k, flat.normal);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) linear[9 * k + 3 * r + c] += (images[3 * k + r] - before[r]) * flat.normal[c];
    }
  }
  return true;
}

const image = (a: Float64Array, o: number, v: ArrayLike<number>): number[] =>
  [0, 3, 6].map((r) => a[o + r] * v[0] + a[o + r + 1] * v[1] + a[o + r + 2] * v[2]);
