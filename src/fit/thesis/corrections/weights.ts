import { projectToBasis } from '../../../decompose/bones/bone-frames.ts';
import { boneProducts } from '../../../decompose/engine/bone-products.ts';
import { copySupport, type FitProblem, type Support } from '../../../decompose/problem.ts';
import { errorGram } from '../../../decompose/weights/vertex-gram.ts';
import { DenseSimplexQp } from '../../../math/simplex-qp.ts';

/**
 * Weight correction, Antonopoulos 2010 (5.13)–(5.21): for every vertex the change w' of the weights it has, with Σ w' =
 * 0 and w + w' ≥ 0, that minimises the squared error over all poses. The print eliminates the last weight by
 * subtracting its column, (T_b − T_B)·v, with the constraints w'_b ≥ −w_b and Σ_{b<B} w'_b ≤ w_B (its signs are
 * flipped); here the corrected weights themselves are the unknowns, on the simplex, which is the same problem without a
 * special column. The optimum is exact, by active sets. No bone is added to a vertex, as printed: `solveWeights`
 * exchanges bones.
 */
export interface WeightCorrection {
  support: Support;
  /** Sums of squared errors over vertices and frames, in squared diagonals. */
  errorBefore: number;
  errorAfter: number;
}

/** @param bones 4B × 3P. */
export function correctWeights(problem: FitProblem, support: Support, bones: Float64Array): WeightCorrection {
  const products = boneProducts(projectToBasis(problem, bones), problem.rank, bones);
  const out = copySupport(support);
  const k = support.influences;
  const qp = new DenseSimplexQp(k, k);
  let errorBefore = 0;
  let errorAfter = 0;
  for (let i = 0; i < problem.vertexCount; i++) {
    const n = support.count[i];
    const g = errorGram(problem, products, i, support.joints.subarray(i * k, i * k + n));
    const w = qp.w.subarray(0, n);
    w.set(support.weights.subarray(i * k, i * k + n));
    let before = 0;
    for (let s = 0; s < n; s++) for (let t = 0; t < n; t++) before += w[s] * g[s * n + t] * w[t];
    const after = qp.minimize(g, n);
    errorBefore += problem.mass[i] * Math.max(0, before);
    errorAfter += problem.mass[i] * Math.max(0, after);

    let count = 0;
    for (let s = 0; s < n; s++) {
      if (w[s] === 0) continue;
      out.joints[i * k + count] = support.joints[i * k + s];
      out.weights[i * k + count++] = w[s];
    }
    out.count[i] = count;
    out.joints.fill(0, i * k + count, (i + 1) * k);
    out.weights.fill(0, i * k + count, (i + 1) * k);
  }
  return { support: out, errorBefore, errorAfter };
}
