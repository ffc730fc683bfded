import { buildBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import type { Mesh } from '../../model/mesh.ts';

/** Points that the coarse mesh carries: each stays where it is at rest, seen from the triangle next to it. */
export class CoarsePoints {
  readonly count: number;
  /** P: the triangle that carries a point. */
  readonly faces: Uint32Array;
  /** 3P: its corners, and the barycentric weights of the point below. */
  readonly #corners: Uint32Array;
  readonly #weights: Float64Array;
  /** 3P: from there to the point, at rest. */
  readonly #offsets: Float64Array;

  /** @param points 3P, at rest. */
  constructor(coarse: Mesh, points: ArrayLike<number>) {
    this.count = points.length / 3;
    this.faces = new Uint32Array(this.count);
    this.#corners = new Uint32Array(points.length);
    this.#weights = new Float64Array(points.length);
    this.#offsets = new Float64Array(points.length);
    const bvh = buildBvh(coarse.positions, coarse.triangles);
    const near = surfacePoint();
    for (let p = 0; p < this.count; p++) {
      nearestOnSurface(bvh, points[3 * p], points[3 * p + 1], points[3 * p + 2], near);
      this.faces[p] = near.face;
      this.#corners.set(coarse.triangles.subarray(3 * near.face, 3 * near.face + 3), 3 * p);
      this.#weights.set([1 - near.second - near.third, near.second, near.third], 3 * p);
      const below = [near.x, near.y, near.z];
      for (let c = 0; c < 3; c++) this.#offsets[3 * p + c] = points[3 * p + c] - below[c];
    }
  }

  /** Into `out` (3P) for a pose (3V) and the rotations of its triangles (9T). */
  place(pose: ArrayLike<number>, rotations: Float64Array, out: Float64Array): void {
    for (let p = 0; p < this.count; p++) {
      const o = 3 * p;
      const m = 9 * this.faces[p];
      for (let c = 0; c < 3; c++) {
        const row = m + 3 * c;
        let x = 0;
        for (let q = o; q < o + 3; q++) {
          x += this.#weights[q] * pose[3 * this.#corners[q] + c] + rotations[row + q - o] * this.#offsets[q];
        }
        out[o + c] = x;
      }
    }
  }
}
