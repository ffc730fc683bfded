import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { type FitProblem, isExplained, type Support, supportOf, type VertexNeighbours } from '../problem.ts';
import type { BoneKind } from './bone-kinds.ts';
import type { FitEngine } from './engine.ts';
import { assembleNormalEquations } from './normal-equations.ts';
import { solveAffine } from './transforms-affine.ts';

/**
 * Split and settle: from one bone for all vertices to B bones, each the best map of its cluster. In the clusters of
 * largest error a new bone is grown from the vertex that is worst and far from the cluster's centroid; Lloyd passes settle
 * assignment and bones. Doubling, farthest-point, random and k-means on deformation gradients start 0–25 % worse.
 */

/** Lloyd passes after every split. */
const LLOYD_PASSES = 5;
/** Pull of a cluster's bone towards its parent, as a fraction of its normal matrix. */
const PARENT_PULL = 1e-4;

/** @returns B bones, or fewer when fewer leave no error, or when every bone has but one vertex to share. */
export async function splitAndSettle<Bones>(
  engine: FitEngine,
  kind: BoneKind<Bones>,
  neighbours: VertexNeighbours,
  boneCount: number,
  run: RunOptions = {},
): Promise<Bones> {
  const { problem } = engine;
  const { vertexCount, rank } = problem;
  const assignment = new Int32Array(vertexCount);
  const errors = new Float64Array(vertexCount);
  const settle = async (from: Bones): Promise<Bones> => {
    const equations = await engine.normalEquations(supportOf(assignment), kind.count(problem, from));
    return kind.solve(problem, equations, from, PARENT_PULL);
  };

  const alone = await oneBone(engine, kind);
  await engine.assign(kind.products(problem, alone), assignment, errors);
  if (isExplained(problem, errors)) return alone;

  let bones: Bones = await settle(kind.fromAffine(problem, new Float64Array(4 * rank)));
  bones = await settle(bones); // the first step was pulled towards nothing
  let count = 1;
  await engine.assign(kind.products(problem, bones), assignment, errors);
  while (count < boneCount && !isExplained(problem, errors)) {
    await checkpoint(run, 'fit', count, boneCount, 'placing bones');
    const add = Math.min(boneCount - count, Math.max(1, Math.floor(count / 3)));
    const patches = worstPatches(problem, neighbours, assignment, errors, count, add, boneCount);
    if (patches.length === 0) break;
    bones = growBones(problem, kind, bones, patches);
    count += patches.length;
    for (let pass = 0; pass < LLOYD_PASSES; pass++) {
      await engine.assign(kind.products(problem, bones), assignment, errors);
      bones = await settle(bones);
    }
    await engine.assign(kind.products(problem, bones), assignment, errors);
  }
  return bones;
}

/**
 * What one bone can do, from the best affine map of all vertices. From nothing, a flat mesh would be long in forgetting the
 * rotations that affine bones are first pulled towards.
 */
async function oneBone<Bones>(engine: FitEngine, kind: BoneKind<Bones>): Promise<Bones> {
  const { problem } = engine;
  const whole = await engine.normalEquations(supportOf(new Int32Array(problem.vertexCount)), 1);
  let bone = kind.fromAffine(problem, solveAffine(whole, new Float64Array(4 * problem.rank), PARENT_PULL));
  for (let pass = 0; pass < LLOYD_PASSES; pass++) bone = kind.solve(problem, whole, bone, PARENT_PULL);
  return bone;
}

/** Vertices for a new bone, and the bone it starts from. */
export interface Patch {
  parent: number;
  vertices: number[];
}

/** One patch in each of the `add` clusters of largest error. */
function worstPatches(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  assignment: Int32Array,
  errors: Float64Array,
  count: number,
  add: number,
  target: number,
): Patch[] {
  const { vertexCount, rest, mass } = problem;
  const clusterError = new Float64Array(count);
  const clusterSize = new Int32Array(count);
  const clusterMass = new Float64Array(count);
  const centroid = new Float64Array(3 * count);
  for (let i = 0; i < vertexCount; i++) {
    const b = assignment[i];
    clusterError[b] += mass[i] * errors[i];
    clusterSize[b]++;
    clusterMass[b] += mass[i];
    for (let c = 0; c < 3; c++) centroid[3 * b + c] += mass[i] * rest[4 * i + c];
  }
  // The seed is the vertex with the largest error × squared distance from the centroid.
  const seeds = new Int32Array(count).fill(-1);
  const seedScore = new Float64Array(count).fill(-1);
  for (let i = 0; i < vertexCount; i++) {
    const b = assignment[i];
    let distance2 = 0;
    for (let c = 0; c < 3; c++) distance2 += (rest[4 * i + c] - centroid[3 * b + c] / clusterMass[b]) ** 2;
    const score = errors[i] * distance2;
    if (score > seedScore[b]) {
      seedScore[b] = score;
      seeds[b] = i;
    }
  }
  return Array.from({ length: count }, (_, b) => b)
    .filter((b) => clusterSize[b] >= 2)
    .sort((a, b) => clusterError[b] - clusterError[a] || a - b)
    .slice(0, add)
    .map((b) => {
      const size = Math.min(patchSize(vertexCount, target), Math.max(8, Math.floor(clusterSize[b] / 3)));
      return { parent: b, vertices: growPatch(neighbours, seeds[b], size, assignment) };
    });
}

/** Vertices of a patch for one of B bones on a mesh of N vertices. */
export const patchSize = (vertexCount: number, boneCount: number): number =>
  Math.max(12, Math.floor(vertexCount / (6 * boneCount)));

/** Breadth-first patch of at most `size` vertices around a seed, within its cluster when clusters are given. */
export function growPatch(neighbours: VertexNeighbours, seed: number, size: number, assignment?: Int32Array): number[] {
  const patch = [seed];
  const seen = new Set(patch);
  for (let head = 0; head < patch.length && patch.length < size; head++) {
    const i = patch[head];
    for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1] && patch.length < size; c++) {
      const other = neighbours.items[c];
      if (seen.has(other) || (assignment && assignment[other] !== assignment[seed])) continue;
      seen.add(other);
      patch.push(other);
    }
  }
  return patch;
}

/** All bones, followed by one new bone per patch, fitted to it and pulled towards its parent. */
export function growBones<Bones>(
  problem: FitProblem,
  kind: BoneKind<Bones>,
  bones: Bones,
  patches: readonly Patch[],
): Bones {
  const equations = assembleNormalEquations(problem, patchSupport(problem, patches), patches.length);
  const parents = kind.select(
    problem,
    bones,
    patches.map(({ parent }) => parent),
  );
  const grown = kind.solve(problem, equations, parents, PARENT_PULL);
  const all = Array.from({ length: kind.count(problem, bones) }, (_, b) => b);
  return kind.select(problem, bones, all, grown);
}

/** Vertices of patch p follow bone p, all others none. */
function patchSupport(problem: FitProblem, patches: readonly Patch[]): Support {
  const support = supportOf(new Int32Array(problem.vertexCount));
  support.count.fill(0);
  patches.forEach(({ vertices }, p) => {
    for (const i of vertices) {
      support.count[i] = 1;
      support.joints[i] = p;
    }
  });
  return support;
}
