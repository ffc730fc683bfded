import { type DualGraph, membersOf } from '../../mesh/dual-graph.ts';

/**
 * Clusters for meshes of several parts (body and eyes, a pile of leaves): every part gets at least one cluster while there
 * are enough, the others go where the items are.
 */

/**
 * Shares `count` among parts in proportion to `sizes` (Σ > 0), at least one each and never more than a part has items;
 * what rounding leaves goes to the largest remainders. Expects sizes.length ≤ count ≤ Σ sizes.
 */
export function shareAmongParts(sizes: readonly number[], count: number): number[] {
  const total = sizes.reduce((a, b) => a + b, 0);
  const shares = sizes.map((size) => Math.max(1, Math.floor((count * size) / total)));
  const want = sizes.map((size) => (count * size) / total);
  let left = count - shares.reduce((a, b) => a + b, 0);
  while (left !== 0) {
    // Give to the part that is shortest of its due, or take from the one that has most beyond it.
    let best = -1;
    for (let p = 0; p < sizes.length; p++) {
      if (left > 0 ? shares[p] >= sizes[p] : shares[p] <= 1) continue;
      const gap = (want[p] - shares[p]) * Math.sign(left);
      if (best < 0 || gap > (want[best] - shares[best]) * Math.sign(left)) best = p;
    }
    shares[best] += Math.sign(left);
    left -= Math.sign(left);
  }
  return shares;
}

/** Items that are clustered together, and into how many clusters. */
export interface Group {
  items: Int32Array;
  count: number;
}

/**
 * One group per part, with its share of `count` (or of all facets, if they are fewer). With fewer clusters than parts the
 * division is ignored: one group of all facets.
 */
export function groupsOfParts({ partOf, partCount }: DualGraph, count: number): Group[] {
  const n = partOf.length;
  const limited = Math.min(count, n);
  if (n === 0) return [];
  if (partCount > limited) return [{ items: Int32Array.from({ length: n }, (_, i) => i), count: limited }];
  const members = membersOf(partOf);
  const shares = shareAmongParts(
    members.map((items) => items.length),
    limited,
  );
  return members.map((items, p) => ({ items: Int32Array.from(items), count: shares[p] }));
}

/** Clusters each group (0 … group.count − 1) and puts them together: item of n → cluster, numbered through. */
export function clusterEachGroup<G extends Group>(
  n: number,
  groups: readonly G[],
  cluster: (group: G) => Int32Array,
): Int32Array {
  const out = new Int32Array(n);
  let first = 0;
  for (const group of groups) {
    const clusters = cluster(group);
    group.items.forEach((item, q) => {
      out[item] = first + clusters[q];
    });
    first += group.count;
  }
  return out;
}
