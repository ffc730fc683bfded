import { PriorityQueue } from '../math/priority-queue.ts';
import { squaredDistance } from '../math/vector.ts';
import type { Lists } from './adjacency.ts';

/** Points that are joined by edges: vertices of a mesh, or centroids of its facets with the dual edges. */
export interface PointGraph {
  /** 3n. */
  positions: ArrayLike<number>;
  /** Point → the points it is joined to. */
  neighbours: Lists;
}

export function straightDistance(positions: ArrayLike<number>, i: number, j: number): number {
  return Math.sqrt(squaredDistance(positions, i, j));
}

/**
 * Lowers `distances` (n) to the length of the shortest path along edges from `source` (Dijkstra), wherever that is less
 * than what is there, and tells `onLower` of these points. Start from ∞ for plain distances; call for one source after
 * another for distances to the nearest of them.
 */
export function lowerGraphDistances(
  graph: PointGraph,
  source: number,
  distances: Float64Array,
  onLower: (item: number) => void = () => {},
): void {
  const { offsets, items } = graph.neighbours;
  const queue = new PriorityQueue();
  const lower = (item: number, distance: number): void => {
    if (distance >= distances[item]) return;
    distances[item] = distance;
    onLower(item);
    queue.push(distance, item);
  };
  lower(source, 0);
  while (queue.pop()) {
    const { item, priority } = queue;
    if (priority > distances[item]) continue;
    for (let q = offsets[item]; q < offsets[item + 1]; q++) {
      lower(items[q], priority + straightDistance(graph.positions, item, items[q]));
    }
  }
}
