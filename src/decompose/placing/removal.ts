import { SupportInverse } from '../../math/simplex-exchange.ts';
import type { BoneSolver, Solution } from '../bone-solver.ts';
import type { BoneProducts } from '../engine/bone-products.ts';
import { copySupport, type FitProblem, type Support } from '../problem.ts';
import { errorGram } from '../weights/vertex-gram.ts';

/** Groups of bones whose removal is tried. */
const REMOVALS = 4;

/**
 * Removes as many bones as were added last, but not these: those whose absence costs least once their vertices have chosen
 * anew among the others. Weight steps decide, one for each group of bones that the estimate below, which is without that
 * choice, names; what it costs a vertex is shared out among the bones that it loses.
 */
export async function removeOldBones<Bones>(
  solver: BoneSolver<Bones>,
  { bones, support }: Solution<Bones>,
  added: number,
): Promise<Solution<Bones>> {
  const { problem, kind } = solver;
  const costs = removalCosts(problem, kind.products(problem, bones), support);
  const old = Array.from(costs.keys()).slice(0, -added);
  old.sort((a, b) => costs[a] - costs[b] || a - b);
  const without = async (gone: ReadonlySet<number>, errors?: Float64Array): Promise<Solution<Bones>> => {
    const others = Array.from(costs.keys()).filter((b) => !gone.has(b));
    const kept = kind.select(problem, bones, others);
    const fewer = [...gone].sort((a, b) => b - a).reduce(withoutBone, support);
    return { bones: kept, support: fewer, error: await solver.solveWeights(kept, fewer, { exchange: true, errors }) };
  };

  let best: Solution<Bones> = { bones, support, error: Infinity };
  const missed = new Float64Array(costs.length).fill(Infinity);
  const errors = new Float64Array(problem.vertexCount);
  const before = new Float64Array(problem.vertexCount);
  if (added > 1) await solver.solveWeights(bones, copySupport(support), { exchange: false, errors: before });
  for (let group = 0; group < REMOVALS; group++) {
    const gone = new Set(old.slice(0, REMOVALS * added).filter((_, rank) => rank % REMOVALS === group));
    if (gone.size === 0) continue;
    const tried = await without(gone, errors);
    if (tried.error < best.error && gone.size === added) best = tried;
    if (added > 1)
      shareCosts(
        problem,
        support,
        gone,
        errors.map((error, i) => error - before[i]),
        missed,
      );
  }
  if (added === 1) return best;
  const cheapest = old.slice(0, REMOVALS * added).sort((a, b) => missed[a] - missed[b] || a - b);
  const tried = await without(new Set(cheapest.slice(0, added)));
  return tried.error < best.error ? tried : best;
}

/** missed_b ← what the errors rose by (N) at the vertices that followed bone b of those gone, by its share of the weights they lost. */
function shareCosts(
  { vertexCount, mass }: FitProblem,
  { influences, count, joints, weights }: Support,
  gone: ReadonlySet<number>,
  rises: Float64Array,
  missed: Float64Array,
): void {
  for (const b of gone) missed[b] = 0;
  for (let i = 0; i < vertexCount; i++) {
    let lost = 0;
    for (let s = i * influences; s < i * influences + count[i]; s++) if (gone.has(joints[s])) lost += weights[s];
    if (!(lost > 0)) continue;
    for (let s = i * influences; s < i * influences + count[i]; s++) {
      if (gone.has(joints[s])) missed[joints[s]] += (mass[i] * rises[i] * weights[s]) / lost;
    }
  }
}

/** The support without bone b; the other weights are scaled up, indices above b move down by one. */
function withoutBone(support: Support, bone: number): Support {
  const out = copySupport(support);
  const k = support.influences;
  for (let i = 0; i < support.count.length; i++) {
    let count = 0;
    let sum = 0;
    for (let s = i * k; s < i * k + support.count[i]; s++) {
      const j = support.joints[s];
      if (j === bone) continue;
      out.joints[i * k + count] = j > bone ? j - 1 : j;
      out.weights[i * k + count] = support.weights[s];
      sum += support.weights[s];
      count++;
    }
    if (!(sum > 0)) count = 0; // no bone left: the next weight step starts from the best one
    out.count[i] = count;
    for (let s = 0; s < k; s++) {
      if (s < count) out.weights[i * k + s] /= sum;
      else out.joints[i * k + s] = out.weights[i * k + s] = 0;
    }
  }
  return out;
}

/**
 * What the error would rise by if a bone were removed and its vertices re-solved on the rest of their supports (B values).
 * With I = G_SS⁻¹ and x = I·1, leaving out slot j turns 1/Σx into 1/(Σx − x_j²/I_jj). A vertex with no other bone loses
 * its best alternative's advantage over the whole set.
 */
export function removalCosts(problem: FitProblem, products: BoneProducts, support: Support): Float64Array {
  const { boneCount } = products;
  const { zNorm2, mass } = problem;
  const costs = new Float64Array(boneCount);
  const k = support.influences;
  const inverted = new SupportInverse(k);
  const slots = Int32Array.from({ length: k }, (_, s) => s);
  for (let i = 0; i < problem.vertexCount; i++) {
    const count = support.count[i];
    const joints = support.joints.subarray(i * k, i * k + count);
    if (count === 1) {
      const alone = (b: number): number => errorGram(problem, products, i, [b])[0];
      let alternative = Infinity;
      for (let b = 0; b < boneCount; b++) if (b !== joints[0]) alternative = Math.min(alternative, alone(b));
      if (boneCount > 1) costs[joints[0]] += mass[i] * Math.max(0, alternative - alone(joints[0]));
      continue;
    }
    const g = errorGram(problem, products, i, joints);
    let trace = 0;
    for (let s = 0; s < count; s++) trace += g[s * count + s];
    const ridge = 1e-10 * trace + 1e-15 * zNorm2[i] + 1e-30;
    const entry = (s: number, t: number): number => g[s * count + t] + (s === t ? ridge : 0);
    if (!inverted.solve({ entry }, slots, count)) continue;
    const x = inverted.x.subarray(0, count);
    const sumX = x.reduce((sum, each) => sum + each, 0);
    for (let s = 0; s < count; s++) {
      const left = sumX - (x[s] * x[s]) / inverted.inverse[s * k + s];
      if (left > 0) costs[joints[s]] += mass[i] * (1 / left - 1 / sumX);
    }
  }
  return costs;
}
