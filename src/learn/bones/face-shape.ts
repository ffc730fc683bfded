import type { Examples } from '../examples.ts';

/** Numbers of a face per example: its centroid, and two of its edges. */
export const SHAPE = 9;

/** One face at a time, in the rest pose and in every example: its centroid and the edges from its first corner. */
export class FaceShape {
  readonly rest: Float64Array = new Float64Array(SHAPE);
  /** 9E. */
  readonly posed: Float64Array;
  readonly #examples: Examples;

  constructor(examples: Examples) {
    this.#examples = examples;
    this.posed = new Float64Array(SHAPE * examples.poses.length);
  }

  load(f: number): void {
    const { poses, rest } = this.#examples;
    const p = 3 * rest.triangles[3 * f];
    const q = 3 * rest.triangles[3 * f + 1];
    const r = 3 * rest.triangles[3 * f + 2];
    gather(this.rest, 0, rest.positions, p, q, r);
    for (let k = 0; k < poses.length; k++) gather(this.posed, SHAPE * k, poses[k], p, q, r);
  }
}

/** Centroid and two edges of the triangle with corners at p, q, r of 3N positions. */
function gather(out: Float64Array, o: number, x: Float32Array, p: number, q: number, r: number): void {
  for (let c = 0; c < 3; c++) {
    const first = x[p + c];
    const second = x[q + c];
    const third = x[r + c];
    out[o + c] = (first + second + third) / 3;
    out[o + 3 + c] = second - first;
    out[o + 6 + c] = third - first;
  }
}
