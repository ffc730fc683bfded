import { spectralEmbedding } from '../../math/spectral.ts';
import { deviationOf } from '../../math/statistics.ts';

/** Poses of each segment in small groups that are alike, Figure 5.2 (c): G segments, P poses, S groups. */
export interface SegmentClusters {
  /** S, the same for all segments. */
  count: number;
  /** G × P: the group of a segment in a pose. */
  clusterOf: Uint16Array;
}

/**
 * The poses of one segment, cut in two even halves by normalised cuts (5.2), again and again until at most `most` are left:
 * P → group. Affinities (5.3) are products of two Gaussians, of how light and pose differ; `light` and `poses` hold P × P
 * squared differences. The sums printed in (5.3) would grow with the vertices, σ does not: means are taken, and σ is the
 * deviation of their roots over all pairs, as the text has it.
 */
export function cutPoses(light: Float64Array, poses: Float64Array, most: number): Uint16Array {
  const p = Math.sqrt(poses.length);
  const [a, b] = [scaleOf(light), scaleOf(poses)];
  const affinity = light.map((x, at) => Math.exp(-a * x - b * poses[at]));
  const out = new Uint16Array(p);
  let count = 0;
  const cut = (nodes: Int32Array): void => {
    if (nodes.length <= most) {
      for (const node of nodes) out[node] = count;
      count++;
      return;
    }
    const order = alongCut(affinity, p, nodes);
    const half = nodes.length >> 1;
    cut(order.subarray(0, half).toSorted());
    cut(order.subarray(half).toSorted());
  };
  cut(Int32Array.from({ length: p }, (_, k) => k));
  return out;
}

/** 1/2σ²; 0 where nothing differs. */
function scaleOf(squares: Float64Array): number {
  const p = Math.sqrt(squares.length);
  const pairs: number[] = [];
  for (let a = 0; a < p; a++) for (let b = 0; b < a; b++) pairs.push(Math.sqrt(squares[a * p + b]));
  const deviation = deviationOf(pairs);
  // All pairs equally far apart tell as little as all alike.
  return deviation > 1e-9 * (pairs[0] ?? 0) ? 1 / (2 * deviation * deviation) : 0;
}

/** Nodes in the order of the second eigenvector of (5.2): its median halves them. */
function alongCut(affinity: Float64Array, p: number, nodes: Int32Array): Int32Array {
  const n = nodes.length;
  const apply = (out: Float64Array, x: Float64Array): void => {
    for (let s = 0; s < n; s++) {
      let sum = 0;
      for (let t = 0; t < n; t++) sum += affinity[nodes[s] * p + nodes[t]] * x[t];
      out[s] = sum;
    }
  };
  const { coordinates, dimension } = spectralEmbedding(n, apply, 2, { tolerance: 1e-9 });
  // The first of D^(−1/2) W D^(−1/2) is √D: the second over the first is that of (5.2). As an angle it needs no division.
  const sign = coordinates[0] < 0 ? -1 : 1;
  const place = Float64Array.from({ length: n }, (_, s) =>
    dimension < 2 ? s : Math.atan2(coordinates[2 * s + 1], sign * coordinates[2 * s]),
  );
  return Int32Array.from(
    Array.from(nodes.keys()).sort((s, t) => place[s] - place[t] || s - t),
    (s) => nodes[s],
  );
}

/** S × its poses, of one segment. */
export function clusterMembers(clusterOf: Uint16Array, count: number): Uint32Array[] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  clusterOf.forEach((cluster, pose) => void lists[cluster].push(pose));
  return lists.map((list) => Uint32Array.from(list));
}
