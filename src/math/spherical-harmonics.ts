/**
 * Real spherical harmonics up to order 6 and their rotation. Coefficient (l, m), |m| ≤ l, is number l² + l + m; z is the
 * polar axis and x the azimuth's start, of whatever space the directions are in: (y, z, x) · √(3/4π) is band 1. There is no
 * Condon–Shortley sign, as in three.js. Evaluation by recurrence in Cartesian coordinates after Sloan 2013, "Efficient
 * spherical harmonic evaluation". Orthonormal: ∫ y_i y_j dω = δ_ij.
 */

/** The highest order: bands 0 to 5. */
const MAX_SH_ORDER = 6;

/** How many coefficients an order has: 25 for order 5. */
export const shCount = (order: number): number => order * order;

/** N_lm of y_lm = N_lm · P̃_lm(z) · Re or Im (x + iy)^|m|, by l² + l + m; P̃ is P_lm / sin^m without its sign. */
const NORMS = Float64Array.from({ length: shCount(MAX_SH_ORDER) }, (_, index) => {
  const l = Math.floor(Math.sqrt(index));
  const m = Math.abs(index - l * l - l);
  let ratio = 1; // (l − m)! / (l + m)!
  for (let k = l - m + 1; k <= l + m; k++) ratio /= k;
  return Math.sqrt((((m === 0 ? 1 : 2) * (2 * l + 1)) / (4 * Math.PI)) * ratio);
});

/** Writes the order² values y_lm of the unit direction (x, y, z) to `out` from `offset` on. */
export function evaluateSh(
  order: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array | number[],
  offset = 0,
): void {
  let cosine = 1; // Re (x + iy)^m
  let sine = 0; // Im (x + iy)^m
  let diagonal = 1; // P̃_mm = (2m − 1)!!
  for (let m = 0; m < order; m++) {
    let before = 0;
    let legendre = diagonal;
    for (let l = m; l < order; l++) {
      const centre = l * l + l;
      const value = NORMS[centre + m] * legendre;
      out[offset + centre + m] = value * cosine;
      if (m > 0) out[offset + centre - m] = value * sine;
      // (l − m + 1) P̃_{l+1} = (2l + 1) z P̃_l − (l + m) P̃_{l−1}
      const next = ((2 * l + 1) * z * legendre - (l + m) * before) / (l - m + 1);
      before = legendre;
      legendre = next;
    }
    const turned = x * cosine - y * sine;
    sine = x * sine + y * cosine;
    cosine = turned;
    diagonal *= 2 * m + 1;
  }
}

/** Per band what a clamped cosine / π keeps of a function (Ramamoorthi and Hanrahan 2001): irradiance / π of radiance. */
const COSINE_FACTORS: readonly number[] = [1, 2 / 3, 1 / 4, 0, -1 / 24, 0];

/** Per band what half of the sphere keeps: 2π ∫ P_l(z) dz over 0 … 1. */
const HEMISPHERE_FACTORS: readonly number[] = [2 * Math.PI, Math.PI, 0, -Math.PI / 4, 0, Math.PI / 8];

/**
 * Diffuse transfer of a point that nothing shades: (1/π) ∫ max(0, n·ω) y(ω) dω. `normal` is of length 1; writes order² numbers
 * to `out` from `offset` on.
 */
export function cosineLobe(
  order: number,
  normal: ArrayLike<number>,
  out: Float64Array | number[],
  offset = 0,
  at = 0,
): void {
  zonalLobe(order, COSINE_FACTORS, normal, out, offset, at);
}

/** Visibility of a point that nothing shades: ∫ [n·ω > 0] y(ω) dω. Arguments as of `cosineLobe`. */
export function hemisphereLobe(
  order: number,
  normal: ArrayLike<number>,
  out: Float64Array | number[],
  offset = 0,
  at = 0,
): void {
  zonalLobe(order, HEMISPHERE_FACTORS, normal, out, offset, at);
}

function zonalLobe(
  order: number,
  factors: readonly number[],
  axis: ArrayLike<number>,
  out: Float64Array | number[],
  offset: number,
  at: number,
): void {
  evaluateSh(order, axis[at], axis[at + 1], axis[at + 2], out, offset);
  for (let l = 0; l < order; l++) {
    for (let c = l * l; c < (l + 1) * (l + 1); c++) out[offset + c] *= factors[l];
  }
}

/** Arrays of coefficients, in single or double precision. */
type Coefficients = Float64Array | Float32Array | number[];

/**
 * D(R): a block per band. With c the coefficients of f(ω), D(R) c are those of f(Rᵀ ω), the function turned by R; hence
 * D(R S) = D(R) D(S). Reflections are turned as well.
 */
export class ShRotation {
  readonly order: number;
  /** The blocks of bands 0, 1, …, row-major one after the other. */
  readonly blocks: Float64Array;
  readonly #row = new Float64Array(2 * MAX_SH_ORDER - 1);

  constructor(order: number) {
    this.order = order;
    this.blocks = new Float64Array((order * (4 * order * order - 1)) / 3);
  }

  /** to = D · from, order² numbers each from their offsets on; `to` may be `from`. */
  apply(from: ArrayLike<number>, to: Coefficients, fromOffset = 0, toOffset = 0): void {
    this.#multiply(from, to, fromOffset, toOffset, false);
  }

  /** to = Dᵀ · from = D(Rᵀ) · from: turns back. */
  applyInverse(from: ArrayLike<number>, to: Coefficients, fromOffset = 0, toOffset = 0): void {
    this.#multiply(from, to, fromOffset, toOffset, true);
  }

  #multiply(
    from: ArrayLike<number>,
    to: Coefficients,
    fromOffset: number,
    toOffset: number,
    transposed: boolean,
  ): void {
    const { order, blocks } = this;
    const row = this.#row;
    let block = 0;
    for (let l = 0; l < order; l++) {
      const n = 2 * l + 1;
      const acrossRow = transposed ? n : 1;
      const downColumn = transposed ? 1 : n;
      for (let a = 0; a < n; a++) {
        let sum = 0;
        for (let b = 0; b < n; b++)
          sum += blocks[block + a * downColumn + b * acrossRow] * from[fromOffset + l * l + b];
        row[a] = sum;
      }
      for (let a = 0; a < n; a++) to[toOffset + l * l + a] = row[a];
      block += n * n;
    }
  }
}

/**
 * D(R) of a 3 × 3 rotation (row-major), into `out` if given. Y_l(d) D_l = Y_l(Rᵀ d) holds for every direction d, so that
 * a few fixed ones, of which each band takes the pseudo-inverse, give all bands.
 */
export function shRotation(order: number, r: ArrayLike<number>, out = new ShRotation(order)): ShRotation {
  const { directions, inverses } = (fixed[order] ??= fixedDirections(order));
  const count = directions.length / 3;
  const coefficients = shCount(order);
  for (let q = 0; q < count; q++) {
    const x = directions[3 * q];
    const y = directions[3 * q + 1];
    const z = directions[3 * q + 2];
    evaluateSh(
      order,
      r[0] * x + r[3] * y + r[6] * z,
      r[1] * x + r[4] * y + r[7] * z,
      r[2] * x + r[5] * y + r[8] * z,
      turned,
      q * coefficients,
    );
  }
  const { blocks } = out;
  let block = 0;
  for (let l = 0; l < order; l++) {
    const n = 2 * l + 1;
    const inverse = inverses[l];
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) {
        let sum = 0;
        for (let q = 0; q < count; q++) sum += inverse[a * count + q] * turned[q * coefficients + l * l + b];
        blocks[block + a * n + b] = sum;
      }
    }
    block += n * n;
  }
  return out;
}

/** Of 3·order directions on half a Fibonacci sphere the worst condition of a band is 5; of 2·order − 1 it is 47. */
const directionCount = (order: number): number => 3 * order;

const turned = new Float64Array(directionCount(MAX_SH_ORDER) * shCount(MAX_SH_ORDER));

interface FixedDirections {
  /** 3 per direction. */
  directions: Float64Array;
  /** Per band the pseudo-inverse of Y_l(d): 2l + 1 rows, one column per direction. */
  inverses: Float64Array[];
}
const fixed: FixedDirections[] = [];

/** Directions on half of a Fibonacci sphere: opposite ones would say the same twice. */
function fixedDirections(order: number): FixedDirections {
  const count = directionCount(order);
  const directions = new Float64Array(3 * count);
  const golden = Math.PI * (3 - Math.sqrt(5));
  const y = new Float64Array(count * shCount(order));
  for (let q = 0; q < count; q++) {
    const z = 1 - (q + 0.5) / count;
    const radius = Math.sqrt(1 - z * z);
    directions.set([radius * Math.cos(q * golden), radius * Math.sin(q * golden), z], 3 * q);
    evaluateSh(order, directions[3 * q], directions[3 * q + 1], z, y, q * shCount(order));
  }
  const inverses = Array.from({ length: order }, (_, l) => {
    const n = 2 * l + 1;
    const band = new Float64Array(count * n);
    for (let q = 0; q < count; q++)
      band.set(y.subarray(q * shCount(order) + l * l, q * shCount(order) + (l + 1) ** 2), q * n);
    return pseudoInverse(band, count, n);
  });
  return { directions, inverses };
}

/** (AᵀA)⁻¹ Aᵀ of a (rows × columns), row-major, by Gauss–Jordan elimination. */
function pseudoInverse(a: Float64Array, rows: number, columns: number): Float64Array {
  const width = columns + rows;
  const work = new Float64Array(columns * width); // [AᵀA | Aᵀ]
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < columns; j++) {
      for (let q = 0; q < rows; q++) work[i * width + j] += a[q * columns + i] * a[q * columns + j];
    }
    for (let q = 0; q < rows; q++) work[i * width + columns + q] = a[q * columns + i];
  }
  for (let pivot = 0; pivot < columns; pivot++) {
    const scale = 1 / work[pivot * width + pivot];
    for (let c = pivot; c < width; c++) work[pivot * width + c] *= scale;
    for (let i = 0; i < columns; i++) {
      const factor = work[i * width + pivot];
      if (i === pivot || factor === 0) continue;
      for (let c = pivot; c < width; c++) work[i * width + c] -= factor * work[pivot * width + c];
    }
  }
  const inverse = new Float64Array(columns * rows);
  for (let i = 0; i < columns; i++) {
    inverse.set(work.subarray(i * width + columns, (i + 1) * width), i * rows);
  }
  return inverse;
}
