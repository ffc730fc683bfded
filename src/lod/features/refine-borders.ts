import { FlowGraph } from '../../math/max-flow.ts';
import { type Edges, edgeCount } from '../../mesh/adjacency.ts';
import type { DualGraph } from '../../mesh/dual-graph.ts';

/** Share of the facets of two clusters, nearest to their common border, that may change sides (Feng 2010, §4.4.2). */
const REGION = 0.1;

/**
 * Moves the borders between clusters to where they cut least, Feng 2010, §4.4.2: the facets beside the border of two clusters
 * are divided anew by a minimum cut between what is left of both.
 *
 * @param clusterOf F; not changed.
 * @param weights E: what it costs to run a border along an edge, g of (4.4).
 */
export function refineBorders(clusterOf: Int32Array, dual: DualGraph, edges: Edges, weights: Float64Array): Int32Array {
  const out = clusterOf.slice();
  const sizes = new Map<number, number>();
  for (const cluster of out) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  for (const [a, b] of neighbouringPairs(out, edges)) {
    const budget = Math.ceil(REGION * (sizes.get(a)! + sizes.get(b)!));
    refinePair(out, a, b, budget, dual, edges, weights);
  }
  return out;
}

/** The edges between two facets of different clusters. */
export function borderEdges(clusterOf: Int32Array, edges: Edges): number[] {
  const out: number[] = [];
  for (let e = 0; e < edgeCount(edges); e++) {
    const [f, g] = facetsOfEdge(edges, e);
    if (g >= 0 && clusterOf[f] !== clusterOf[g]) out.push(e);
  }
  return out;
}

/** The two facets of an edge; −1 where there is no second, or more than two. */
export function facetsOfEdge({ corners: { offsets, items } }: Edges, e: number): [number, number] {
  if (offsets[e + 1] - offsets[e] !== 2) return [Math.floor(items[offsets[e]] / 3), -1];
  return [Math.floor(items[offsets[e]] / 3), Math.floor(items[offsets[e] + 1] / 3)];
}

function neighbouringPairs(clusterOf: Int32Array, edges: Edges): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const e of borderEdges(clusterOf, edges)) {
    const [f, g] = facetsOfEdge(edges, e);
    const pair: [number, number] = [Math.min(clusterOf[f], clusterOf[g]), Math.max(clusterOf[f], clusterOf[g])];
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d);
}

/** Divides the `budget` facets nearest to the border of a and b anew, in place. */
function refinePair(
  clusterOf: Int32Array,
  a: number,
  b: number,
  budget: number,
  dual: DualGraph,
  edges: Edges,
  weights: Float64Array,
): void {
  const region = nearBorder(clusterOf, a, b, budget, dual);
  // Nodes: 0 is what surely stays in a, 1 what stays in b, the rest are facets of the region.
  const nodeOf = new Map<number, number>();
  for (const f of region) nodeOf.set(f, nodeOf.size + 2);
  const node = (f: number): number => nodeOf.get(f) ?? (clusterOf[f] === a ? 0 : clusterOf[f] === b ? 1 : -1);
  const graph = new FlowGraph(region.length + 2);
  const anchored = [false, false];
  const seen = new Set<number>();
  for (const f of region) {
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const e = edges.edgeOf[c];
      if (seen.has(e)) continue;
      seen.add(e);
      const [p, q] = facetsOfEdge(edges, e);
      if (q < 0) continue;
      const [from, to] = [node(p), node(q)];
      if (from < 0 || to < 0) continue;
      for (const end of [from, to]) if (end < 2) anchored[end] = true;
      graph.join(from, to, weights[e]);
    }
  }
  // A cluster that lies in the region as a whole would be free to vanish.
  if (!anchored[0] || !anchored[1]) return;
  graph.maxFlow(0, 1);
  const inA = graph.sideOfSource();
  for (const f of region) clusterOf[f] = inA[nodeOf.get(f)!] ? a : b;
}

/** Facets of a and b by rising number of steps from their common border, at most `budget` of them. */
function nearBorder(clusterOf: Int32Array, a: number, b: number, budget: number, dual: DualGraph): number[] {
  const { offsets, items } = dual.neighbours;
  const queue: number[] = [];
  const seen = new Set<number>();
  for (let f = 0; f < dual.count; f++) {
    if (clusterOf[f] !== a && clusterOf[f] !== b) continue;
    const other = clusterOf[f] === a ? b : a;
    for (let q = offsets[f]; q < offsets[f + 1]; q++) {
      if (clusterOf[items[q]] !== other) continue;
      queue.push(f);
      seen.add(f);
      break;
    }
  }
  for (let at = 0; at < queue.length && queue.length < budget; at++) {
    for (let q = offsets[queue[at]]; q < offsets[queue[at] + 1]; q++) {
      const g = items[q];
      if (seen.has(g) || (clusterOf[g] !== a && clusterOf[g] !== b)) continue;
      seen.add(g);
      queue.push(g);
    }
  }
  return queue;
}
