import { polar3 } from '../../math/svd3.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type FaceShape, SHAPE } from './face-shape.ts';

/** Numbers that a bone's transform is made of, per example. */
const SUMS = 12;
/** What an edge counts against a vertex. */
const EDGE_SHARE = 0.5;
/**
 * What edges and corners about their centroid count. With d₁ and d₂ the errors of two edges, the third's is d₁ − d₂, so the
 * three edges sum to 2·(|d₁|² + |d₂|² − d₁·d₂), and the corners, less their mean, to a third of that.
 */
const SHAPE_SHARE = 2 * EDGE_SHARE + 2 / 3;

/** The rigid motion of each bone that explains its faces best in every example; cluster-bones.ts has the error of a face. */
export class FaceMotions {
  /** B·E·12: bone by bone, which is how they are read here. */
  readonly #motions: Float64Array;
  /** Per bone and example: Σ 3x̄ (3), and Σ 3x̄·v̄ᵀ with the edges' share (9). Kept up to date as faces move. */
  readonly #sums: Float64Array;
  /** Per bone: the number of corners, Σ 3v̄. */
  readonly #restSums: Float64Array;
  readonly #exampleCount: number;

  constructor(most: number, exampleCount: number) {
    this.#exampleCount = exampleCount;
    this.#motions = new Float64Array(MATRIX_STRIDE * most * exampleCount);
    this.#sums = new Float64Array(SUMS * most * exampleCount);
    this.#restSums = new Float64Array(4 * most);
  }

  /** E·12: the motion of bone b. */
  of(b: number): Float64Array {
    const length = MATRIX_STRIDE * this.#exampleCount;
    return this.#motions.subarray(b * length, (b + 1) * length);
  }

  /** E·B·12 of the first B = `count` bones, example by example. */
  transforms(count: number): Float64Array {
    const e = this.#exampleCount;
    const out = new Float64Array(MATRIX_STRIDE * e * count);
    for (let b = 0; b < count; b++) {
      for (let k = 0; k < e; k++) {
        const from = MATRIX_STRIDE * (b * e + k);
        out.set(this.#motions.subarray(from, from + MATRIX_STRIDE), MATRIX_STRIDE * (k * count + b));
      }
    }
    return out;
  }

  /** Σ over examples of a face's error under bone b; gives up beyond `limit`. */
  error({ rest, posed: s }: FaceShape, b: number, limit = Infinity): number {
    const m = this.#motions;
    const [vx, vy, vz, ax, ay, az, bx, by, bz] = rest;
    const end = s.length;
    let o = (MATRIX_STRIDE * b * end) / SHAPE;
    let sum = 0;
    for (let at = 0; at < end && sum < limit; at += SHAPE) {
      for (let r = 0; r < 3; r++) {
        const m0 = m[o];
        const m1 = m[o + 1];
        const m2 = m[o + 2];
        const stray = m0 * vx + m1 * vy + m2 * vz + m[o + 3] - s[at + r];
        const first = m0 * ax + m1 * ay + m2 * az - s[at + 3 + r];
        const second = m0 * bx + m1 * by + m2 * bz - s[at + 6 + r];
        sum += 3 * stray * stray + SHAPE_SHARE * (first * first + second * second - first * second);
        o += 4;
      }
    }
    return sum;
  }

  /** Adds (sign 1) or takes away (−1) what a face contributes to the sums of bone b. */
  enter({ rest, posed: s }: FaceShape, b: number, sign: 1 | -1): void {
    const sums = this.#sums;
    const [vx, vy, vz, ax, ay, az, bx, by, bz] = rest;
    this.#restSums[4 * b] += 3 * sign;
    this.#restSums[4 * b + 1] += 3 * sign * vx;
    this.#restSums[4 * b + 2] += 3 * sign * vy;
    this.#restSums[4 * b + 3] += 3 * sign * vz;
    // The product of edges that belongs to |d₁|² + |d₂|² − d₁·d₂.
    const share = (sign * SHAPE_SHARE) / 2;
    const [px, py, pz] = [share * (2 * ax - bx), share * (2 * ay - by), share * (2 * az - bz)];
    const [qx, qy, qz] = [share * (2 * bx - ax), share * (2 * by - ay), share * (2 * bz - az)];
    let o = (SUMS * b * s.length) / SHAPE;
    for (let at = 0; at < s.length; at += SHAPE) {
      for (let r = 0; r < 3; r++) {
        const x = 3 * sign * s[at + r];
        const first = s[at + 3 + r];
        const second = s[at + 6 + r];
        const row = o + 3 + 3 * r;
        sums[o + r] += x;
        sums[row] += x * vx + first * px + second * qx;
        sums[row + 1] += x * vy + first * py + second * qy;
        sums[row + 2] += x * vz + first * pz + second * qz;
      }
      o += SUMS;
    }
  }

  /** The rigid transforms of the first `count` bones in every example: orthogonal Procrustes over its vertices and edges. */
  solve(count: number): void {
    const e = this.#exampleCount;
    const sums = this.#sums;
    const rests = this.#restSums;
    const a = new Float64Array(9);
    const rotation = new Float64Array(9);
    const stretch = new Float64Array(9);
    for (let b = 0; b < count; b++) {
      const mass = rests[4 * b];
      for (let k = 0; k < e; k++) {
        const from = SUMS * (b * e + k);
        for (let r = 0; r < 3; r++) {
          for (let s = 0; s < 3; s++) {
            a[3 * r + s] = sums[from + 3 + 3 * r + s] - (sums[from + r] * rests[4 * b + 1 + s]) / mass;
          }
        }
        polar3(rotation, stretch, a);
        const o = MATRIX_STRIDE * (b * e + k);
        for (let r = 0; r < 3; r++) {
          let t = sums[from + r];
          for (let s = 0; s < 3; s++) {
            this.#motions[o + 4 * r + s] = rotation[3 * r + s];
            t -= rotation[3 * r + s] * rests[4 * b + 1 + s];
          }
          this.#motions[o + 4 * r + 3] = t / mass;
        }
      }
    }
  }
}
