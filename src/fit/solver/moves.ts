import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { copySupport, type FitProblem, type Support, type VertexNeighbours } from '../problem.ts';
import type { BoneKind } from './bone-kinds.ts';
import type { FitEngine } from './engine.ts';
import { growBones, growPatch, type Patch, patchSize } from './initialize.ts';
import { type RefineOptions, refine, type Solution } from './refine.ts';
import { removalCosts } from './removal.ts';

/**
 * Moves that alternating refinement cannot make: a bone leaves where it is hardly missed and starts anew where the error
 * is. Each try adds a bone at the most promising of several patches, refines a little, removes the old bone that is missed
 * least, refines, and is kept if the error fell.
 *
 * The new bone is never the one to go, though it often looks cheapest: the others have had no time to make use of it, and
 * without it everything is as it was. Half of the tries used to end that way.
 */
export interface MoveOptions {
  maxTries: number;
  /** Stop after this many tries in a row that hardly helped. */
  maxFailures: number;
  /** Iterations after the removal. */
  iterations: number;
}

/** A move that lowers the squared error by less than this fraction is kept, but counts as a failure. */
const WORTHWHILE_GAIN = 5e-3;
/** A move that is this much worse when the weights, or the first few rounds, have been solved will not make up for it. */
const HOPELESS = { weights: 0.7, rounds: 0.04 };
/** Patches weighed against each other in every try. */
const CANDIDATES = 12;
/** Bones whose removal is tried in every try. */
const REMOVALS = 4;
/** Iterations with one bone too many, and again after one was removed. */
const SETTLE: RefineOptions = { maxIterations: 4, tolerance: 0 };

export async function improveByMoves<Bones>(
  engine: FitEngine,
  kind: BoneKind<Bones>,
  start: Solution<Bones>,
  neighbours: VertexNeighbours,
  options: MoveOptions,
  tolerance: number,
  run: RunOptions = {},
): Promise<Solution<Bones> & { accepted: number; tries: number }> {
  const { problem } = engine;
  let best = start;
  let failures = 0;
  let accepted = 0;
  let tries = 0;
  const tabu = new Uint8Array(problem.vertexCount);
  const quiet: RunOptions = { signal: run.signal };
  const polish: RefineOptions = { maxIterations: options.iterations, tolerance };
  for (; tries < options.maxTries && failures < options.maxFailures; tries++) {
    await checkpoint(run, 'fit', tries, options.maxTries, 'moving bones');
    const patch = await mostPromisingPatch(engine, kind, best, neighbours, tabu);
    if (!patch) break;
    for (const i of patch.vertices) tabu[i] = 1;

    const grown = growBones(problem, kind, best.bones, [patch]);
    const larger = await refine(engine, kind, grown, copySupport(best.support), neighbours, SETTLE, quiet);
    const smaller = await removeOldBone(engine, kind, larger);
    const tried =
      smaller.error > best.error * (1 + HOPELESS.weights)
        ? smaller
        : await settleAndPolish(engine, kind, smaller, best.error, neighbours, polish, quiet);
    const gain = 1 - tried.error / best.error;
    if (gain > 0) {
      best = tried;
      accepted++;
    }
    if (gain > WORTHWHILE_GAIN) {
      failures = 0;
      tabu.fill(0);
    } else failures++;
  }
  return { ...best, accepted, tries };
}

/** A few rounds, and the rest of them if these give hope to end below `goal`. */
async function settleAndPolish<Bones>(
  engine: FitEngine,
  kind: BoneKind<Bones>,
  { bones, support }: Solution<Bones>,
  goal: number,
  neighbours: VertexNeighbours,
  polish: RefineOptions,
  run: RunOptions,
): Promise<Solution<Bones>> {
  const settled = await refine(engine, kind, bones, support, neighbours, SETTLE, run);
  if (settled.error > goal * (1 + HOPELESS.rounds)) return settled;
  return refine(engine, kind, settled.bones, settled.support, neighbours, polish, run);
}

/**
 * Removes the bone, but for the last one, whose absence costs least once its vertices have chosen anew among the others. A
 * weight step decides between the few that the estimate of removal.ts, which is without that choice, names.
 */
async function removeOldBone<Bones>(
  engine: FitEngine,
  kind: BoneKind<Bones>,
  { bones, support }: Solution<Bones>,
): Promise<Solution<Bones>> {
  const { problem } = engine;
  const costs = removalCosts(problem, kind.products(problem, bones), support);
  const all = Array.from(costs, (_, b) => b);
  const old = all.slice(0, -1).sort((a, b) => costs[a] - costs[b] || a - b);
  let best: Solution<Bones> = { bones, support, error: Infinity };
  for (const bone of old.slice(0, REMOVALS)) {
    const kept = kind.select(
      problem,
      bones,
      all.filter((b) => b !== bone),
    );
    const without = withoutBone(support, bone);
    const error = await engine.solveWeights(kind.products(problem, kept), without, { exchange: true });
    if (error < best.error) best = { bones: kept, support: without, error };
  }
  return best;
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
 * Patches around the peaks of the smoothed residual; of their bones the one with the largest Frank–Wolfe gain,
 * Σ max(0, r·(r − d))²/|r − d|², r the residual of a vertex and d what it would be if it followed the new bone alone.
 */
async function mostPromisingPatch<Bones>(
  engine: FitEngine,
  kind: BoneKind<Bones>,
  { bones, support }: Solution<Bones>,
  neighbours: VertexNeighbours,
  tabu: Uint8Array,
): Promise<Patch | undefined> {
  const { problem } = engine;
  const count = kind.count(problem, bones);
  const residuals = residualsOf(problem, kind.reduced(problem, bones), support);
  const errors = new Float64Array(problem.vertexCount);
  for (let i = 0; i < problem.vertexCount; i++) {
    for (let c = 0; c < problem.rank; c++) errors[i] += residuals[i * problem.rank + c] ** 2;
    errors[i] *= problem.mass[i];
  }
  const size = patchSize(problem.vertexCount, count);
  const patches = peaks(smooth(errors, neighbours), neighbours, tabu).map((seed) => ({
    parent: support.joints[seed * support.influences + heaviestSlot(support, seed)],
    vertices: growPatch(neighbours, seed, size),
  }));
  if (patches.length === 0) return undefined;

  const everything = kind.reduced(problem, growBones(problem, kind, bones, patches));
  const gains = frankWolfeGains(problem, residuals, everything.subarray(4 * count * problem.rank));
  let best = 0;
  for (let p = 1; p < patches.length; p++) if (gains[p] > gains[best]) best = p;
  return patches[best];
}

function heaviestSlot(support: Support, i: number): number {
  let best = 0;
  for (let s = 1; s < support.count[i]; s++) {
    if (support.weights[i * support.influences + s] > support.weights[i * support.influences + best]) best = s;
  }
  return best;
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
function peaks(values: Float64Array, { offsets, items }: VertexNeighbours, tabu: Uint8Array): number[] {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (tabu[i]) continue;
    let isPeak = true;
    for (let c = offsets[i]; c < offsets[i + 1] && isPeak; c++) isPeak = values[items[c]] <= values[i];
    if (isPeak) found.push(i);
  }
  return found.sort((a, b) => values[b] - values[a] || a - b).slice(0, CANDIDATES);
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
