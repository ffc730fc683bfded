import { PriorityQueue } from '../../math/priority-queue.ts';
import type { Lists } from '../../mesh/adjacency.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';

/** What merging clusters of faces costs, and what it changes. A cluster has the number of its first face. */
export interface Merging {
  cost(a: number, b: number): number;
  /** b becomes part of a. */
  merge(a: number, b: number): void;
}

/**
 * Hierarchical face clustering (Garland, Willmott and Heckbert 2001): every face begins as a cluster; of two that share an
 * edge, those that cost least are merged, until `wanted` are left, or one per part of the mesh.
 *
 * @param neighbours face → the faces it shares an edge with.
 * @returns F: face → cluster, 0 … count − 1, in the order of their first faces.
 */
export async function mergeFaces(
  neighbours: Lists,
  wanted: number,
  { cost, merge }: Merging,
  run: RunOptions,
  label: string,
): Promise<{ clusterOf: Int32Array; count: number }> {
  const faces = neighbours.offsets.length - 1;
  const parent = Int32Array.from({ length: faces }, (_, f) => f);
  const around = Array.from({ length: faces }, (_, f) => {
    return new Set(neighbours.items.subarray(neighbours.offsets[f], neighbours.offsets[f + 1]));
  });
  // How often a cluster has changed; an entry of the queue that knows another number is stale.
  const version = new Int32Array(faces);
  const entries: number[] = [];
  const queue = new PriorityQueue();
  const offer = (a: number, b: number): void => {
    queue.push(cost(a, b), entries.length);
    entries.push(a, b, version[a], version[b]);
  };
  for (let f = 0; f < faces; f++) for (const g of around[f]) if (f < g) offer(f, g);
  let count = faces;
  while (count > wanted && queue.pop()) {
    const [a, b, versionA, versionB] = entries.slice(queue.item, queue.item + 4);
    if (version[a] !== versionA || version[b] !== versionB) continue;
    if (count % 256 === 0) await checkpoint(run, 'cloth', faces - count, faces - wanted, label);
    merge(a, b);
    parent[b] = a;
    version[a]++;
    version[b] = -1;
    count--;
    for (const c of around[b]) {
      around[c].delete(b);
      if (c === a) continue;
      around[c].add(a);
      around[a].add(c);
    }
    around[b].clear();
    for (const c of around[a]) offer(a, c);
  }
  const numbers = new Map<number, number>();
  const clusterOf = Int32Array.from(parent, (_, f) => {
    let root = f;
    while (parent[root] !== root) root = parent[root];
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
  return { clusterOf, count: numbers.size };
}
