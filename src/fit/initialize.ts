import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';

import type { FitProblem, VertexNeighbours } from './problem.ts';
import { boneProducts, forEachProjection } from './weights.ts';

/**
 * Split and settle: from one bone for all vertices to B bones, each the best affine map of its cluster. In the clusters of
 * largest error a new bone is grown from the vertex that is worst and far from the cluster's centroid; Lloyd passes settle
 * assignment and bones. Doubling, farthest-point, random and k-means on deformation gradients start 0–25 % worse.
 */

/** Lloyd passes after every split. */
const LLOYD_PASSES = 5;
/** Pull of a cluster's bone towards its parent, as a fraction of the trace of its normal matrix. */
const PARENT_PULL = 1e-4;

/** @returns bones, 4B × r. */
export function splitAndSettle(problem: FitProblem, neighbours: VertexNeighbours, boneCount: number): Float64Array {
  const { vertexCount, rank } = problem;
  const assignment = new Int32Array(vertexCount);
  const errors = new Float64Array(vertexCount);
  let bones = refit(problem, assignment, new Float64Array(4 * rank), 1, 1e-9);
  let count = 1;
  assign(problem, bones, assignment, errors);
  while (count < boneCount) {
    const add = Math.min(boneCount - count, Math.max(1, Math.floor(count / 3)));
    const grown = split(problem, neighbours, bones, assignment, errors, count, add, boneCount);
    if (grown.length === bones.length) break; // nothing left to split: fewer vertices than bones
    bones = grown;
    count = bones.length / (4 * rank);
    for (let pass = 0; pass < LLOYD_PASSES; pass++) {
      assign(problem, bones, assignment, errors);
      bones = refit(problem, assignment, bones, count, PARENT_PULL);
    }
    assign(problem, bones, assignment, errors);
  }
  return bones;
}

/** Each vertex to the bone that predicts it best. */
function assign(problem: FitProblem, bones: Float64Array, assignment: Int32Array, errors: Float64Array): void {
  const products = boneProducts(bones, problem.rank);
  const { boneCount, pairs } = products;
  const { monomials, zNorm2 } = problem;
  forEachProjection(problem, products, (i, h, offset) => {
    let best = Infinity;
    let bestBone = 0;
    for (let b = 0; b < boneCount; b++) {
      const o = (b * boneCount + b) * 10;
      let error = zNorm2[i] - 2 * h[offset + b];
      for (let m = 0; m < 10; m++) error += pairs[o + m] * monomials[10 * i + m];
      if (error < best) {
        best = error;
        bestBone = b;
      }
    }
    assignment[i] = bestBone;
    errors[i] = problem.mass[i] * Math.max(0, best);
  });
}

/** The affine map of every cluster; a bone whose cluster is empty stays. */
function refit(
  problem: FitProblem,
  assignment: Int32Array,
  bones: Float64Array,
  count: number,
  pull: number,
): Float64Array {
  const { rank } = problem;
  const sums = new ClusterSums(problem, count);
  for (let i = 0; i < problem.vertexCount; i++) sums.add(i, assignment[i]);
  const out = bones.slice();
  for (let b = 0; b < count; b++) sums.solve(b, bones, 4 * b * rank, pull, out, 4 * b * rank);
  return out;
}

/** Adds `add` bones, grown on patches inside the clusters of largest error. */
function split(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  bones: Float64Array,
  assignment: Int32Array,
  errors: Float64Array,
  count: number,
  add: number,
  target: number,
): Float64Array {
  const { vertexCount, rank, rest, mass } = problem;
  const clusterError = new Float64Array(count);
  const clusterSize = new Int32Array(count);
  const clusterMass = new Float64Array(count);
  const centroid = new Float64Array(3 * count);
  for (let i = 0; i < vertexCount; i++) {
    const b = assignment[i];
    clusterError[b] += errors[i];
    clusterSize[b]++;
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
  const order = Array.from({ length: count }, (_, b) => b)
    .filter((b) => clusterSize[b] >= 2)
    .sort((a, b) => clusterError[b] - clusterError[a] || a - b)
    .slice(0, add);

  const out = new Float64Array((count + order.length) * 4 * rank);
  out.set(bones);
  order.forEach((b, index) => {
    const size = Math.min(
      Math.max(12, Math.floor(vertexCount / (6 * target))),
      Math.max(8, Math.floor(clusterSize[b] / 3)),
    );
    const sums = new ClusterSums(problem, 1);
    for (const i of growPatch(neighbours, assignment, seeds[b], size)) sums.add(i, 0);
    sums.solve(0, bones, 4 * b * rank, PARENT_PULL, out, 4 * (count + index) * rank);
  });
  return out;
}

/** Breadth-first patch of at most `size` vertices around a seed, within its cluster. */
export function growPatch(
  neighbours: VertexNeighbours,
  assignment: Int32Array | undefined,
  seed: number,
  size: number,
): number[] {
  const patch = [seed];
  const seen = new Set(patch);
  for (let head = 0; head < patch.length && patch.length < size; head++) {
    const i = patch[head];
    for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1] && patch.length < size; c++) {
      const other = neighbours.indices[c];
      if (seen.has(other) || (assignment && assignment[other] !== assignment[seed])) continue;
      seen.add(other);
      patch.push(other);
    }
  }
  return patch;
}

/** 4 × 4 normal matrices and 4 × r right-hand sides of clusters, and their solutions. */
export class ClusterSums {
  private readonly problem: FitProblem;
  private readonly h: Float64Array;
  private readonly r: Float64Array;

  constructor(problem: FitProblem, count: number) {
    this.problem = problem;
    this.h = new Float64Array(16 * count);
    this.r = new Float64Array(4 * problem.rank * count);
  }

  add(i: number, cluster: number, weight = 1): void {
    const { rank, rest, z, mass } = this.problem;
    for (let s = 0; s < 4; s++) {
      const ws = weight * mass[i] * rest[4 * i + s];
      for (let t = 0; t < 4; t++) this.h[16 * cluster + 4 * s + t] += ws * rest[4 * i + t];
      const o = (4 * cluster + s) * rank;
      for (let c = 0; c < rank; c++) this.r[o + c] += ws * z[i * rank + c];
    }
  }

  /** Writes the 4 × r map of `cluster` to out[o…], pulled towards parent[p…] by `pull`. */
  solve(cluster: number, parent: Float64Array, p: number, pull: number, out: Float64Array, o: number): void {
    const { rank } = this.problem;
    const l = this.h.slice(16 * cluster, 16 * cluster + 16);
    const trace = l[0] + l[5] + l[10] + l[15];
    if (trace === 0) {
      out.set(parent.slice(p, p + 4 * rank), o);
      return;
    }
    const lambda = (pull * trace) / 4;
    for (let d = 0; d < 4; d++) l[5 * d] += lambda;
    const x = this.r.slice(4 * cluster * rank, 4 * (cluster + 1) * rank);
    for (let c = 0; c < 4 * rank; c++) x[c] += lambda * parent[p + c];
    if (!choleskyFactor(l, 4)) {
      out.set(parent.slice(p, p + 4 * rank), o);
      return;
    }
    choleskySolve(l, 4, x, rank);
    out.set(x, o);
  }
}
