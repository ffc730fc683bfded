import { type Random, seededRandom } from '../../math/rng.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { choosePoses, type Pose } from '../../skin/choose-poses.ts';
import { clusteredPca } from './clustered-pca.ts';
import type { PcaCluster } from './pca-cluster.ts';
import { PoseVectors } from './pose-vectors.ts';

/**
 * The poses that the chapter traces (§5.2): clustered PCA finds a few subspaces that the poses of all clips lie in; each is
 * sampled anew, more evenly and more widely than the clips do, by stratified Monte Carlo over its coefficients. How many
 * subspaces and coefficients is not in print.
 */
const SUBSPACES = 4;
const COEFFICIENTS = 6;
/** Moments of clips that subspaces are made of, per pose; never more than `choosePoses` finds quickly. */
const POOL = 8;
const LARGEST_POOL = 1000;

/** The name of poses that come from a subspace. */
const SUBSPACE_POSE = 'subspace';

export function subspacePoses(models: readonly SkinnedModel[], count: number, seed: number): Pose[] {
  const pool = choosePoses(models, { poses: Math.min(LARGEST_POOL, POOL * count), held: 0, seed }).poses;
  if (pool.length < 3) return pool; // nothing moves
  const vectors = new PoseVectors(models);
  const first = vectors.vectorOf(pool[0].parts);
  const all = pool.map(({ parts }) => vectors.vectorOf(parts, first));
  const subspaces = poseSubspaces(all, { seed });
  const random = seededRandom(seed);
  const counts = subspaces.map((_, k) => Math.floor(count / subspaces.length) + Number(k < count % subspaces.length));
  const sampled = subspaces.map((subspace, k) => sampleSubspace(subspace, counts[k], random));
  // In turn: any first part of them is varied as well.
  return Array.from({ length: count }, (_, p): Pose => {
    const vector = sampled[p % subspaces.length][Math.floor(p / subspaces.length)];
    return { name: SUBSPACE_POSE, time: 0, parts: vectors.poseOf(vector) };
  });
}

/** A flat part of the space of poses: its axes, and how far poses reach along them. */
export interface PoseSubspace {
  cluster: PcaCluster;
  /** Of each coefficient, the least and the most. */
  least: Float64Array;
  most: Float64Array;
  /** How many poses lie in it. */
  members: number;
}

export function poseSubspaces(
  poses: readonly Float64Array[],
  options: { seed: number; subspaces?: number; coefficients?: number },
): PoseSubspace[] {
  const { seed, subspaces = SUBSPACES, coefficients = COEFFICIENTS } = options;
  const size = poses[0].length;
  const values = new Float64Array(poses.length * size);
  poses.forEach((pose, p) => void values.set(pose, p * size));
  const rows = { size, offsets: Uint32Array.from({ length: poses.length + 1 }, (_, p) => p), values };
  const bases = Math.min(coefficients, size);
  const { clusters, clusterOf } = clusteredPca(rows, [], subspaces, { bases, seed, isCentred: true });
  const out = clusters.map((cluster) => ({
    cluster,
    least: new Float64Array(bases).fill(Infinity),
    most: new Float64Array(bases).fill(-Infinity),
    members: 0,
  }));
  const own = new Float64Array(bases);
  clusterOf.forEach((c, p) => {
    out[c].cluster.project(values, p * size, own);
    out[c].members++;
    own.forEach((x, b) => {
      out[c].least[b] = Math.min(out[c].least[b], x);
      out[c].most[b] = Math.max(out[c].most[b], x);
    });
  });
  return out;
}

/** Each coefficient's range is cut into as many strata as there are samples, and every stratum has one (McKay et al. 1979). */
export function sampleSubspace({ cluster, least, most }: PoseSubspace, count: number, random: Random): Float64Array[] {
  const { size, basis, mean } = cluster;
  const samples = Array.from({ length: count }, () => mean.slice());
  least.forEach((low, b) => {
    const strata = shuffled(count, random);
    samples.forEach((sample, k) => {
      const x = low + ((most[b] - low) * (strata[k] + random())) / count;
      for (let c = 0; c < size; c++) sample[c] += x * basis[b * size + c];
    });
  });
  return samples;
}

function shuffled(count: number, random: Random): Uint32Array {
  const out = Uint32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [out[k], out[other]] = [out[other], out[k]];
  }
  return out;
}
