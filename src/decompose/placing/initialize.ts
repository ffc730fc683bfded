import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { BoneSolver } from '../bone-solver.ts';
import { solveAffine } from '../bones/transforms-affine.ts';
import { type FitProblem, isExplained, supportOf } from '../problem.ts';
import { growBones, growPatch, PARENT_PULL, type Patch, patchSize } from './patches.ts';

/**
 * Split and settle: from one bone for all vertices to B bones, each the best map of its cluster. In the clusters of
 * largest error a new bone is grown from the vertex that is worst and far from the cluster's centroid; Lloyd passes settle
 * assignment and bones. Doubling, farthest-point, random and k-means on deformation gradients start 0–25 % worse.
 */

/** Lloyd passes after every split. */
const LLOYD_PASSES = 5;
/** A patch takes at most a third of its cluster, but this many vertices if they are there. */
const SMALLEST_PATCH = 8;

/** Vertices that each follow one bone. */
interface Clusters {
  count: number;
  /** N: vertex → cluster. */
  assignment: Int32Array;
  /** N: squared, without mass. */
  errors: Float64Array;
}

/** @returns B bones, or fewer when fewer leave no error, or when every bone has but one vertex to share. */
export async function splitAndSettle<Bones>(
  solver: BoneSolver<Bones>,
  boneCount: number,
  run: RunOptions = {},
): Promise<Bones> {
  const { problem, kind } = solver;
  const { vertexCount, rank } = problem;
  const assignment = new Int32Array(vertexCount);
  const errors = new Float64Array(vertexCount);
  const settle = (from: Bones): Promise<Bones> => solver.solveBones(supportOf(assignment), from, PARENT_PULL);

  const alone = await oneBone(solver);
  await solver.assign(alone, assignment, errors);
  if (isExplained(problem, errors)) return alone;

  let bones: Bones = await settle(kind.fromAffine(problem, new Float64Array(4 * rank)));
  bones = await settle(bones); // the first step was pulled towards nothing
  let count = 1;
  await solver.assign(bones, assignment, errors);
  while (count < boneCount && !isExplained(problem, errors)) {
    await checkpoint(run, 'fit', count, boneCount, 'placing bones');
    const add = Math.min(boneCount - count, Math.max(1, Math.floor(count / 3)));
    const patches = worstPatches(solver, { count, assignment, errors }, add, patchSize(vertexCount, boneCount));
    if (patches.length === 0) break;
    bones = growBones(solver, bones, patches);
    count += patches.length;
    for (let pass = 0; pass < LLOYD_PASSES; pass++) {
      await solver.assign(bones, assignment, errors);
      bones = await settle(bones);
    }
    await solver.assign(bones, assignment, errors);
  }
  return bones;
}

/**
 * What one bone can do, from the best affine map of all vertices. From nothing, a flat mesh would be long in forgetting the
 * rotations that affine bones are first pulled towards.
 */
async function oneBone<Bones>({ engine, kind, problem }: BoneSolver<Bones>): Promise<Bones> {
  const whole = await engine.normalEquations(supportOf(new Int32Array(problem.vertexCount)), 1);
  let bone = kind.fromAffine(problem, solveAffine(whole, new Float64Array(4 * problem.rank), PARENT_PULL));
  for (let pass = 0; pass < LLOYD_PASSES; pass++) bone = kind.solve(problem, whole, bone, PARENT_PULL);
  return bone;
}

/** One patch of at most `largest` vertices in each of the `add` clusters of largest error. */
function worstPatches<Bones>(
  { problem, neighbours }: BoneSolver<Bones>,
  clusters: Clusters,
  add: number,
  largest: number,
): Patch[] {
  const { vertexCount, mass } = problem;
  const { count, assignment, errors } = clusters;
  const clusterError = new Float64Array(count);
  const clusterSize = new Int32Array(count);
  for (let i = 0; i < vertexCount; i++) {
    clusterError[assignment[i]] += mass[i] * errors[i];
    clusterSize[assignment[i]]++;
  }
  const seeds = seedsOf(problem, clusters);
  return Array.from({ length: count }, (_, b) => b)
    .filter((b) => clusterSize[b] >= 2)
    .sort((a, b) => clusterError[b] - clusterError[a] || a - b)
    .slice(0, add)
    .map((b) => {
      const size = Math.min(largest, Math.max(SMALLEST_PATCH, Math.floor(clusterSize[b] / 3)));
      return { parent: b, vertices: growPatch(neighbours, seeds[b], size, assignment) };
    });
}

/** Of each cluster the vertex with the largest error × squared distance from the centroid; −1 where it has none. */
function seedsOf({ vertexCount, rest, mass }: FitProblem, { count, assignment, errors }: Clusters): Int32Array {
  const clusterMass = new Float64Array(count);
  const centroid = new Float64Array(3 * count);
  for (let i = 0; i < vertexCount; i++) {
    const b = assignment[i];
    clusterMass[b] += mass[i];
    for (let c = 0; c < 3; c++) centroid[3 * b + c] += mass[i] * rest[4 * i + c];
  }
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
  return seeds;
}
