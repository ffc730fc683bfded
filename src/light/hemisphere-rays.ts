/**
 * Directions over a hemisphere by the R2 sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"),
 * with a random shift per point, so that neighbours do not share their errors. Uniform in solid angle.
 */
const ALPHA_1 = 0.7548776662466927;
const ALPHA_2 = 0.5698402909980532;

export class HemisphereRays {
  readonly count: number;
  /** 3 per ray, of length 1: the directions that `aim` made. */
  readonly directions: Float32Array;
  /** Per ray: the cosine of its angle to the normal. */
  readonly cosines: Float32Array;
  /** First coordinate of the sequence, and cosine and sine of 2π times the second. */
  readonly #first: Float64Array;
  readonly #cosine: Float64Array;
  readonly #sine: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.directions = new Float32Array(3 * count);
    this.cosines = new Float32Array(count);
    this.#first = Float64Array.from({ length: count }, (_, q) => (q * ALPHA_1) % 1);
    this.#cosine = Float64Array.from({ length: count }, (_, q) => Math.cos(2 * Math.PI * ((q * ALPHA_2) % 1)));
    this.#sine = Float64Array.from({ length: count }, (_, q) => Math.sin(2 * Math.PI * ((q * ALPHA_2) % 1)));
  }

  /** Directions above the plane of the normal (nx, ny, nz); `seed` shifts them. */
  aim(nx: number, ny: number, nz: number, seed: number): void {
    const { count, directions, cosines } = this;
    const shift = mixed(seed) / 2 ** 32;
    const turn = (2 * Math.PI * mixed(seed ^ 0x5bd1e995)) / 2 ** 32;
    const turnCosine = Math.cos(turn);
    const turnSine = Math.sin(turn);
    const [tx, ty, tz, bx, by, bz] = acrossAxes(nx, ny, nz);
    for (let q = 0; q < count; q++) {
      let cosine = this.#first[q] + shift;
      if (cosine >= 1) cosine -= 1;
      const radius = Math.sqrt(1 - cosine * cosine);
      const x = radius * (this.#cosine[q] * turnCosine - this.#sine[q] * turnSine);
      const y = radius * (this.#sine[q] * turnCosine + this.#cosine[q] * turnSine);
      cosines[q] = cosine;
      directions[3 * q] = x * tx + y * bx + cosine * nx;
      directions[3 * q + 1] = x * ty + y * by + cosine * ny;
      directions[3 * q + 2] = x * tz + y * bz + cosine * nz;
    }
  }
}

/**
 * Directions of the same sequence in Phong's lobe cosᵉ θ around the axis at 3 · `at`: as many as `out` holds, of length 1. By
 * inversion: cos θ = ξ^(1/(e + 1)).
 */
export function lobeDirections(
  axes: Float32Array,
  at: number,
  exponent: number,
  seed: number,
  out: Float32Array,
): void {
  const axis = [axes[3 * at], axes[3 * at + 1], axes[3 * at + 2]];
  const [tx, ty, tz, bx, by, bz] = acrossAxes(axis[0], axis[1], axis[2]);
  const shift = mixed(seed) / 2 ** 32;
  const turn = mixed(seed ^ 0x5bd1e995) / 2 ** 32;
  for (let q = 0; q < out.length / 3; q++) {
    const cosine = ((q * ALPHA_1 + shift) % 1) ** (1 / (exponent + 1));
    const azimuth = 2 * Math.PI * ((q * ALPHA_2 + turn) % 1);
    const radius = Math.sqrt(1 - cosine * cosine);
    const x = radius * Math.cos(azimuth);
    const y = radius * Math.sin(azimuth);
    out[3 * q] = x * tx + y * bx + cosine * axis[0];
    out[3 * q + 1] = x * ty + y * by + cosine * axis[1];
    out[3 * q + 2] = x * tz + y * bz + cosine * axis[2];
  }
}

/** Directions of the same sequence over the whole sphere: as many as `out` holds, of length 1. */
export function sphereDirections(seed: number, out: Float32Array): void {
  const shift = mixed(seed) / 2 ** 32;
  const turn = mixed(seed ^ 0x5bd1e995) / 2 ** 32;
  for (let q = 0; q < out.length / 3; q++) {
    const z = 1 - 2 * ((q * ALPHA_1 + shift) % 1);
    const azimuth = 2 * Math.PI * ((q * ALPHA_2 + turn) % 1);
    const radius = Math.sqrt(1 - z * z);
    out[3 * q] = radius * Math.cos(azimuth);
    out[3 * q + 1] = radius * Math.sin(azimuth);
    out[3 * q + 2] = z;
  }
}

/** Two axes across a direction of length 1 (Duff et al. 2017, "Building an orthonormal basis, revisited"). */
export function acrossAxes(nx: number, ny: number, nz: number): [number, number, number, number, number, number] {
  const sign = nz < 0 ? -1 : 1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  return [1 + sign * nx * nx * a, sign * b, -sign * nx, b, sign + ny * ny * a, -ny];
}

/** A number of 32 bits in which every bit depends on all of `x` (the finalizer of MurmurHash3). */
function mixed(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The seed of the `i`-th point of a surface. */
export const pointSeed = (seed: number, i: number): number => mixed(Math.imul(seed | 0, 0x9e3779b1) ^ mixed(i + 1));
