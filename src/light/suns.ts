import type { EnvironmentMap } from '../model/environment.ts';
import { eachPixel, pixelSolidAngle } from './environment.ts';

/**
 * Suns of an environment. A few pixels that hold much of the light ring in spherical harmonics of low order: they are taken
 * out of the map and become directional lights, which have sharp shadows as well. Suns and rest together have the map's
 * energy.
 */

/** A small bright light, far away. */
export interface Sun {
  /** Towards it, of length 1. */
  direction: [x: number, y: number, z: number];
  /** Red, green and blue irradiance of a surface that faces it: ∫ L dω of what stands out of its surroundings. */
  irradiance: [r: number, g: number, b: number];
  /** The angular radius of an even disc that spreads its light as widely, in radians. */
  angle: number;
}

/** A sun is so many times brighter than the rest of the map on average. */
const BRIGHTER = 100;
/** A sun has at least this part of the map's light. */
const LEAST_SHARE = 0.01;
/** A sun's largest solid angle, in steradians: a radius of 4.6°. Larger lamps are soft light. */
const LARGEST = 0.02;
/** Rec. 709. */
const luminance = (pixels: Float32Array, at: number): number =>
  0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2];

/** Takes the suns out of a map, the brightest first; `rest` is the map with their surroundings in their place. */
export function extractSuns(map: EnvironmentMap): { suns: Sun[]; rest: EnvironmentMap } {
  const rest: EnvironmentMap = { ...map, pixels: map.pixels.slice() };
  const levels = new Float32Array(map.width * map.height);
  let total = 0;
  eachPixel(map, (at, _x, _y, _z, solidAngle) => {
    levels[at / 3] = luminance(map.pixels, at);
    total += levels[at / 3] * solidAngle;
  });
  const threshold = BRIGHTER * ordinaryLevel(map, levels);
  const suns: Sun[] = [];
  for (const region of brightRegions(map, levels, threshold)) {
    const solidAngle = region.reduce((sum, p) => sum + pixelSolidAngle(map, Math.floor(p / map.width)), 0);
    if (solidAngle > LARGEST) continue;
    const { sun, fill } = sunOf(map, region, solidAngle);
    if (luminance(Float32Array.from(sun.irradiance), 0) < LEAST_SHARE * total) continue;
    for (const p of region) rest.pixels.set(fill, 3 * p);
    suns.push(sun);
  }
  const strength = ({ irradiance: [r, g, b] }: Sun) => r + g + b;
  suns.sort((a, b) => strength(b) - strength(a));
  return { suns, rest };
}

/** The mean with pixels cut at ten times the median, so that suns do not raise it. */
function ordinaryLevel(map: EnvironmentMap, levels: Float32Array): number {
  const median = levels.toSorted()[levels.length >> 1];
  let sum = 0;
  for (let p = 0; p < levels.length; p++) {
    sum += Math.min(levels[p], 10 * median) * pixelSolidAngle(map, Math.floor(p / map.width));
  }
  // A map that is mostly black: any light in it stands out.
  return sum / (4 * Math.PI);
}

/** Pixels above the threshold, together with those they touch; columns go round. */
function* brightRegions(map: EnvironmentMap, levels: Float32Array, threshold: number): Generator<number[]> {
  const seen = new Uint8Array(levels.length);
  for (let p = 0; p < levels.length; p++) {
    if (seen[p] || !(levels[p] > threshold)) continue;
    const region = [p];
    seen[p] = 1;
    for (let q = 0; q < region.length; q++) {
      for (const near of neighbours(map, region[q])) {
        if (seen[near] || !(levels[near] > threshold)) continue;
        seen[near] = 1;
        region.push(near);
      }
    }
    yield region;
  }
}

/** The eight pixels around one; fewer at the poles. */
function neighbours({ width, height }: EnvironmentMap, p: number): number[] {
  const row = Math.floor(p / width);
  const column = p % width;
  const found: number[] = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(height - 1, row + 1); r++) {
    for (let c = column - 1; c <= column + 1; c++) {
      const near = r * width + ((c + width) % width);
      if (near !== p) found.push(near);
    }
  }
  return found;
}

/** A region as a sun, and what takes its place: the mean of the pixels around it, but no more than its own. */
function sunOf(map: EnvironmentMap, region: readonly number[], solidAngle: number): { sun: Sun; fill: number[] } {
  const inside = new Set(region);
  const ring = new Set(region.flatMap((p) => neighbours(map, p)).filter((p) => !inside.has(p)));
  const meanOf = (pixels: Iterable<number>): number[] => {
    const sums = [0, 0, 0];
    let weight = 0;
    for (const p of pixels) {
      const own = pixelSolidAngle(map, Math.floor(p / map.width));
      for (let c = 0; c < 3; c++) sums[c] += own * map.pixels[3 * p + c];
      weight += own;
    }
    return sums.map((sum) => (weight > 0 ? sum / weight : 0));
  };
  const own = meanOf(region);
  const around = meanOf(ring);
  const fill = own.map((x, c) => Math.min(x, around[c]));
  const irradiance = own.map((x, c) => (x - fill[c]) * solidAngle);
  return {
    sun: {
      direction: brightestDirection(map, region),
      irradiance: irradiance as Sun['irradiance'],
      angle: Math.acos(Math.max(-1, 1 - effectiveSolidAngle(map, region) / (2 * Math.PI))),
    },
    fill,
  };
}

/** (∫ L dω)² / ∫ L² dω: glare around a small disc hardly widens it. */
function effectiveSolidAngle(map: EnvironmentMap, region: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  for (const p of region) {
    const solidAngle = pixelSolidAngle(map, Math.floor(p / map.width));
    const level = luminance(map.pixels, 3 * p);
    sum += solidAngle * level;
    squares += solidAngle * level * level;
  }
  return sum ** 2 / squares;
}

/** The mean direction of a region's light. */
function brightestDirection(map: EnvironmentMap, region: readonly number[]): Sun['direction'] {
  const { width, height } = map;
  const sum = [0, 0, 0];
  for (const p of region) {
    const row = Math.floor(p / width);
    const polar = (Math.PI * (row + 0.5)) / height;
    const azimuth = 2 * Math.PI * (((p % width) + 0.5) / width - 0.5);
    const weight = luminance(map.pixels, 3 * p) * pixelSolidAngle(map, row);
    sum[0] += weight * Math.sin(polar) * Math.cos(azimuth);
    sum[1] += weight * Math.cos(polar);
    sum[2] += weight * Math.sin(polar) * Math.sin(azimuth);
  }
  const length = Math.hypot(...sum);
  return sum.map((x) => x / length) as Sun['direction'];
}
