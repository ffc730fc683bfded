import { kMeans } from '../../math/kmeans.ts';
import { PcaCluster } from './pca-cluster.ts';

/** Rows of vectors of D numbers; the vectors of a row stay together. Row r has those from `offsets[r]` to `offsets[r + 1]`. */
export interface VectorRows {
  /** D. */
  size: number;
  offsets: Uint32Array;
  values: Float64Array;
}

export interface CpcaOptions {
  /** b, basis vectors of a cluster. */
  bases: number;
  seed: number;
  isCentred?: boolean;
  maxIterations?: number;
}

export interface CpcaResult {
  /** The new clusters, those without members left out. */
  clusters: PcaCluster[];
  /** Row → place in the clusters that were given, then the new ones. */
  clusterOf: Int32Array;
  /** Sum of squares after each assignment: it never rises. */
  errors: number[];
}

/** The loop ends when the error falls by less than this part. */
const TOLERANCE = 1e-3;

/**
 * Clustered PCA, revised (5.4.1): rows go to the cluster that leaves the least of all their vectors, one of `count` new ones
 * or of those `given`; then the bases of the new ones are made anew. Those given take members, and keep theirs and their bases.
 */
export function clusteredPca(
  rows: VectorRows,
  given: readonly PcaCluster[],
  count: number,
  { bases, seed, isCentred = false, maxIterations = 20 }: CpcaOptions,
): CpcaResult {
  const { size, offsets, values } = rows;
  const n = offsets.length - 1;
  const clusterOf = new Int32Array(n);
  let fresh: PcaCluster[] = [];
  const refit = (cluster: PcaCluster[]) => {
    fresh = cluster.map(() => new PcaCluster(size, bases, isCentred));
    for (let r = 0; r < n; r++) {
      const own = clusterOf[r] - given.length;
      if (own >= 0) fresh[own].add(values, offsets[r] * size, offsets[r + 1] - offsets[r]);
    }
    for (const each of fresh) each.update();
  };
  if (count > 0 && n > 0) {
    const start = kMeans(meansOf(rows), size, count, { seed, maxIterations: 10 });
    start.clusterOf.forEach((c, r) => void (clusterOf[r] = given.length + c));
    refit(Array.from({ length: start.count }));
  }
  const errors: number[] = [];
  for (let k = 0; k < maxIterations; k++) {
    const all = [...given, ...fresh];
    let total = 0;
    for (let r = 0; r < n; r++) {
      const [at, vectors] = [offsets[r] * size, offsets[r + 1] - offsets[r]];
      let least = Infinity;
      all.forEach((cluster, c) => {
        const error = cluster.error(values, at, vectors);
        if (error < least) [least, clusterOf[r]] = [error, c];
      });
      total += least;
    }
    errors.push(total);
    refit(fresh);
    const before = errors.at(-2) ?? Infinity;
    if (before - total <= TOLERANCE * before) break;
  }
  // Clusters that nothing is left in go.
  const placeOf = new Int32Array(given.length + fresh.length);
  let kept = 0;
  placeOf.forEach((_, c) => void (placeOf[c] = c < given.length || fresh[c - given.length].count > 0 ? kept++ : -1));
  clusterOf.forEach((c, r) => void (clusterOf[r] = placeOf[c]));
  return { clusters: fresh.filter((cluster) => cluster.count > 0), clusterOf, errors };
}

function meansOf({ size, offsets, values }: VectorRows): Float64Array {
  const n = offsets.length - 1;
  const out = new Float64Array(n * size);
  for (let r = 0; r < n; r++) {
    const vectors = offsets[r + 1] - offsets[r];
    for (let v = offsets[r]; v < offsets[r + 1]; v++) {
      for (let c = 0; c < size; c++) out[r * size + c] += values[v * size + c] / vectors;
    }
  }
  return out;
}
