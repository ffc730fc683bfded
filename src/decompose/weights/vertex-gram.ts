import type { QuadraticForm } from '../../math/simplex-exchange.ts';
import type { BoneProducts } from '../engine/bone-products.ts';
import { type FitProblem, MONOMIAL_STRIDE } from '../problem.ts';

/**
 * G of one vertex at a time, B × B, entry by entry from what all vertices share (weights.ts has the derivation):
 *
 *   G_bc = |z|² − h_b − h_c + Σ_m K_bc,m·μ_m.
 */
export class VertexGram implements QuadraticForm {
  /** B. */
  readonly size: number;
  /** B: G_bb, with a ridge that keeps supports whose bones agree invertible. */
  readonly diagonal: Float64Array;
  /** B·B·10: K. */
  readonly #pairs: Float64Array;
  readonly #monomials: Float64Array;
  readonly #zNorm2: Float64Array;
  #z2 = 0;
  /** The ten monomials of the vertex. */
  readonly #mu = new Float64Array(MONOMIAL_STRIDE);
  #h: Float64Array = new Float64Array(0);
  #offset = 0;

  constructor({ monomials, zNorm2 }: FitProblem, { boneCount, pairs }: BoneProducts) {
    this.size = boneCount;
    this.diagonal = new Float64Array(boneCount);
    this.#pairs = pairs;
    this.#monomials = monomials;
    this.#zNorm2 = zNorm2;
  }

  /** Vertex i, whose h_b is h[offset + b]. */
  load(i: number, h: Float64Array, offset: number): void {
    this.#z2 = this.#zNorm2[i];
    this.#h = h;
    this.#offset = offset;
    for (let m = 0; m < MONOMIAL_STRIDE; m++) this.#mu[m] = this.#monomials[MONOMIAL_STRIDE * i + m];
    const { size, diagonal } = this;
    let smallest = Infinity;
    for (let b = 0; b < size; b++) {
      const d = this.#entry(b, b);
      diagonal[b] = d;
      if (d < smallest) smallest = d;
    }
    // 1e-10 of the scale of G, and never zero. Cancellation leaves 1e-16·|z|² anyway.
    const ridge = 1e-10 * Math.max(0, smallest) + 1e-15 * this.#z2 + 1e-30;
    for (let b = 0; b < size; b++) diagonal[b] = Math.max(0, diagonal[b]) + ridge;
  }

  entry(b: number, c: number): number {
    return b === c ? this.diagonal[b] : this.#entry(b, c);
  }

  /** G_be for all e, without the ridge, into out[from + e]: the pair table is read in order. */
  row(out: Float64Array, from: number, b: number): void {
    for (let e = 0; e < this.size; e++) out[from + e] = this.#entry(b, e);
  }

  #entry(b: number, c: number): number {
    const pairs = this.#pairs;
    const mu = this.#mu;
    const o = (b * this.size + c) * MONOMIAL_STRIDE;
    return (
      this.#z2 -
      this.#h[this.#offset + b] -
      this.#h[this.#offset + c] +
      pairs[o] * mu[0] +
      pairs[o + 1] * mu[1] +
      pairs[o + 2] * mu[2] +
      pairs[o + 3] * mu[3] +
      pairs[o + 4] * mu[4] +
      pairs[o + 5] * mu[5] +
      pairs[o + 6] * mu[6] +
      pairs[o + 7] * mu[7] +
      pairs[o + 8] * mu[8] +
      pairs[o + 9] * mu[9]
    );
  }
}

/** n × n: G_bc = d_b·d_c with d_b = z − M_b·ṽ, for some bones of one vertex, without a ridge. */
export function errorGram(
  problem: FitProblem,
  products: BoneProducts,
  i: number,
  joints: ArrayLike<number>,
): Float64Array {
  const { rank, z, zNorm2, rest, monomials } = problem;
  const { boneCount, columns, pairs } = products;
  const n = joints.length;
  // h_b = ṽᵀ·M_bᵀ·z.
  const h = new Float64Array(n);
  for (let x = 0; x < rank; x++) {
    const row = 4 * boneCount * x;
    for (let s = 0; s < n; s++) {
      const c = row + 4 * joints[s];
      const image =
        columns[c] * rest[4 * i] +
        columns[c + 1] * rest[4 * i + 1] +
        columns[c + 2] * rest[4 * i + 2] +
        columns[c + 3] * rest[4 * i + 3];
      h[s] += z[i * rank + x] * image;
    }
  }
  const g = new Float64Array(n * n);
  for (let s = 0; s < n; s++) {
    for (let t = 0; t < n; t++) {
      let sum = zNorm2[i] - h[s] - h[t];
      const pair = MONOMIAL_STRIDE * (joints[s] * boneCount + joints[t]);
      for (let m = 0; m < MONOMIAL_STRIDE; m++) sum += pairs[pair + m] * monomials[MONOMIAL_STRIDE * i + m];
      g[s * n + t] = sum;
    }
  }
  return g;
}
