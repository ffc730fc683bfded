import { gramOfRows, multiply, transpose } from '../math/dense.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';

/**
 * Mean and principal modes of rows that come one by one, as many as may be: X (P × D) = A · R, with R at most `CAPACITY`
 * rows. When these are full, the `KEPT` strongest combinations stay: A keeps orthonormal columns, so that the singular
 * vectors of R are those of X (block updates of an SVD, Brand 2006). Up to `CAPACITY` rows everything is exact.
 */

const CAPACITY = 128;
const KEPT = 64;
/** Columns that are turned into doubles at a time. */
const STRIP = 2048;
/** Modes weaker than this, against the squares of all rows, are rounding. */
const NEGLIGIBLE = 1e-12;

export interface Modes {
  /** D. */
  mean: Float64Array;
  /** r × D, of length 1; 0 where there are fewer. */
  basis: Float64Array;
  /** P × r: row ≈ mean + scores · basis. */
  scores: Float64Array;
}

export class PoseModes {
  readonly #size: number;
  /** CAPACITY × D at most: grown by doubling. */
  #rows: Float32Array;
  /** m: rows in use. */
  #count = 0;
  /** The rows of A, of m numbers; those after a compression have a single 1, in column `single`. */
  #weights: (Float64Array | number)[] = [];

  constructor(size: number) {
    this.#size = size;
    this.#rows = new Float32Array(0);
  }

  /** D numbers. */
  add(row: Float32Array): void {
    if (this.#count === CAPACITY) this.#compress();
    const needed = (this.#count + 1) * this.#size;
    if (this.#rows.length < needed) {
      const grown = new Float32Array(Math.min(CAPACITY, Math.max(8, 2 * this.#count)) * this.#size);
      grown.set(this.#rows.subarray(0, this.#count * this.#size));
      this.#rows = grown;
    }
    this.#rows.set(row, this.#count * this.#size);
    this.#weights.push(this.#count);
    this.#count++;
  }

  /** P. */
  get poses(): number {
    return this.#weights.length;
  }

  /** Writes numbers `from` … of row p to `out`, `count` of them, from `o` on. */
  read(p: number, from: number, count: number, out: Float64Array, o: number): void {
    const row = this.#weights[p];
    const at = from + (typeof row === 'number' ? row * this.#size : 0);
    if (typeof row === 'number') for (let c = 0; c < count; c++) out[o + c] = this.#rows[at + c];
    else {
      out.fill(0, o, o + count);
      row.forEach((weight, k) => {
        for (let c = 0, r = k * this.#size + from; c < count; c++, r++) out[o + c] += weight * this.#rows[r];
      });
    }
  }

  /** P × P: the products of all rows. */
  products(): Float64Array {
    const [p, m] = [this.poses, this.#count];
    const a = this.#matrix();
    const half = multiply(new Float64Array(p * m), a, this.#gram(), p, m, m);
    return multiply(new Float64Array(p * p), half, transpose(new Float64Array(m * p), a, p, m), p, m, p);
  }

  /** `modes`: r. `shares`: how much each of the P rows counts [default all the same]. */
  finish(modes: number, shares?: ArrayLike<number>): Modes {
    const m = this.#count;
    const poses = this.#weights.length;
    const a = this.#matrix();
    const share = Float64Array.from({ length: poses }, (_, p) => shares?.[p] ?? 1);
    const total = share.reduce((sum, x) => sum + x, 0);
    const mean = new Float64Array(m); // ā: of the columns of A
    for (let at = 0; at < a.length; at++) mean[at % m] += (a[at] * share[Math.floor(at / m)]) / total;

    // S½(X − mean) = W · M½R with M = A_cᵀS A_c, S the shares, and orthonormal columns of W: the singular vectors of M½R are its.
    const gram = this.#gram();
    const centred = Float64Array.from(a, (x, at) => Math.sqrt(share[Math.floor(at / m)]) * (x - mean[at % m]));
    const root = squareRoot(
      gramOfRows(new Float64Array(m * m), transpose(new Float64Array(m * poses), centred, poses, m), m, poses),
      m,
    );
    let squares = 0;
    for (let r = 0; r < m; r++) squares += gram[r * m + r];
    const half = multiply(new Float64Array(m * m), gram, root, m, m, m);
    const { values, vectors } = symmetricEigen(multiply(new Float64Array(m * m), root, half, m, m, m), m);

    // (1) U_r = λ^−½ zᵀM½R, (2) scores A_c G M½ z λ^−½.
    const combine = new Float64Array((modes + 1) * m); // of the rows: the modes, and last the mean
    const scores = new Float64Array(poses * modes);
    for (let r = 0; r < Math.min(modes, m); r++) {
      if (!(values[r] > NEGLIGIBLE * squares)) break;
      const scale = 1 / Math.sqrt(values[r]);
      const z = vectors.subarray(r * m, (r + 1) * m).map((x) => x * scale);
      multiply(combine.subarray(r * m, (r + 1) * m), z, root, 1, m, m);
      const way = multiply(new Float64Array(m), half, z, m, m, 1);
      const offset = way.reduce((sum, x, c) => sum + x * mean[c], 0);
      for (let p = 0; p < poses; p++) {
        let sum = -offset;
        for (let c = 0; c < m; c++) sum += a[p * m + c] * way[c];
        scores[p * modes + r] = sum;
      }
    }
    combine.set(mean, modes * m);
    const all = this.#combined(combine, modes + 1);
    return { mean: all.subarray(modes * this.#size), basis: all.subarray(0, modes * this.#size), scores };
  }

  #matrix(): Float64Array {
    const m = this.#count;
    const a = new Float64Array(this.#weights.length * m);
    this.#weights.forEach((row, p) => {
      if (typeof row === 'number') a[p * m + row] = 1;
      else a.set(row, p * m);
    });
    return a;
  }

  #compress(): void {
    const m = this.#count;
    const { vectors } = symmetricEigen(this.#gram(), m);
    const kept = vectors.subarray(0, KEPT * m);
    this.#weights = this.#weights.map((row) =>
      Float64Array.from({ length: KEPT }, (_, k) => {
        if (typeof row === 'number') return kept[k * m + row];
        return row.reduce((sum, x, c) => sum + x * kept[k * m + c], 0);
      }),
    );
    const combined = this.#combined(kept, KEPT);
    this.#rows.set(combined);
    this.#count = KEPT;
  }

  /** m × m: R·Rᵀ. */
  #gram(): Float64Array {
    const m = this.#count;
    const out = new Float64Array(m * m);
    const part = new Float64Array(m * m);
    this.#eachStrip((strip, width) => {
      gramOfRows(part, strip, m, width);
      for (let at = 0; at < part.length; at++) out[at] += part[at];
    });
    return out;
  }

  /** count × D: `by` (count × m) times R. */
  #combined(by: Float64Array, count: number): Float64Array {
    const out = new Float64Array(count * this.#size);
    this.#eachStrip((strip, width, start) => {
      const part = multiply(new Float64Array(count * width), by, strip, count, this.#count, width);
      for (let r = 0; r < count; r++) out.set(part.subarray(r * width, (r + 1) * width), r * this.#size + start);
    });
    return out;
  }

  #eachStrip(visit: (strip: Float64Array, width: number, start: number) => void): void {
    const size = this.#size;
    for (let start = 0; start < size; start += STRIP) {
      const width = Math.min(STRIP, size - start);
      const strip = new Float64Array(this.#count * width);
      for (let r = 0; r < this.#count; r++) {
        for (let c = 0; c < width; c++) strip[r * width + c] = this.#rows[r * size + start + c];
      }
      visit(strip, width, start);
    }
  }
}

/** Of a symmetric matrix (m × m) without negative eigenvalues. */
function squareRoot(matrix: Float64Array, m: number): Float64Array {
  const { values, vectors } = symmetricEigen(matrix, m);
  const scaled = vectors.map((x, at) => x * Math.sqrt(Math.max(0, values[Math.floor(at / m)])));
  return multiply(new Float64Array(m * m), transpose(new Float64Array(m * m), vectors, m, m), scaled, m, m, m);
}
