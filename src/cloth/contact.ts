/** What it is to be an obstacle, and what happens to a vertex that touches one. Distances are signed, negative inside. */
import type { Mover } from './body-motion.ts';

/** Cloth that obstacles push. */
export interface Pushed {
  /** 3N. */
  x: Float64Array;
  /** 3N: where the vertices were one sub-step before. Without, there is no friction. */
  previous?: Float64Array;
  /** N: 0 where a vertex is pinned. */
  inverseMass: Float64Array;
  /** N: the distance that a vertex keeps, m. */
  margin: Float64Array;
  /** Coulomb's coefficient. */
  friction: number;
}

export interface Obstacle extends Mover {
  /** Moves free vertices out, in place. */
  push(cloth: Pushed): void;
  /** Lowers `out` (N) to the distances of the vertices (3N), where these are smaller. */
  distances(x: ArrayLike<number>, out: Float64Array): void;
  /** Lowers `distances` (N) likewise, and sets `waysOut` (3N, unit length) where it does. Makes no arrays. */
  approach(x: Float64Array, distances: Float64Array, waysOut: Float64Array): void;
}

/** The way of an obstacle's surface since the last sub-step, at the point of contact. */
export const way = new Float64Array(3);

/**
 * Moves vertex i by `push` along the normal n. Its way along the surface is shortened by Coulomb's friction. What the push
 * adds beyond stopping the vertex adds no speed: a vertex that is found deep inside must not be shot out.
 */
export function pushVertex(
  { x, previous, friction }: Pushed,
  i: number,
  push: number,
  nx: number,
  ny: number,
  nz: number,
) {
  const o = 3 * i;
  if (previous) {
    const wayX = x[o] - previous[o] - way[0];
    const wayY = x[o + 1] - previous[o + 1] - way[1];
    const wayZ = x[o + 2] - previous[o + 2] - way[2];
    const into = wayX * nx + wayY * ny + wayZ * nz;
    const sideX = wayX - into * nx;
    const sideY = wayY - into * ny;
    const sideZ = wayZ - into * nz;
    const side = Math.sqrt(sideX * sideX + sideY * sideY + sideZ * sideZ);
    const brake = side > friction * push ? (friction * push) / side : 1;
    const excess = Math.max(0, push + Math.min(0, into));
    x[o] -= brake * sideX;
    x[o + 1] -= brake * sideY;
    x[o + 2] -= brake * sideZ;
    previous[o] += excess * nx;
    previous[o + 1] += excess * ny;
    previous[o + 2] += excess * nz;
  }
  x[o] += push * nx;
  x[o + 1] += push * ny;
  x[o + 2] += push * nz;
}

/** Moves vertex i by `push` along the normal n, and where it was with it: that adds no speed. */
export function carryVertex(
  x: Float64Array,
  previous: Float64Array | undefined,
  i: number,
  push: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  const o = 3 * i;
  x[o] += push * nx;
  x[o + 1] += push * ny;
  x[o + 2] += push * nz;
  if (!previous) return;
  previous[o] += push * nx;
  previous[o + 1] += push * ny;
  previous[o + 2] += push * nz;
}
