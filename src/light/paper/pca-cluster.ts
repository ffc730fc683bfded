import { symmetricEigen } from '../../math/symmetric-eigen.ts';

/**
 * Vectors that share a few basis vectors (clustered PCA, Sloan, Hall, Hart & Snyder 2003). What is kept of them is the sum
 * of their squares, D × D: members come and go, and clusters merge, without going back to the data. Bases go through the
 * origin, as in (5.6), or through the mean.
 */
export class PcaCluster {
  /** D. */
  readonly size: number;
  count = 0;
  /** D: 0 unless centred. */
  readonly mean: Float64Array;
  /** b × D, orthonormal rows; 0 where the members span less. */
  basis: Float64Array;
  readonly #bases: number;
  readonly #isCentred: boolean;
  readonly #sum: Float64Array;
  /** Of the lower triangle. */
  readonly #squares: Float64Array;
  readonly #scratch: Float64Array;

  constructor(size: number, bases: number, isCentred = false) {
    this.size = size;
    this.#bases = Math.min(bases, size);
    this.#isCentred = isCentred;
    this.mean = new Float64Array(size);
    this.#sum = new Float64Array(size);
    this.#squares = new Float64Array(size * size);
    this.#scratch = new Float64Array(this.#bases);
    this.basis = new Float64Array(this.#bases * size);
  }

  /** Takes in (sign 1) or lets go (−1) the `count` vectors from `at` on; the basis stays until `update`. */
  add(values: Float64Array, at: number, count: number, sign: 1 | -1 = 1): void {
    const { size } = this;
    const squares = this.#squares;
    for (let v = 0; v < count; v++, at += size) {
      for (let r = 0; r < size; r++) {
        const x = sign * values[at + r];
        this.#sum[r] += x;
        for (let c = 0, o = r * size; c <= r; c++, o++) squares[o] += x * values[at + c];
      }
    }
    this.count += sign * count;
  }

  /** All members of another cluster too, exactly. */
  merge(other: PcaCluster): void {
    other.#squares.forEach((x, c) => void (this.#squares[c] += x));
    other.#sum.forEach((x, c) => void (this.#sum[c] += x));
    this.count += other.count;
  }

  /** The best basis of all members. */
  update(): void {
    const { size, mean } = this;
    if (this.count === 0) return;
    const matrix = new Float64Array(size * size);
    if (this.#isCentred) this.#sum.forEach((x, c) => void (mean[c] = x / this.count));
    for (let r = 0; r < size; r++) {
      for (let c = 0; c <= r; c++) {
        const x = this.#squares[r * size + c] - this.count * mean[r] * mean[c];
        matrix[r * size + c] = matrix[c * size + r] = x;
      }
    }
    const { values, vectors } = symmetricEigen(matrix, size);
    this.basis = vectors.slice(0, this.#bases * size);
    // Directions that no member has are rounding.
    for (let b = 0; b < this.#bases; b++) {
      if (!(values[b] > NEGLIGIBLE * values[0])) this.basis.fill(0, b * size, (b + 1) * size);
    }
  }

  /** b coefficients of the vector at `at`. */
  project(values: ArrayLike<number>, at: number, out: Float64Array): void {
    const { size, basis, mean } = this;
    for (let b = 0, o = 0; b < out.length; b++) {
      let sum = 0;
      for (let c = 0; c < size; c++, o++) sum += basis[o] * (values[at + c] - mean[c]);
      out[b] = sum;
    }
  }

  /** Squared distance of `count` vectors from what the basis spans. */
  error(values: Float64Array, at: number, count: number): number {
    const { size, mean } = this;
    const out = this.#scratch;
    let error = 0;
    for (let v = 0; v < count; v++, at += size) {
      for (let c = 0; c < size; c++) error += (values[at + c] - mean[c]) ** 2;
      this.project(values, at, out);
      for (const x of out) error -= x * x;
    }
    return Math.max(0, error);
  }

  /** (5.4) as ‖P − Q‖_F, of the projections onto both bases: the L² norm printed is 1 as soon as one direction differs. */
  distance(other: PcaCluster): number {
    const { size, basis } = this;
    let [own, others, shared] = [0, 0, 0];
    for (let a = 0; a < basis.length; a += size) {
      for (let c = 0; c < size; c++) {
        own += basis[a + c] ** 2;
        others += other.basis[a + c] ** 2;
      }
      for (let b = 0; b < basis.length; b += size) {
        let dot = 0;
        for (let c = 0; c < size; c++) dot += basis[a + c] * other.basis[b + c];
        shared += dot * dot;
      }
    }
    return Math.sqrt(Math.max(0, own + others - 2 * shared));
  }
}

const NEGLIGIBLE = 1e-13;
