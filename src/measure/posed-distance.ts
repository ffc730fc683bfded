import { seededRandom } from '../math/rng.ts';
import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { closestOnTriangle } from '../mesh/closest-point.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { faceArea } from '../mesh/triangle.ts';
import { integerOption, type OptionsOf, resolveOptions, seedOption } from '../model/options.ts';

/**
 * Distance between two surfaces pose by pose, as Cignoni 1998 ("Metro") measures it: points spread by area on each of them,
 * each to the nearest point of the other. Points of one surface alone would miss what the other has lost: a finger that
 * is gone is near to nothing, but everything that is left is near to where it was. The largest distance is also looked for at all
 * vertices, which is where it mostly is.
 */

/** Options of `surfaceDistance`. */
export const DISTANCE_OPTIONS = {
  points: integerOption(12_000, { min: 1, max: 10_000_000 }, 'points spread by area on each surface'),
  seed: seedOption('random seed of the points'),
} as const;

/** Options of `surfaceDistance`. */
export type DistanceOptions = OptionsOf<typeof DISTANCE_OPTIONS>;

/** A surface in a pose. */
export interface PosedTriangles {
  /** 3F. */
  triangles: Uint32Array;
  /** 3N. */
  positions: Float32Array;
}

/** How far two surfaces are from each other, in their unit. */
export interface SurfaceDistance {
  /** Root of the mean of the squared distances both ways. */
  rms: number;
  /** The largest distance of a point or a vertex, either way. */
  max: number;
}

/** Compares two surfaces pose after pose; their hierarchies are built once and refitted. */
export class PosedDistance {
  readonly #a: Sampled;
  readonly #b: Sampled;

  /** Both must have triangles. The positions are a pose that is typical for them. */
  constructor(a: PosedTriangles, b: PosedTriangles, options: Partial<DistanceOptions> = {}) {
    const { points, seed } = resolveOptions(DISTANCE_OPTIONS, options, 'surfaceDistance');
    this.#a = new Sampled(a, points, seed);
    this.#b = new Sampled(b, points, seed + 1);
  }

  /** Between positions of the two surfaces (3 per vertex of each). */
  distance(a: Float32Array, b: Float32Array): SurfaceDistance {
    this.#a.pose(a);
    this.#b.pose(b);
    const there = this.#a.distanceTo(this.#b.bvh);
    const back = this.#b.distanceTo(this.#a.bvh);
    const ofPoints = Math.max(there.max, back.max);
    const max = this.#b.farthestVertex(this.#a, this.#a.farthestVertex(this.#b, ofPoints));
    return { rms: Math.sqrt((there.mean + back.mean) / 2), max };
  }
}

/** Distance between two surfaces in one pose; see `PosedDistance` for many. */
export const surfaceDistance = (
  a: PosedTriangles,
  b: PosedTriangles,
  options: Partial<DistanceOptions> = {},
): SurfaceDistance => new PosedDistance(a, b, options).distance(a.positions, b.positions);

/** A surface with points on it: as many per area everywhere, one in each of equal shares of the area. */
class Sampled {
  readonly bvh: Bvh;
  readonly #triangles: Uint32Array;
  readonly #count: number;
  readonly #seed: number;
  /** 3 per point. */
  readonly #points: Float64Array;
  /** Vertices that have faces, and the face of the other surface that each was nearest to when last looked for. */
  readonly #vertices: Uint32Array;
  readonly #nearTo: Uint32Array;
  /** Face → its place in the hierarchy. */
  readonly #placeOf: Uint32Array;
  #positions: Float32Array;

  constructor({ triangles, positions }: PosedTriangles, count: number, seed: number) {
    this.bvh = buildBvh(positions, triangles);
    this.#triangles = triangles;
    this.#count = count;
    this.#seed = seed;
    this.#points = new Float64Array(3 * count);
    this.#vertices = Uint32Array.from(new Set(triangles));
    this.#nearTo = new Uint32Array(this.#vertices.length);
    this.#placeOf = new Uint32Array(this.bvh.faces.length);
    for (const [place, face] of this.bvh.faces.entries()) this.#placeOf[face] = place;
    this.#positions = positions;
  }

  pose(positions: Float32Array): void {
    this.#positions = positions;
    refitBvh(this.bvh, positions);
    spreadPoints(this.#points, this.#count, positions, this.#triangles, this.#seed);
  }

  /** The largest distance of a vertex, or `max` if none is farther. What was nearest in the pose before is mostly near enough to tell. */
  farthestVertex(other: Sampled, max: number): number {
    const positions = this.#positions;
    const { bvh } = other;
    for (let k = 0; k < this.#vertices.length; k++) {
      const v = 3 * this.#vertices[k];
      const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
      const known = 9 * other.#placeOf[this.#nearTo[k]];
      if (closestOnTriangle(x, y, z, bvh.corners, known) <= max * max) continue;
      nearestOnSurface(bvh, x, y, z, hit);
      this.#nearTo[k] = hit.face;
      max = Math.max(max, hit.distance);
    }
    return max;
  }

  /** The mean of the squared distances and the largest distance of the points. */
  distanceTo(other: Bvh): { mean: number; max: number } {
    const points = this.#points;
    let sum = 0;
    let max = 0;
    for (let p = 0; p < points.length; p += 3) {
      nearestOnSurface(other, points[p], points[p + 1], points[p + 2], hit);
      sum += hit.distance * hit.distance;
      max = Math.max(max, hit.distance);
    }
    return { mean: sum / this.#count, max };
  }
}

const hit = surfacePoint();

function spreadPoints(
  out: Float64Array,
  count: number,
  positions: Float32Array,
  triangles: Uint32Array,
  seed: number,
): void {
  const random = seededRandom(seed);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) total += faceArea(positions, triangles, t);
  let t = 0;
  let reached = faceArea(positions, triangles, 0);
  for (let p = 0; p < count; p++) {
    const wanted = ((p + random()) / count) * total;
    while (reached < wanted && t + 3 < triangles.length) {
      t += 3;
      reached += faceArea(positions, triangles, t);
    }
    // Osada 2002, (1): uniform on a triangle.
    const root = Math.sqrt(random());
    const v = random();
    const [wa, wb, wc] = [1 - root, root * (1 - v), root * v];
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    for (let x = 0; x < 3; x++) {
      out[3 * p + x] = wa * positions[a + x] + wb * positions[b + x] + wc * positions[c + x];
    }
  }
}
