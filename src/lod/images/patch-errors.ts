import { seededRandom } from '../../math/rng.ts';
import { type Bvh, buildBvh, refitBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import { faceArea } from '../../mesh/triangle.ts';

/** Points on each surface. */
const POINTS = 6000;

/** Points spread by area on a surface, and the surface in the pose at hand. */
class Spread {
  readonly bvh: Bvh;
  readonly #triangles: Uint32Array;
  readonly #faces: Uint32Array;
  readonly #weights: Float64Array;
  #positions: Float32Array;

  constructor(triangles: Uint32Array, positions: Float32Array, seed: number, points = POINTS) {
    this.#triangles = triangles;
    this.#positions = positions;
    this.bvh = buildBvh(positions, triangles);
    const random = seededRandom(seed);
    const sums = new Float64Array(triangles.length / 3);
    let total = 0;
    for (let f = 0; f < sums.length; f++) sums[f] = total += faceArea(positions, triangles, 3 * f);
    this.#faces = new Uint32Array(points);
    this.#weights = new Float64Array(2 * points);
    for (let q = 0, f = 0; q < points; q++) {
      // One point in each of `points` equal shares of the area.
      const at = ((q + random()) / points) * total;
      while (f + 1 < sums.length && sums[f] < at) f++;
      const root = Math.sqrt(random());
      const along = random();
      this.#faces[q] = f;
      this.#weights[2 * q] = root * (1 - along);
      this.#weights[2 * q + 1] = root * along;
    }
  }

  pose(positions: Float32Array): void {
    this.#positions = positions;
    refitBvh(this.bvh, positions);
  }

  /** Calls `at` for every point with its face, its distance from the other surface, and the face there. */
  eachTo(other: Bvh, at: (face: number, distance: number, otherFace: number) => void): void {
    const x = this.#positions;
    const found = surfacePoint();
    for (let q = 0; q < this.#faces.length; q++) {
      const t = 3 * this.#faces[q];
      const [a, b, c] = [3 * this.#triangles[t], 3 * this.#triangles[t + 1], 3 * this.#triangles[t + 2]];
      const [v, w] = [this.#weights[2 * q], this.#weights[2 * q + 1]];
      const u = 1 - v - w;
      const place = [0, 1, 2].map((d) => u * x[a + d] + v * x[b + d] + w * x[c + d]);
      if (nearestOnSurface(other, place[0], place[1], place[2], found)) at(this.#faces[q], found.distance, found.face);
    }
  }
}

/** How far a level of patches is from the surface. */
export interface PatchErrors {
  /** P: the largest distance at each patch, over the poses. */
  max: Float32Array;
  /** P: the mean squared distance, the same. */
  mean: Float64Array;
  /** Root mean square and largest over all poses. */
  rms: number;
  largest: number;
}

/** A surface in K poses. */
export interface Posed {
  triangles: Uint32Array;
  /** K × 3 per vertex. */
  poses: readonly Float32Array[];
}

/**
 * Distances both ways between a surface and a level of its patches. Points are spread by area on the *surface* too: a patch's
 * own samples miss what the flattening has lost. A point of the surface counts for the patch that is nearest to it.
 *
 * @param patchOf F of the level: face → patch.
 */
export function patchErrors(
  original: Posed,
  level: Posed,
  patchOf: ArrayLike<number>,
  patches: number,
  points = POINTS,
): PatchErrors {
  const a = new Spread(original.triangles, original.poses[0], 1, points);
  const b = new Spread(level.triangles, level.poses[0], 2, points);
  const max = new Float32Array(patches);
  const mean = new Float64Array(patches);
  const counts = new Uint32Array(patches);
  let sum = 0;
  let count = 0;
  let largest = 0;
  const note = (patch: number, distance: number): void => {
    if (distance > max[patch]) max[patch] = distance;
    if (distance > largest) largest = distance;
    mean[patch] += distance * distance;
    counts[patch]++;
    sum += distance * distance;
    count++;
  };
  original.poses.forEach((pose, k) => {
    a.pose(pose);
    b.pose(level.poses[k]);
    a.eachTo(b.bvh, (_, distance, face) => note(patchOf[face], distance));
    b.eachTo(a.bvh, (face, distance) => note(patchOf[face], distance));
  });
  for (let p = 0; p < patches; p++) mean[p] /= counts[p] || 1;
  return { max, mean, rms: Math.sqrt(sum / (count || 1)), largest };
}
