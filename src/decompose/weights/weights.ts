import { multiply } from '../../math/dense.ts';
import { SimplexSolver } from '../../math/simplex-qp.ts';
import type { BoneProducts } from '../engine/bone-products.ts';
import { copySupport, type FitProblem, MONOMIAL_STRIDE, type Support, type VertexNeighbours } from '../problem.ts';
import { VertexGram } from './vertex-gram.ts';

/**
 * The weight step. With d_b = z − M_b·ṽ the squared error of a vertex is wᵀ·G·w, G_bc = d_b·d_c, to be minimised over
 * w ≥ 0, Σw = 1, at most k non-zero. Entries of G come without ever forming d:
 *
 *   G_bc = |z|² − h_b − h_c + Σ_m K_bc,m·μ_m,   h_b = ṽᵀM_bᵀz,   K = MᵀM folded to the ten monomials of ṽṽᵀ.
 */

/** Most exchanges of a vertex in one pass. */
const MAX_EXCHANGES = 10;
/** Vertices per matrix product: the block of h and of Z stay in the cache. */
const BLOCK = 128;

/** Calls `visit(i, h, offset)` for every vertex, h_b = h[offset + b]. */
function forEachProjection(
  problem: FitProblem,
  products: BoneProducts,
  visit: (i: number, h: Float64Array, offset: number) => void,
): void {
  const { vertexCount, rank, z, rest } = problem;
  const b4 = 4 * products.boneCount;
  const product = new Float64Array(BLOCK * b4);
  const h = new Float64Array(BLOCK * products.boneCount);
  for (let start = 0; start < vertexCount; start += BLOCK) {
    const count = Math.min(BLOCK, vertexCount - start);
    multiply(product, z.subarray(start * rank, (start + count) * rank), products.columns, count, rank, b4);
    for (let row = 0; row < count; row++) {
      const vi = 4 * (start + row);
      const x = rest[vi];
      const y = rest[vi + 1];
      const zz = rest[vi + 2];
      const w = rest[vi + 3];
      const from = row * b4;
      const to = row * products.boneCount;
      for (let b = 0; b < products.boneCount; b++) {
        const c = from + 4 * b;
        h[to + b] = x * product[c] + y * product[c + 1] + zz * product[c + 2] + w * product[c + 3];
      }
    }
    for (let row = 0; row < count; row++) visit(start + row, h, row * products.boneCount);
  }
}

/**
 * Improves the support in place and returns the sum of squared errors (mass-weighted, in squared diagonals). Neighbours'
 * supports are read as they were before the pass, so that the order of the vertices does not matter.
 */
export function solveWeights(
  problem: FitProblem,
  products: BoneProducts,
  support: Support,
  pass: { exchange: boolean; neighbours?: VertexNeighbours; errors?: Float64Array },
): number {
  const { influences } = support;
  const gram = new VertexGram(problem, products);
  const solver = new SimplexSolver(gram, influences);
  const { neighbours, errors } = pass;
  const before = neighbours ? copySupport(support) : support;
  let total = 0;
  forEachProjection(problem, products, (i, h, offset) => {
    gram.load(i, h, offset);
    solver.start(before.joints, before.weights, i * influences, before.count[i]);
    if (neighbours && before.count[i] > 0) {
      for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1]; c++) {
        const other = neighbours.items[c];
        solver.tryInstead(before.joints, before.weights, other * influences, before.count[other]);
      }
    }
    if (pass.exchange) solver.exchange(MAX_EXCHANGES);
    support.count[i] = solver.store(support.joints, support.weights, i * influences, influences);
    const error = Math.max(0, solver.value);
    if (errors) errors[i] = error;
    total += problem.mass[i] * error;
  });
  return total;
}

/** Each vertex to the bone that predicts it best; `errors` are squared, without mass. */
export function assignToBones(
  problem: FitProblem,
  products: BoneProducts,
  assignment: Int32Array,
  errors: Float64Array,
): void {
  const { boneCount, pairs } = products;
  const { monomials, zNorm2 } = problem;
  forEachProjection(problem, products, (i, h, offset) => {
    let best = Infinity;
    let bestBone = 0;
    for (let b = 0; b < boneCount; b++) {
      const o = (b * boneCount + b) * MONOMIAL_STRIDE;
      let error = zNorm2[i] - 2 * h[offset + b];
      for (let m = 0; m < MONOMIAL_STRIDE; m++) error += pairs[o + m] * monomials[MONOMIAL_STRIDE * i + m];
      if (error < best) {
        best = error;
        bestBone = b;
      }
    }
    assignment[i] = bestBone;
    errors[i] = Math.max(0, best);
  });
}
