import { DenseSimplexQp } from '../../math/simplex-qp.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { bonesOfMatrices } from '../bones/bone-frames.ts';
import { RIGID } from '../bones/bone-kinds.ts';
import { emptySupport, type FitProblem } from '../problem.ts';
import { skinWeightsOf } from '../skin-weights.ts';
import { errorGram } from './vertex-gram.ts';

/** Bones that a vertex looks at: near ones, then of these the best by themselves. */
const NEAR = 14;
const BEST = 8;
/** Bones that a vertex keeps, the heaviest. (The best four of the eight cost 5 % on faces without residual.) */
const INFLUENCES = 4;

/**
 * Weights of vertices, Σ_b w_b (R_b v + t_b) ≈ v', over all examples, on the simplex. Bones that explain a vertex by
 * themselves are blended by dual quaternions as well as linearly, and in new poses, too: see fit-bones.ts.
 *
 * @param near N: the bones in question, from `nearBones`.
 */
export async function vertexWeights(
  problem: FitProblem,
  { transforms }: { transforms: Float64Array },
  near: readonly (readonly number[])[],
  run: RunOptions = {},
): Promise<SkinWeights> {
  const n = problem.vertexCount;
  const products = RIGID.products(problem, bonesOfMatrices(problem, transforms));
  const support = emptySupport(n, INFLUENCES);
  const qp = new DenseSimplexQp(BEST, BEST);
  for (let i = 0; i < n; i++) {
    if (i % 1000 === 0) await checkpoint(run, 'fit', i, n, 'weights');
    const size = near[i].length;
    const gram = errorGram(problem, products, i, near[i]);
    /** Of some slots of `near` the weights that explain the vertex best, falling. */
    const solve = (slots: readonly number[]): { slot: number; weight: number }[] => {
      qp.w.fill(0);
      qp.w[0] = 1;
      qp.minimize(Float64Array.from(slots.flatMap((a) => slots.map((b) => gram[a * size + b]))), slots.length);
      return slots.map((slot, s) => ({ slot, weight: qp.w[s] })).sort((a, b) => b.weight - a.weight);
    };
    const alone = near[i].map((_, slot) => slot).sort((a, b) => gram[a * (size + 1)] - gram[b * (size + 1)]);
    const heaviest = solve(alone.slice(0, BEST)).slice(0, INFLUENCES);
    const weights = solve(heaviest.map(({ slot }) => slot)).filter(({ weight }) => weight > 0);
    support.count[i] = weights.length;
    weights.forEach(({ slot, weight }, s) => {
      support.joints[i * INFLUENCES + s] = near[i][slot];
      support.weights[i * INFLUENCES + s] = weight;
    });
  }
  return skinWeightsOf(support);
}

/** For every vertex the bones around it, its own first, then those within two steps from bone to bone, nearest first. */
export function nearBones({ rest }: { rest: Mesh }, bones: { count: number; boneOf: Int32Array }): number[][] {
  const { triangles, positions } = rest;
  const n = vertexCount(rest);
  const own: Set<number>[] = Array.from({ length: n }, () => new Set());
  const centres = new Float64Array(3 * bones.count);
  const mass = new Float64Array(bones.count);
  triangles.forEach((i, c) => {
    const b = bones.boneOf[Math.floor(c / 3)];
    own[i].add(b);
    mass[b]++;
    for (let r = 0; r < 3; r++) centres[3 * b + r] += positions[3 * i + r];
  });
  for (let b = 0; b < bones.count; b++) for (let r = 0; r < 3; r++) centres[3 * b + r] /= mass[b];
  const beside: Set<number>[] = Array.from({ length: bones.count }, () => new Set());
  for (const around of own) for (const a of around) for (const b of around) beside[a].add(b);
  const within2 = beside.map((first) => {
    const reached = new Set<number>();
    for (const b of first) for (const c of beside[b]) reached.add(c);
    return [...reached];
  });
  const all = Array.from({ length: bones.count }, (_, b) => b);
  return own.map((mine, i) => {
    const reached = mine.size > 0 ? new Set([...mine].flatMap((b) => within2[b])) : new Set(all);
    const distance = (b: number): number =>
      Math.hypot(
        centres[3 * b] - positions[3 * i],
        centres[3 * b + 1] - positions[3 * i + 1],
        centres[3 * b + 2] - positions[3 * i + 2],
      );
    const others = [...reached].filter((b) => !mine.has(b)).sort((a, b) => distance(a) - distance(b));
    return [...mine, ...others].slice(0, NEAR);
  });
}
