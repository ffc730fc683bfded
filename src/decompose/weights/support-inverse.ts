import type { VertexGram } from './vertex-gram.ts';

/** I = G_SS⁻¹ of a support S of at most `most` bones, and x = I·1. */
export class SupportInverse {
  /** Numbers from one row of `inverse` to the next. */
  readonly stride: number;
  readonly inverse: Float64Array;
  readonly x: Float64Array;

  constructor(most: number) {
    this.stride = most;
    this.inverse = new Float64Array(most * most);
    this.x = new Float64Array(most);
  }

  /** Gauss–Jordan, as G is positive definite; false where rounding made it indefinite. */
  solve(gram: VertexGram, joints: Int32Array, size: number): boolean {
    const { inverse: a, stride } = this;
    for (let s = 0; s < size; s++) {
      for (let t = 0; t <= s; t++) a[s * stride + t] = a[t * stride + s] = gram.entry(joints[s], joints[t]);
    }
    for (let p = 0; p < size; p++) {
      const pivot = a[p * stride + p];
      if (!(pivot > 0)) return false;
      const inv = 1 / pivot;
      a[p * stride + p] = 1;
      for (let t = 0; t < size; t++) a[p * stride + t] *= inv;
      for (let s = 0; s < size; s++) {
        if (s === p) continue;
        const f = a[s * stride + p];
        if (f === 0) continue;
        a[s * stride + p] = 0;
        for (let t = 0; t < size; t++) a[s * stride + t] -= f * a[p * stride + t];
      }
    }
    for (let s = 0; s < size; s++) {
      let sum = 0;
      for (let t = 0; t < size; t++) sum += a[s * stride + t];
      this.x[s] = sum;
    }
    return true;
  }
}
