import type { FitProblem, Support } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';

/**
 * What the error would rise by if a bone were removed and its vertices re-solved on the rest of their supports (B values).
 * With I = G_SS⁻¹ and x = I·1, leaving out slot j turns 1/Σx into 1/(Σx − x_j²/I_jj). A vertex with no other bone loses
 * its best alternative's advantage over the whole set.
 */
export function removalCosts(problem: FitProblem, products: BoneProducts, support: Support): Float64Array {
  const { boneCount, columns, pairs } = products;
  const { rank, z, zNorm2, rest, monomials, mass } = problem;
  const costs = new Float64Array(boneCount);
  const k = support.influences;
  const h = new Float64Array(boneCount);
  const entry = (i: number, b: number, c: number): number => {
    let g = zNorm2[i] - h[b] - h[c];
    const o = (b * boneCount + c) * 10;
    for (let m = 0; m < 10; m++) g += pairs[o + m] * monomials[10 * i + m];
    return g;
  };
  const project = (i: number, b: number): void => {
    let sum = 0;
    for (let x = 0; x < rank; x++) {
      let column = 0;
      for (let c = 0; c < 4; c++) column += rest[4 * i + c] * columns[x * 4 * boneCount + 4 * b + c];
      sum += column * z[i * rank + x];
    }
    h[b] = sum;
  };
  const g = new Float64Array(k * k);
  for (let i = 0; i < problem.vertexCount; i++) {
    const count = support.count[i];
    const joints = support.joints.subarray(i * k, i * k + count);
    if (count === 1) {
      for (let b = 0; b < boneCount; b++) project(i, b);
      let alternative = Infinity;
      for (let b = 0; b < boneCount; b++) if (b !== joints[0]) alternative = Math.min(alternative, entry(i, b, b));
      if (boneCount > 1) costs[joints[0]] += mass[i] * Math.max(0, alternative - entry(i, joints[0], joints[0]));
      continue;
    }
    for (const b of joints) project(i, b);
    let trace = 0;
    for (let s = 0; s < count; s++) {
      for (let t = 0; t <= s; t++) g[s * k + t] = g[t * k + s] = entry(i, joints[s], joints[t]);
      trace += g[s * k + s];
    }
    for (let s = 0; s < count; s++) g[s * k + s] += 1e-10 * trace + 1e-15 * zNorm2[i] + 1e-30;
    if (!invertInPlace(g, count, k)) continue;
    let sumX = 0;
    const x = Array.from({ length: count }, (_, s) => {
      let sum = 0;
      for (let t = 0; t < count; t++) sum += g[s * k + t];
      sumX += sum;
      return sum;
    });
    for (let s = 0; s < count; s++) {
      const left = sumX - (x[s] * x[s]) / g[s * k + s];
      if (left > 0) costs[joints[s]] += mass[i] * (1 / left - 1 / sumX);
    }
  }
  return costs;
}

/** Gauss–Jordan on the leading n × n block; false when a pivot is not positive. */
function invertInPlace(a: Float64Array, n: number, stride: number): boolean {
  for (let p = 0; p < n; p++) {
    const pivot = a[p * stride + p];
    if (!(pivot > 0)) return false;
    a[p * stride + p] = 1;
    for (let t = 0; t < n; t++) a[p * stride + t] /= pivot;
    for (let s = 0; s < n; s++) {
      if (s === p) continue;
      const f = a[s * stride + p];
      a[s * stride + p] = 0;
      for (let t = 0; t < n; t++) a[s * stride + t] -= f * a[p * stride + t];
    }
  }
  return true;
}
