import { projectToBasis } from '../../../decompose/bones/bone-frames.ts';
import { boneProducts } from '../../../decompose/engine/bone-products.ts';
import { emptySupport, type FitProblem, type Support } from '../../../decompose/problem.ts';
import { errorGram } from '../../../decompose/weights/vertex-gram.ts';
import { DenseSimplexQp } from '../../../math/simplex-qp.ts';
import { addInfluence } from '../weights-distance.ts';

/**
 * Weight correction, Antonopoulos 2010 (5.13)–(5.21): for every vertex the change w' of the weights it has, with Σ w' =
 * 0 and w + w' ≥ 0, that minimises the squared error over all poses. The print eliminates the last weight by
 * subtracting its column, (T_b − T_B)·v, with the constraints w'_b ≥ −w_b and Σ_{b<B} w'_b ≤ w_B (its signs are
 * flipped); here the corrected weights themselves are the unknowns, on the simplex, which is the same problem without a
 * special column. The optimum is exact, by active sets. No bone is added to a vertex, as printed: `solveWeights`
 * exchanges bones.
 *
 * @param bones 4B × 3P.
 */
export function correctWeights(problem: FitProblem, support: Support, bones: Float64Array): Support {
  const products = boneProducts(projectToBasis(problem, bones), problem.rank, bones);
  const k = support.influences;
  const out = emptySupport(problem.vertexCount, k);
  const qp = new DenseSimplexQp(k, k);
  for (let i = 0; i < problem.vertexCount; i++) {
    const n = support.count[i];
    const joints = support.joints.subarray(i * k, i * k + n);
    const w = qp.w.subarray(0, n);
    w.set(support.weights.subarray(i * k, i * k + n));
    qp.minimize(errorGram(problem, products, i, joints), n);
    for (let s = 0; s < n; s++) if (w[s] !== 0) addInfluence(out, i, joints[s], w[s]);
  }
  return out;
}
