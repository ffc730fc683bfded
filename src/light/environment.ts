import { PliantError } from '../error.ts';
import { cosineLobe, evaluateSh, shCount, shRotation } from '../math/spherical-harmonics.ts';
import type { EnvironmentMap } from '../model/environment.ts';

/** Light from far away as spherical harmonics: projection with solid angles, windows against ringing, a look-up by direction. */

/** The solid angle of one pixel of a row: 2π/width · (cos θ_top − cos θ_bottom). */
export const pixelSolidAngle = ({ width, height }: EnvironmentMap, row: number): number =>
  ((2 * Math.PI) / width) * (Math.cos((Math.PI * row) / height) - Math.cos((Math.PI * (row + 1)) / height));

/** Calls `visit` for every pixel: where it is in `pixels`, the direction it is seen in, its solid angle. */
export function eachPixel(
  map: EnvironmentMap,
  visit: (at: number, x: number, y: number, z: number, solidAngle: number) => void,
): void {
  const { width, height } = map;
  const cosines = Float64Array.from({ length: width }, (_, c) => Math.cos(2 * Math.PI * ((c + 0.5) / width - 0.5)));
  const sines = Float64Array.from({ length: width }, (_, c) => Math.sin(2 * Math.PI * ((c + 0.5) / width - 0.5)));
  for (let row = 0; row < height; row++) {
    const polar = (Math.PI * (row + 0.5)) / height;
    const radius = Math.sin(polar);
    const y = Math.cos(polar);
    const solidAngle = pixelSolidAngle(map, row);
    for (let column = 0; column < width; column++) {
      visit(3 * (row * width + column), radius * cosines[column], y, radius * sines[column], solidAngle);
    }
  }
}

/**
 * How much of each band is kept. A number w > order − 1 is the width of a Hann window, (1 + cos πl/w) / 2 (Sloan 2008, "Stupid
 * spherical harmonics tricks"); `auto` takes the widest with which no surface gets negative light; `none` keeps all.
 */
export type ShWindow = number | 'auto' | 'none';

/** Swaps y and z: from the frame of the rows, whose pole is y, to that of the harmonics, whose pole is z. Its own inverse. */
const SWAP_Y_Z = [1, 0, 0, 0, 0, 1, 0, 1, 0];

/**
 * The light as spherical harmonics: ∫ L(ω) y(ω) dω, order² numbers of red, then green, then blue. Suns ring: take them
 * out first (`extractSuns`), or give a window.
 */
export function environmentSh(map: EnvironmentMap, order: number, window: ShWindow = 'none'): Float32Array {
  const { width, height, pixels } = map;
  const count = shCount(order);
  const sums = new Float64Array(3 * count);

  // With the pole along y, y_lm is a function of the row times cos mφ or sin mφ: the columns are summed only once per m.
  const waves = azimuthWaves(width, order);
  const moments = new Float64Array(3 * waves.length);
  const y = new Float64Array(count);
  for (let row = 0; row < height; row++) {
    moments.fill(0);
    for (let column = 0; column < width; column++) {
      const at = 3 * (row * width + column);
      for (let wave = 0; wave < waves.length; wave++) {
        const factor = waves[wave][column];
        for (let c = 0; c < 3; c++) moments[3 * wave + c] += factor * pixels[at + c];
      }
    }
    const polar = (Math.PI * (row + 0.5)) / height;
    const solidAngle = pixelSolidAngle(map, row);
    evaluateSh(order, Math.sin(polar), 0, Math.cos(polar), y);
    for (let l = 0; l < order; l++) {
      for (let m = -l; m <= l; m++) {
        const value = solidAngle * y[l * l + l + Math.abs(m)];
        const wave = m < 0 ? -2 * m - 1 : 2 * m;
        for (let c = 0; c < 3; c++) sums[c * count + l * l + l + m] += value * moments[3 * wave + c];
      }
    }
  }
  const swap = shRotation(order, SWAP_Y_Z);
  for (let c = 0; c < 3; c++) swap.apply(sums, sums, c * count, c * count);

  const factors = windowFactors(order, sums, window);
  for (let c = 0; c < 3; c++) {
    for (let l = 0; l < order; l++) {
      for (let i = l * l; i < (l + 1) ** 2; i++) sums[c * count + i] *= factors[l];
    }
  }
  return Float32Array.from(sums);
}

/** 1, sin φ, cos φ, sin 2φ, cos 2φ, … at the middle of every column. */
function azimuthWaves(width: number, order: number): Float64Array[] {
  return Array.from({ length: 2 * order - 1 }, (_, wave) => {
    const m = Math.ceil(wave / 2);
    return Float64Array.from({ length: width }, (_, column) => {
      const azimuth = 2 * Math.PI * ((column + 0.5) / width - 0.5);
      return wave % 2 ? Math.sin(m * azimuth) : Math.cos(m * azimuth);
    });
  });
}

const hann = (order: number, width: number): number[] =>
  Array.from({ length: order }, (_, l) => (l < width ? (1 + Math.cos((Math.PI * l) / width)) / 2 : 0));

function windowFactors(order: number, light: Float64Array, window: ShWindow): number[] {
  const all = new Array<number>(order).fill(1);
  if (window === 'none') return all;
  if (window !== 'auto') {
    if (!(window >= 1))
      throw new PliantError('bad-option', 'environmentSh', `(got ${window}, expected ≥ 1)`, { option: 'window' });
    return hann(order, window);
  }
  const darkest = darkestIrradiance(order, light);
  if (darkest(all) >= 0) return all;
  let narrow = 1;
  let wide = 64;
  while (wide - narrow > 0.01) {
    const middle = (narrow + wide) / 2;
    if (darkest(hann(order, middle)) >= 0) narrow = middle;
    else wide = middle;
  }
  return hann(order, narrow);
}

/** So many normals are looked at. */
const NORMALS = 400;

/** Of surfaces that nothing shades, with given factors of the bands: the least light of any channel. */
function darkestIrradiance(order: number, light: Float64Array): (factors: readonly number[]) => number {
  const count = shCount(order);
  // Per normal, channel and band: what it adds.
  const parts: Float64Array[] = [];
  const lobe = new Float64Array(count);
  for (let q = 0; q < NORMALS; q++) {
    cosineLobe(order, fibonacciDirection(q, NORMALS), lobe);
    for (let c = 0; c < 3; c++) {
      const bands = new Float64Array(order);
      for (let l = 0; l < order; l++) {
        for (let i = l * l; i < (l + 1) ** 2; i++) bands[l] += light[c * count + i] * lobe[i];
      }
      parts.push(bands);
    }
  }
  return (factors) =>
    parts.reduce(
      (least, bands) =>
        Math.min(
          least,
          factors.reduce((sum, f, l) => sum + f * bands[l], 0),
        ),
      Infinity,
    );
}

/** The q-th of `count` directions spread evenly over the sphere. */
function fibonacciDirection(q: number, count: number): [number, number, number] {
  const z = 1 - (2 * q + 1) / count;
  const radius = Math.sqrt(1 - z * z);
  const azimuth = q * Math.PI * (3 - Math.sqrt(5));
  return [radius * Math.cos(azimuth), radius * Math.sin(azimuth), z];
}

/** The radiance seen in a direction of any length, between the four nearest pixels: 3 numbers to `out`. */
export function environmentAt(
  map: EnvironmentMap,
  x: number,
  y: number,
  z: number,
  out: Float32Array | Float64Array | number[],
  offset = 0,
): void {
  const { width, height, pixels } = map;
  const u = (Math.atan2(z, x) / (2 * Math.PI) + 0.5) * width - 0.5;
  const v = (Math.atan2(Math.hypot(x, z), y) / Math.PI) * height - 0.5;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const s = u - column;
  const t = v - row;
  const left = ((column % width) + width) % width;
  const right = (left + 1) % width;
  const top = Math.max(0, row) * width;
  const bottom = Math.min(height - 1, row + 1) * width;
  for (let c = 0; c < 3; c++) {
    const above = pixels[3 * (top + left) + c] * (1 - s) + pixels[3 * (top + right) + c] * s;
    const below = pixels[3 * (bottom + left) + c] * (1 - s) + pixels[3 * (bottom + right) + c] * s;
    out[offset + c] = above * (1 - t) + below * t;
  }
}
