import { boundsOf } from '../mesh/bounds.ts';
import { type Limb, limbFunction, mirrored, type Point, smoothUnion } from '../mesh/implicit/implicit.ts';
import { polygonize } from '../mesh/implicit/polygonize.ts';
import { wrapUvs } from '../mesh/wrap-uvs.ts';
import type { Mesh } from '../model/mesh.ts';
import { finished } from './shapes.ts';

/**
 * A camel the size of a large dog: one closed surface, y up, feet near y = 0, facing +z. The collapsing camel of
 * Antonopoulos 2010, §6.2, is its model: a trunk that holds together and limbs that fold.
 */
const TRUNK: readonly Limb[] = [
  { a: [0, 0.8, -0.3], b: [0, 0.82, 0.3], ra: 0.185, rb: 0.195 }, // barrel
  { a: [0, 0.95, -0.02], b: [0, 1.08, -0.03], ra: 0.16, rb: 0.07, squash: [0.75, 1, 1.15] }, // hump
  { a: [0, 0.82, 0.38], b: [0, 0.74, 0.56], ra: 0.15, rb: 0.1 }, // base of the neck
  { a: [0, 0.74, 0.56], b: [0, 0.92, 0.76], ra: 0.1, rb: 0.08 },
  { a: [0, 0.92, 0.76], b: [0, 1.2, 0.8], ra: 0.08, rb: 0.07 }, // throat
  { a: [0, 1.24, 0.8], b: [0, 1.2, 0.98], ra: 0.085, rb: 0.06 }, // skull
  { a: [0, 1.2, 0.98], b: [0, 1.16, 1.06], ra: 0.06, rb: 0.052 }, // muzzle
  { a: [0, 0.86, -0.46], b: [0, 0.6, -0.57], ra: 0.042, rb: 0.04 }, // tail
];

const RIGHT_LEGS: readonly Limb[] = [
  { a: [0.11, 0.76, 0.3], b: [0.125, 0.42, 0.32], ra: 0.105, rb: 0.06 },
  { a: [0.125, 0.42, 0.32], b: [0.13, 0.06, 0.3], ra: 0.06, rb: 0.046 },
  { a: [0.13, 0.05, 0.31], b: [0.13, 0.05, 0.35], ra: 0.056, rb: 0.05 },
  { a: [0.11, 0.74, -0.3], b: [0.125, 0.44, -0.3], ra: 0.125, rb: 0.066 },
  { a: [0.125, 0.44, -0.3], b: [0.13, 0.06, -0.36], ra: 0.064, rb: 0.046 },
  { a: [0.13, 0.05, -0.35], b: [0.13, 0.05, -0.31], ra: 0.056, rb: 0.05 },
];

/** How widely limbs melt into each other, m. */
const BLEND = 0.07;
/** Enough room around the limbs' axes. */
const MARGIN = 0.25;

/** Height of the lowest point above the floor, m. */
const CLEARANCE = 0.006;

export function camel(vertices: number): Mesh {
  const limbs = [...TRUNK, ...RIGHT_LEGS, ...RIGHT_LEGS.map(mirrored)];
  const ends = limbs.flatMap(({ a, b }): Point[] => [a, b]).flat();
  const { min, max } = boundsOf(ends);
  for (let c = 0; c < 3; c++) {
    min[c] -= MARGIN;
    max[c] += MARGIN;
  }
  const body = polygonize(smoothUnion(limbs.map(limbFunction), BLEND), { min, max }, vertices);
  const lift = CLEARANCE - boundsOf(body.positions).min[1];
  for (let o = 1; o < body.positions.length; o += 3) body.positions[o] += lift;
  return finished(wrapUvs({ name: 'camel', ...body }));
}
