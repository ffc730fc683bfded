import { type FitProblem, MONOMIAL_STRIDE, MONOMIALS, type Support } from '../problem.ts';

/**
 * The normal equations of the transform step. With X the N × 4B matrix whose row i is (w_i1·ṽᵢ, …, w_iB·ṽᵢ), the bones
 * minimise ‖Z − X·M‖²: H = XᵀX, R = XᵀZ. Antonopoulos 2010, (3.6) solves this system anew for every pose; x, y, z and
 * all poses share H, so one factorisation serves them all.
 */
export interface NormalEquations {
  boneCount: number;
  /** 4B × 4B, row-major, symmetric. */
  h: Float64Array;
  /** 4B × r. */
  r: Float64Array;
}

export function assembleNormalEquations(problem: FitProblem, support: Support, boneCount: number): NormalEquations {
  const { vertexCount, rank, z, rest, monomials, mass } = problem;
  const size = 4 * boneCount;
  const pairSums = new Float64Array(boneCount * boneCount * MONOMIAL_STRIDE);
  const r = new Float64Array(size * rank);
  const k = support.influences;
  for (let i = 0; i < vertexCount; i++) {
    const count = support.count[i];
    const zi = i * rank;
    for (let s = 0; s < count; s++) {
      const js = support.joints[i * k + s];
      const ws = mass[i] * support.weights[i * k + s];
      // R: four rows of bone js.
      const w0 = ws * rest[4 * i];
      const w1 = ws * rest[4 * i + 1];
      const w2 = ws * rest[4 * i + 2];
      const w3 = ws * rest[4 * i + 3];
      const r0 = 4 * js * rank;
      const r1 = r0 + rank;
      const r2 = r1 + rank;
      const r3 = r2 + rank;
      for (let c = 0; c < rank; c++) {
        const value = z[zi + c];
        r[r0 + c] += w0 * value;
        r[r1 + c] += w1 * value;
        r[r2 + c] += w2 * value;
        r[r3 + c] += w3 * value;
      }
      // H: monomials of every pair (js, jt), kept at (smaller, larger).
      for (let t = 0; t <= s; t++) {
        const jt = support.joints[i * k + t];
        const f = ws * support.weights[i * k + t];
        const o = (js < jt ? js * boneCount + jt : jt * boneCount + js) * MONOMIAL_STRIDE;
        for (let m = 0; m < MONOMIAL_STRIDE; m++) pairSums[o + m] += f * monomials[MONOMIAL_STRIDE * i + m];
      }
    }
  }
  return { boneCount, h: unfoldPairSums(pairSums, boneCount), r };
}

/** The symmetric 4B × 4B matrix from sums of monomials per pair of bones (B·B·10, pairs a ≤ b). */
export function unfoldPairSums(pairSums: Float64Array, boneCount: number): Float64Array {
  const size = 4 * boneCount;
  const h = new Float64Array(size * size);
  for (let a = 0; a < boneCount; a++) {
    for (let b = a; b < boneCount; b++) {
      const o = (a * boneCount + b) * MONOMIAL_STRIDE;
      for (let m = 0; m < MONOMIAL_STRIDE; m++) {
        const [s, t] = MONOMIALS[m];
        const value = pairSums[o + m];
        h[(4 * a + s) * size + 4 * b + t] = value;
        h[(4 * a + t) * size + 4 * b + s] = value;
        h[(4 * b + s) * size + 4 * a + t] = value;
        h[(4 * b + t) * size + 4 * a + s] = value;
      }
    }
  }
  return h;
}

/** What H_bb says of the vertices of bone b: their mass η, its first moment h and the covariance K = H_bb[0:3, 0:3] − hhᵀ/η. */
export interface BoneBlock {
  eta: number;
  /** 3. */
  h: Float64Array;
  /** 9; zero where no vertex follows the bone. */
  k: Float64Array;
}

export function blockOf({ boneCount, h: all }: NormalEquations, b: number): BoneBlock {
  const at = (s: number, t: number) => all[(4 * b + s) * 4 * boneCount + 4 * b + t];
  const eta = at(3, 3);
  const h = Float64Array.of(at(0, 3), at(1, 3), at(2, 3));
  const k = new Float64Array(9);
  if (eta > 0)
    for (let c = 0; c < 9; c++) k[c] = at(Math.floor(c / 3), c % 3) - (h[Math.floor(c / 3)] * h[c % 3]) / eta;
  return { eta, h, k };
}
