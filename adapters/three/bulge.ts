import { DUAL_STRIDE } from '../../src/math/dual-quaternion.ts';
import type { InfluenceSet } from './influence-sets.ts';
import { INFLUENCES } from './mesh-model.ts';

/**
 * How far blending by dual quaternions may take a vertex from where linear blending of the same rigid motions takes it.
 *
 * With v_j = C_j·v and r_j = q_j·conj(Ψ₀)/|Ψ₀|², Kavan 2009 (7) is v' = Σ w·vec(v_j·r_j), and Σ w·r_j = 1. So for any
 * point c, v' − Σ w·v_j = Σ w·vec((v_j − c)·(r_j − 1)), where |r_j − 1| = |q_j − Ψ₀|/|Ψ₀| ≤ Σ w_i·|q_i − q_j|/|Ψ₀|. Hence
 *
 *   (a)  |v' − Σ w·v_j| ≤ Σ_ij w_i·w_j·|q_i − q_j|·|v_j − c| / |Ψ₀|,  |Ψ₀|² = 1 − ½·Σ_ij w_i·w_j·|q_i − q_j|².
 *
 * Likewise v' − c = Σ w·vec((v_j − c)·r_j), where |r_j| = 1/|Ψ₀|. With c the centre of the smallest ball around the v_j,
 * which lies among them and whose radius is at most √(3/8) of the largest |v_i − v_j| (Jung 1901),
 *
 *   (b)  v' is within √(3/8)·max |v_i − v_j| / |Ψ₀| of a mean of the v_j.
 *
 * Distances of images of v are convex in v: corners of its box suffice. Weights are at most what the set has, and over
 * pairs of k different bones they sum to at most 1 − 1/k. With antipodality every q_j lies on the side of the heaviest
 * influence, so that |Ψ₀| is at least its weight: a quarter, of four.
 */
export function bulge(set: InfluenceSet, moved: Float64Array, duals: Float64Array): number {
  const k = set.joints.length;
  if (k === 1) return 0;
  let reach = 0;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) {
      const distance = largestDistance(moved, a, b);
      between[INFLUENCES * a + b] = distance;
      dots[INFLUENCES * a + b] = dot(duals, set.joints[a], set.joints[b]);
      reach = Math.max(reach, distance);
    }
  }
  let worst = 0;
  for (let pivot = 0; pivot < k; pivot++) {
    differences(k, pivot);
    const squares = weighted(set, (a, b) => apart[INFLUENCES * a + b] ** 2);
    const length = Math.max(1 / INFLUENCES, Math.sqrt(Math.max(0, 1 - 0.5 * squares)));
    let fromMean = JUNG * reach; // (b)
    for (let c = 0; c < k; c++) {
      const product = (a: number, b: number) => apart[INFLUENCES * a + b] * between[INFLUENCES * b + c];
      fromMean = Math.min(fromMean, weighted(set, product)); // (a)
    }
    worst = Math.max(worst, fromMean / length);
  }
  return worst;
}

/** Of the k × k pairs of bones: the largest |v_i − v_j|, q_i·q_j, and |q_i − q_j|. Module state. */
const between = new Float64Array(INFLUENCES ** 2);
const dots = new Float64Array(INFLUENCES ** 2);
const apart = new Float64Array(INFLUENCES ** 2);

/** At least Σ_ij w_i·w_j·term, where terms with i = j are 0. */
function weighted({ joints, most }: InfluenceSet, term: (a: number, b: number) => number): number {
  const k = joints.length;
  let total = 0;
  let largest = 0;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) {
      const value = term(a, b);
      total += most[a] * most[b] * value;
      largest = Math.max(largest, value);
    }
  }
  return Math.min(total, (1 - 1 / k) * largest);
}

/** √(3/8): Jung's theorem in three dimensions. */
const JUNG = Math.sqrt(3 / 8);

/** Leaves |q_i − q_j| of all pairs in `apart`, when each quaternion is brought to the side of the pivot's. */
function differences(k: number, pivot: number): void {
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) {
      const turned = dots[INFLUENCES * pivot + a] < 0 !== dots[INFLUENCES * pivot + b] < 0;
      const cosine = dots[INFLUENCES * a + b];
      apart[INFLUENCES * a + b] = Math.sqrt(Math.max(0, 2 - 2 * (turned ? -cosine : cosine)));
    }
  }
}

/** The product of the real parts of two bones' dual quaternions. */
function dot(duals: Float64Array, i: number, j: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) sum += duals[DUAL_STRIDE * i + c] * duals[DUAL_STRIDE * j + c];
  return sum;
}

/** The largest distance between the images of a corner by two of the bones. */
function largestDistance(moved: Float64Array, a: number, b: number): number {
  let squared = 0;
  for (let c = 0; c < 24; c += 3) {
    const [p, q] = [24 * a + c, 24 * b + c];
    squared = Math.max(
      squared,
      (moved[p] - moved[q]) ** 2 + (moved[p + 1] - moved[q + 1]) ** 2 + (moved[p + 2] - moved[q + 2]) ** 2,
    );
  }
  return Math.sqrt(squared);
}
