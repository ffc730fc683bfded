import { PriorityQueue } from '../../math/priority-queue.ts';
import type { PcaCluster } from './pca-cluster.ts';

/**
 * Merges clusters (§5.4.3) until no pose uses more than `budget`: each time the two whose bases are closest (5.4), of those
 * that a pose beyond its budget uses both. `usedBy`: P × the clusters that a pose uses; they are changed. Returns where each
 * cluster went: to itself, or to the one that took it in.
 */
export function mergeClusters(
  clusters: readonly PcaCluster[],
  usedBy: readonly Set<number>[],
  budget: number,
): Int32Array {
  const goesTo = Int32Array.from(clusters.keys());
  const crowded = new Set(usedBy.filter((used) => used.size > budget));
  const version = new Int32Array(clusters.length);
  const queue = new PriorityQueue();
  const pairs: { a: number; b: number; versions: number }[] = [];
  const offer = (a: number, b: number) => {
    queue.push(clusters[a].distance(clusters[b]), pairs.length);
    pairs.push({ a, b, versions: version[a] + version[b] });
  };
  const seen = new Set<number>();
  for (const used of crowded) {
    for (const a of used) {
      for (const b of used) {
        if (a >= b || seen.has(a * clusters.length + b)) continue;
        seen.add(a * clusters.length + b);
        offer(a, b);
      }
    }
  }
  while (crowded.size > 0 && queue.pop()) {
    const { a, b, versions } = pairs[queue.item];
    // One of them has gone or changed since; or the poses that share them have room by now.
    if (goesTo[a] !== a || goesTo[b] !== b || versions !== version[a] + version[b]) continue;
    if (![...crowded].some((used) => used.has(a) && used.has(b))) continue;
    clusters[a].merge(clusters[b]);
    clusters[a].update();
    goesTo[b] = a;
    version[a]++;
    const near = new Set<number>();
    for (const used of usedBy) if (used.delete(b)) used.add(a);
    for (const used of crowded) {
      if (used.size <= budget) crowded.delete(used);
      else if (used.has(a)) for (const c of used) near.add(c);
    }
    near.delete(a);
    for (const c of near) offer(Math.min(a, c), Math.max(a, c));
  }
  for (let c = clusters.length - 1; c >= 0; c--) {
    let end = c;
    while (goesTo[end] !== end) end = goesTo[end];
    goesTo[c] = end;
  }
  return goesTo;
}
