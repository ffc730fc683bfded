import type { BoneSolver, Solution } from '../bone-solver.ts';
import { type FitProblem, heaviestJoint, type Support, type VertexNeighbours } from '../problem.ts';
import { growBones, growPatch, type Patch, patchSize } from './patches.ts';

/**
 * Where more bones would help most. Of patches around the peaks of the smoothed residual those whose bones have the
 * largest Frank–Wolfe gain, Σ max(0, r·(r − d))²/|r − d|², r the residual of a vertex and d what it would be if it
 * followed the new bone alone.
 */

/** Patches weighed against each other, for each one that is wanted. */
const CANDIDATES = 12;

/**
 * At most `wanted` patches, the best first, that have no vertex and no parent in common.
 *
 * @param tabu N: 1 for vertices that may not be the middle of a patch.
 */
export function promisingPatches<Bones>(
  solver: BoneSolver<Bones>,
  { bones, support }: Solution<Bones>,
  tabu: Uint8Array,
  wanted: number,
): Patch[] {
  const { problem, kind, neighbours } = solver;
  const count = solver.count(bones);
  const residuals = residualsOf(problem, kind.reduced(problem, bones), support);
  const errors = new Float64Array(problem.vertexCount);
  for (let i = 0; i < problem.vertexCount; i++) {
    for (let c = 0; c < problem.rank; c++) errors[i] += residuals[i * problem.rank + c] ** 2;
    errors[i] *= problem.mass[i];
  }
  const size = patchSize(problem.vertexCount, count);
  const patches = peaks(smooth(errors, neighbours), neighbours, tabu, CANDIDATES * wanted).map((seed) => ({
    parent: heaviestJoint(support, seed),
    vertices: growPatch(neighbours, seed, size),
  }));
  if (patches.length === 0) return [];

  const everything = kind.reduced(problem, growBones(solver, bones, patches));
  const gains = frankWolfeGains(problem, residuals, everything.subarray(4 * count * problem.rank));
  const chosen: Patch[] = [];
  const taken = new Set<number>();
  const parents = new Set<number>();
  for (const { patch } of patches.map((patch, p) => ({ patch, gain: gains[p] })).sort((a, b) => b.gain - a.gain)) {
    if (chosen.length === wanted) break;
    if (parents.has(patch.parent) || patch.vertices.some((i) => taken.has(i))) continue;
    chosen.push(patch);
    parents.add(patch.parent);
    for (const i of patch.vertices) taken.add(i);
  }
  return chosen;
}

/** N·r: z − Σ_b w_b·M_b·ṽ. */
function residualsOf(problem: FitProblem, bones: Float64Array, support: Support): Float64Array {
  const { vertexCount, rank, z, rest } = problem;
  const out = z.slice();
  const k = support.influences;
  for (let i = 0; i < vertexCount; i++) {
    for (let s = 0; s < support.count[i]; s++) {
      const b = support.joints[i * k + s];
      for (let c = 0; c < 4; c++) {
        const f = support.weights[i * k + s] * rest[4 * i + c];
        const row = (4 * b + c) * rank;
        for (let x = 0; x < rank; x++) out[i * rank + x] -= f * bones[row + x];
      }
    }
  }
  return out;
}

/** Average over each vertex and its neighbours, twice. */
function smooth(values: Float64Array, { offsets, items }: VertexNeighbours): Float64Array {
  let from = values;
  for (let pass = 0; pass < 2; pass++) {
    const to = from.slice();
    for (let i = 0; i < to.length; i++) {
      for (let c = offsets[i]; c < offsets[i + 1]; c++) to[i] += from[items[c]];
      to[i] /= offsets[i + 1] - offsets[i] + 1;
    }
    from = to;
  }
  return from;
}

/** The largest local maxima outside the tabu patches. */
function peaks(values: Float64Array, { offsets, items }: VertexNeighbours, tabu: Uint8Array, most: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (tabu[i]) continue;
    let isPeak = true;
    for (let c = offsets[i]; c < offsets[i + 1] && isPeak; c++) isPeak = values[items[c]] <= values[i];
    if (isPeak) found.push(i);
  }
  return found.sort((a, b) => values[b] - values[a] || a - b).slice(0, most);
}

/** For each of the given bones (4C × r) the decrease of the error if every vertex may move towards it. */
function frankWolfeGains(problem: FitProblem, residuals: Float64Array, bones: Float64Array): Float64Array {
  const { vertexCount, rank, z, rest, mass } = problem;
  const count = bones.length / (4 * rank);
  const gains = new Float64Array(count);
  for (let p = 0; p < count; p++) {
    const m = 4 * p * rank;
    for (let i = 0; i < vertexCount; i++) {
      const v0 = rest[4 * i];
      const v1 = rest[4 * i + 1];
      const v2 = rest[4 * i + 2];
      const v3 = rest[4 * i + 3];
      let along = 0;
      let length2 = 0;
      for (let x = 0, zi = i * rank; x < rank; x++, zi++) {
        const predicted =
          v0 * bones[m + x] + v1 * bones[m + rank + x] + v2 * bones[m + 2 * rank + x] + v3 * bones[m + 3 * rank + x];
        const r = residuals[zi];
        const direction = r - (z[zi] - predicted);
        along += r * direction;
        length2 += direction * direction;
      }
      if (along > 0 && length2 > 0) gains[p] += (mass[i] * along * along) / length2;
    }
  }
  return gains;
}
