/**
 * A fine mesh on a coarse one. Each fine vertex r_j has the barycentric coordinates β_jv of its nearest point on the
 * coarse rest mesh, which are hats around the coarse vertices v. With R_v, the rotation of a coarse vertex (the polar factor
 * of its one-ring and normal against those at rest), the embedding is
 *
 *   b_j = (1 − a) Σ β_jv X_v + a Σ β_jv (X_v + R_v (r_j − r_v)) + Σ β_jv R_v o_j,   a = ⅓,
 *
 * a third of the way to Phong tessellation (Boubekeur and Alexa 2008): facets vanish, and the cloth does not bulge.
 * o_j = (1 − a) (r_j − n_j), with the nearest point n_j = Σ β_jv r_v, is what is missing at rest, so that the rest pose is
 * exact. From X_v we take what the Phong share adds on average (bulge.ts), so that the mean under each hat stays on the coarse
 * cloth. With c_j = r_j − (1 − a) n_j this is linear blend skinning: b_j = Σ β_jv (R_v c_j + O_v), O_v = X_v − a R_v r_v − a bulge_v.
 */
import { polar3 } from '../math/svd3.ts';
import { meshEdges } from '../mesh/adjacency.ts';
import { buildBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { crossOfEdges } from '../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { Bulge } from './bulge.ts';
import { coarseHats, hatSums } from './hats.ts';

/** The share of Phong tessellation. */
export const PHONG = 1 / 3;

/** A fine mesh on a coarse one: see the head of the file. */
export class Embedding {
  /** V: coarse vertices. */
  readonly coarseCount: number;
  /** N: fine vertices. */
  readonly count: number;
  /** 3N: the three coarse vertices around each fine one. */
  readonly hats: Uint32Array;
  /** 3N: β, sum 1. */
  readonly weights: Float64Array;
  /** V: Σ_j β_jv. */
  readonly hatSums: Float64Array;
  /** 9V: R of the pose last seen. */
  readonly rotations: Float64Array;
  /** 3V: O of the pose last seen. */
  readonly origins: Float64Array;
  /** 3V: how far fine vertices lie from the coarse rest mesh, r_j − Σ β_jv r_v, as the mean under the hat of v. */
  readonly meanOffsets: Float64Array;
  /** 3V: r_v. */
  readonly rest: Float64Array;
  /** 3N: c_j. */
  readonly points: Float64Array;
  readonly #triangles: Uint32Array;
  readonly #edges: Uint32Array;
  /** 3V: unit vectors. */
  readonly #restNormals: Float64Array;
  readonly #normals: Float64Array;
  readonly #covariances: Float64Array;
  readonly #normal = new Float64Array(3);
  readonly #bulge: Bulge;
  readonly #matrix = new Float64Array(9);
  readonly #symmetric = new Float64Array(9);

  constructor(coarse: Mesh, fine: Mesh) {
    const v = vertexCount(coarse);
    const n = vertexCount(fine);
    this.coarseCount = v;
    this.count = n;
    this.hats = new Uint32Array(3 * n);
    this.weights = new Float64Array(3 * n);
    this.rotations = new Float64Array(9 * v);
    this.rest = Float64Array.from(coarse.positions);
    this.points = new Float64Array(3 * n);
    this.origins = new Float64Array(3 * v);
    this.#triangles = coarse.triangles;
    this.#edges = meshEdges(coarse.triangles, v).vertices;
    this.#restNormals = new Float64Array(3 * v);
    this.#normals = new Float64Array(3 * v);
    this.#covariances = new Float64Array(9 * v);
    this.#sumNormals(this.rest, this.#restNormals);
    for (let o = 0; o < 3 * v; o += 3) {
      const normal = this.#restNormals.subarray(o, o + 3);
      const length = Math.hypot(...normal) || 1;
      for (let c = 0; c < 3; c++) normal[c] /= length;
    }
    this.meanOffsets = new Float64Array(3 * v);

    const bvh = buildBvh(coarse.positions, coarse.triangles);
    const point = surfacePoint();
    for (let j = 0; j < n; j++) {
      const [x, y, z] = fine.positions.subarray(3 * j, 3 * j + 3);
      nearestOnSurface(bvh, x, y, z, point);
      this.hats.set(coarse.triangles.subarray(3 * point.face, 3 * point.face + 3), 3 * j);
      this.weights.set([1 - point.second - point.third, point.second, point.third], 3 * j);
      const nearest = [point.x, point.y, point.z];
      for (let c = 0; c < 3; c++) {
        const r = fine.positions[3 * j + c];
        this.points[3 * j + c] = r - (1 - PHONG) * nearest[c];
        for (let h = 3 * j; h < 3 * j + 3; h++) {
          this.meanOffsets[3 * this.hats[h] + c] += this.weights[h] * (r - nearest[c]);
        }
      }
    }
    this.hatSums = hatSums(coarseHats(this));
    for (let c = 0; c < 3 * v; c++) this.meanOffsets[c] /= this.hatSums[Math.floor(c / 3)] || 1;
    this.#bulge = new Bulge(this);
  }

  /** The fine vertices (3N) of a coarse pose (3V), into `out`. Allocates nothing. */
  apply(pose: Float64Array, out: Float64Array): void {
    this.turn(pose);
    const { hats, weights, points, origins, rotations: r } = this;
    for (let o = 0; o < 3 * this.count; o += 3) {
      const px = points[o];
      const py = points[o + 1];
      const pz = points[o + 2];
      let x = 0;
      let y = 0;
      let z = 0;
      for (let h = o; h < o + 3; h++) {
        const v = 3 * hats[h];
        const m = 3 * v;
        const w = weights[h];
        x += w * (origins[v] + r[m] * px + r[m + 1] * py + r[m + 2] * pz);
        y += w * (origins[v + 1] + r[m + 3] * px + r[m + 4] * py + r[m + 5] * pz);
        z += w * (origins[v + 2] + r[m + 6] * px + r[m + 7] * py + r[m + 8] * pz);
      }
      out[o] = x;
      out[o + 1] = y;
      out[o + 2] = z;
    }
  }

  /** Sees a pose (3V): sets `rotations` and `origins`. */
  turn(pose: Float64Array): void {
    const { rest } = this;
    const cov = this.#covariances;
    cov.fill(0);
    for (let e = 0; e < this.#edges.length; e += 2) {
      const a = 3 * this.#edges[e];
      const b = 3 * this.#edges[e + 1];
      for (let row = 0; row < 3; row++) {
        const x = pose[b + row] - pose[a + row];
        for (let c = 0; c < 3; c++) {
          const product = x * (rest[b + c] - rest[a + c]);
          cov[3 * a + 3 * row + c] += product;
          cov[3 * b + 3 * row + c] += product;
        }
      }
    }
    this.#sumNormals(pose, this.#normals);
    for (let v = 0; v < this.coarseCount; v++) {
      // Normals are as long as twice the area around v, of the size of squared edges: a third of a one-ring's covariance.
      const n = 3 * v;
      for (let row = 0; row < 3; row++) {
        for (let c = 0; c < 3; c++) {
          cov[3 * n + 3 * row + c] += this.#normals[n + row] * this.#restNormals[n + c];
        }
      }
      for (let c = 0; c < 9; c++) this.#matrix[c] = cov[9 * v + c];
      polar3(this.#matrix, this.#symmetric, this.#matrix);
      for (let c = 0; c < 9; c++) this.rotations[9 * v + c] = this.#matrix[c];
    }
    const { origins, rotations: r } = this;
    for (let v = 0; v < origins.length; v += 3) {
      for (let c = 0; c < 3; c++) {
        const m = 3 * v + 3 * c;
        origins[v + c] = pose[v + c] - PHONG * (r[m] * rest[v] + r[m + 1] * rest[v + 1] + r[m + 2] * rest[v + 2]);
      }
    }
    this.#bulge.takeFrom(origins, r, PHONG);
  }

  /** Vertex → the sum of the cross products of its faces. */
  #sumNormals(x: Float64Array, out: Float64Array): void {
    const triangles = this.#triangles;
    const normal = this.#normal;
    out.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t];
      const b = 3 * triangles[t + 1];
      const c = 3 * triangles[t + 2];
      crossOfEdges(normal, x, a, b, a, c);
      for (let axis = 0; axis < 3; axis++) {
        out[a + axis] += normal[axis];
        out[b + axis] += normal[axis];
        out[c + axis] += normal[axis];
      }
    }
  }
}
