import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import { polar3, svd3 } from '../../math/svd3.ts';
import { faceNeighbours, meshEdges } from '../../mesh/adjacency.ts';
import { faceArea } from '../../mesh/triangle.ts';
import { type Mesh, triangleCount, vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { mergeFaces } from './merge-faces.ts';

/**
 * Patches P_k of the fine mesh as rigid proxy bones (Feng 2010, §3.4.1). Faces are merged as long as one rigid motion per example
 * explains them: of all pairs the one whose common motion adds the least squared error (in the spirit of Wang et al. 2007,
 * whose clustering the chapter follows). Corners count by a third of the area of their faces at rest.
 */
export interface Patches {
  /** B. */
  count: number;
  /** F: face → patch. */
  boneOf: Int32Array;
  /** E·B·12: rest → example, rigid. */
  transforms: Float64Array;
}

/** Examples that decide which faces are merged, evenly out of all: more cost memory and change little. */
const DECIDING = 24;

export async function fitPatches(
  rest: Mesh,
  poses: readonly Float32Array[],
  wanted: number,
  run: RunOptions = {},
): Promise<Patches> {
  const step = Math.max(1, Math.ceil(poses.length / DECIDING));
  const sums = new RigidSums(
    rest,
    poses.filter((_, k) => k % step === 0),
  );
  const faces = triangleCount(rest);
  const errors = Float64Array.from({ length: faces }, (_, f) => sums.error(f));
  const neighbours = faceNeighbours(meshEdges(rest.triangles, vertexCount(rest)));
  const { clusterOf: boneOf, count } = await mergeFaces(
    neighbours,
    wanted,
    {
      cost: (a, b) => sums.error(a, b) - errors[a] - errors[b],
      merge: (a, b) => {
        sums.add(a, b);
        errors[a] = sums.error(a);
      },
    },
    run,
    'merging faces into patches',
  );
  return { count, boneOf, transforms: patchTransforms(rest, poses, boneOf, count) };
}

/** E·B·12: the rigid motions of patches with the least squares. */
function patchTransforms(rest: Mesh, poses: readonly Float32Array[], boneOf: Int32Array, count: number): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * poses.length * count);
  const rotation = new Float64Array(9);
  const symmetric = new Float64Array(9);
  poses.forEach((pose, k) => {
    const sums = new RigidSums(rest, [pose]);
    const first = new Int32Array(count).fill(-1);
    boneOf.forEach((b, f) => {
      if (first[b] < 0) first[b] = f;
      else sums.add(first[b], f);
    });
    for (let b = 0; b < count; b++) {
      const { covariance, from, to } = sums.of(first[b]);
      polar3(rotation, symmetric, covariance);
      const o = MATRIX_STRIDE * (k * count + b);
      for (let r = 0; r < 3; r++) {
        out.set(rotation.subarray(3 * r, 3 * r + 3), o + 4 * r);
        let t = to[r];
        for (let c = 0; c < 3; c++) t -= rotation[3 * r + c] * from[c];
        out[o + 4 * r + 3] = t;
      }
    }
  });
  return out;
}

/** Numbers of a cluster per pose: Σ x (3), Σ x·vᵀ (9). */
const SUMS = 12;

/** Per cluster of faces what its best rigid motion in every pose is made of. */
class RigidSums {
  readonly #poses: number;
  readonly #sums: Float64Array;
  /** 5 per cluster: Σ 1, Σ v (3), and Σ (|x|² + |v|²) over all poses. */
  readonly #rest: Float64Array;
  readonly #covariance = new Float64Array(9);
  readonly #spare = new Float64Array(9);
  readonly #sigma = new Float64Array(3);

  constructor({ positions: v, triangles }: Mesh, poses: readonly Float32Array[]) {
    const faces = triangles.length / 3;
    this.#poses = poses.length;
    this.#sums = new Float64Array(SUMS * faces * poses.length);
    this.#rest = new Float64Array(5 * faces);
    for (let f = 0; f < faces; f++) {
      const share = faceArea(v, triangles, 3 * f) / 3 || Number.MIN_VALUE;
      const rest = this.#rest.subarray(5 * f, 5 * f + 5);
      for (let corner = 3 * f; corner < 3 * f + 3; corner++) {
        const i = 3 * triangles[corner];
        rest[0] += share;
        for (let c = 0; c < 3; c++) {
          rest[1 + c] += share * v[i + c];
          rest[4] += share * poses.length * v[i + c] ** 2;
        }
        for (let k = 0; k < poses.length; k++) {
          const o = SUMS * (f * poses.length + k);
          for (let r = 0; r < 3; r++) {
            const x = poses[k][i + r];
            rest[4] += share * x * x;
            this.#sums[o + r] += share * x;
            for (let c = 0; c < 3; c++) this.#sums[o + 3 + 3 * r + c] += share * x * v[i + c];
          }
        }
      }
    }
  }

  /** Σ |R v + t − x|² of a cluster, or of two together, under its best rigid motions. */
  error(a: number, b?: number): number {
    const rest = this.#rest;
    const second = b === undefined ? 0 : 5 * b;
    const also = b === undefined ? 0 : 1;
    const mass = rest[5 * a] + also * rest[second];
    let sum = rest[5 * a + 4] + also * rest[second + 4];
    let restMean2 = 0;
    for (let c = 1; c < 4; c++) restMean2 += (rest[5 * a + c] + also * rest[second + c]) ** 2 / mass;
    sum -= this.#poses * restMean2;
    for (let k = 0; k < this.#poses; k++) {
      sum -= this.#load(a, b, k);
      svd3(this.#spare, this.#sigma, this.#spare, this.#covariance);
      sum -= 2 * (this.#sigma[0] + this.#sigma[1] + this.#sigma[2]);
    }
    return Math.max(0, sum);
  }

  /** b becomes part of a. */
  add(a: number, b: number): void {
    for (let c = 0; c < 5; c++) this.#rest[5 * a + c] += this.#rest[5 * b + c];
    const length = SUMS * this.#poses;
    for (let c = 0; c < length; c++) this.#sums[length * a + c] += this.#sums[length * b + c];
  }

  /** What the motion of a cluster in the first pose follows from: covariance, and the centroids that go to each other. */
  of(a: number): { covariance: Float64Array; from: number[]; to: number[] } {
    this.#load(a, undefined, 0);
    const mass = this.#rest[5 * a];
    return {
      covariance: this.#covariance,
      from: Array.from(this.#rest.subarray(5 * a + 1, 5 * a + 4), (x) => x / mass),
      to: Array.from(this.#sums.subarray(SUMS * this.#poses * a, SUMS * this.#poses * a + 3), (x) => x / mass),
    };
  }

  /** Σ (x − x̄)(v − v̄)ᵀ in pose k into `#covariance`; returns |Σ x|² / Σ 1. */
  #load(a: number, b: number | undefined, k: number): number {
    const rest = this.#rest;
    const sums = this.#sums;
    const o = SUMS * (a * this.#poses + k);
    const q = b === undefined ? o : SUMS * (b * this.#poses + k);
    const also = b === undefined ? 0 : 1;
    const second = b === undefined ? 0 : 5 * b;
    const mass = rest[5 * a] + also * rest[second];
    let mean2 = 0;
    for (let r = 0; r < 3; r++) {
      const x = sums[o + r] + also * sums[q + r];
      mean2 += (x * x) / mass;
      for (let c = 0; c < 3; c++) {
        const v = rest[5 * a + 1 + c] + also * rest[second + 1 + c];
        const at = 3 + 3 * r + c;
        this.#covariance[at - 3] = sums[o + at] + also * sums[q + at] - (x * v) / mass;
      }
    }
    return mean2;
  }
}
