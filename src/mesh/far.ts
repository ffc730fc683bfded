import { boundsOf } from './bounds.ts';

/** Meshes so far from the origin that float32 does not keep their shape. */

/** Beyond as many diagonals, float32 keeps coordinates to 0.006 % of the diagonal or worse. */
const FAR = 2 ** 10;

/** Where a far mesh stands. */
export interface FarPlace {
  /** Its centre; 0 along axes on which it is near the origin. */
  origin: [number, number, number];
  /** Distance from the origin over the diagonal. */
  diagonals: number;
  /** The step of float32 there, in % of the diagonal. */
  stepPercent: number;
}

/** Undefined for meshes that are near enough, and for a single point. */
export function farPlace(positions: ArrayLike<number>): FarPlace | undefined {
  const { min, max } = boundsOf(positions);
  const diagonal = Math.hypot(...max.map((high, c) => high - min[c]));
  const centre = max.map((high, c) => Math.fround((high + min[c]) / 2));
  const diagonals = Math.hypot(...centre) / diagonal;
  if (!(diagonals > FAR && diagonal > 0)) return undefined;
  // Numbers within a factor of two of each other have an exact difference.
  const origin = centre.map((x) => (Math.abs(x) > 4 * diagonal ? x : 0)) as FarPlace['origin'];
  const step = 2 ** (Math.floor(Math.log2(Math.max(...centre.map(Math.abs)))) - 23);
  return { origin, diagonals, stepPercent: (100 * step) / diagonal };
}
