import { PliantError } from '../../error.ts';
import { partsOf } from '../../mesh/adjacency.ts';
import { IndexedHeap } from '../../mesh/indexed-heap.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { FitProblem, VertexNeighbours } from '../problem.ts';
import { cellMasses, cellNeighbours, selectVertices } from './select-vertices.ts';

/**
 * A sample of the vertices that stands for all of them, for meshes too large to refine whole. Farthest-point sampling
 * (Gonzalez 1985, on graphs Eldar et al. 1997) along the edges of the mesh: each new vertex is the one farthest from those
 * already chosen, and every vertex belongs to the cell of the nearest. The length of an edge is the root of its mean square
 * over the frames, ‖z_a − z_b‖/√P, so that what is folded up in the rest pose gets its share.
 *
 * A vertex of the sample counts as much as its whole cell.
 */
export interface VertexSample {
  problem: FitProblem;
  /** Cells are neighbours when an edge joins them. */
  neighbours: VertexNeighbours;
  /** The vertices of the sample, rising. */
  vertices: Uint32Array;
  /** N: vertex → index into `vertices`. */
  cellOf: Uint32Array;
}

/** The problem of a sample of `count` vertices (or of all, when there are no more), those of `first` among them. */
export async function sampleProblem(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  count: number,
  first: ArrayLike<number> = [],
  run: RunOptions = {},
): Promise<VertexSample> {
  const { vertices, cellOf } = await farthestOnGraph(problem, neighbours, count, first, run);
  return {
    problem: selectVertices(problem, vertices, cellMasses(problem.mass, cellOf, vertices.length)),
    neighbours: cellNeighbours(neighbours, cellOf, vertices.length),
    vertices,
    cellOf,
  };
}

/** Farthest-point sampling on the graph, from `first` on: the chosen vertices, rising, and the cell of every vertex. */
export async function farthestOnGraph(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  count: number,
  first: ArrayLike<number> = [],
  run: RunOptions = {},
): Promise<{ vertices: Uint32Array; cellOf: Uint32Array }> {
  const n = problem.vertexCount;
  if (!(count >= 1)) throw new PliantError('bad-option', 'fit', `sample of ${count} vertices (expected at least 1)`);
  const lengths = edgeLengths(problem, neighbours);
  const distance = new Float64Array(n).fill(Infinity);
  const nearest = new Int32Array(n).fill(-1);
  /** By falling distance; parts of the mesh that have no vertex in the sample yet come first, the largest leading. */
  const farthest = new IndexedHeap(n);
  const front = new IndexedHeap(n);
  const { partOf, partCount } = partsOf(neighbours);
  const sizes = new Uint32Array(partCount);
  for (const part of partOf) sizes[part]++;
  for (let i = 0; i < n; i++) farthest.set(i, -1e300 * (sizes[partOf[i]] / n));

  const chosen: number[] = [];
  const most = Math.min(count, n);
  while (chosen.length < most) {
    await checkpoint(run, 'fit', chosen.length, most, 'sampling');
    const seed = chosen.length < first.length ? first[chosen.length] : farthest.peek();
    chosen.push(seed);
    // Dijkstra from the seed, as far as it is the nearest.
    distance[seed] = 0;
    nearest[seed] = seed;
    front.set(seed, 0);
    while (front.size > 0) {
      const i = front.pop();
      farthest.set(i, -distance[i]);
      for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1]; c++) {
        const other = neighbours.items[c];
        const through = distance[i] + lengths[c];
        if (through >= distance[other]) continue;
        distance[other] = through;
        nearest[other] = seed;
        front.set(other, through);
      }
    }
    farthest.remove(seed);
  }

  const vertices = Uint32Array.from(chosen).sort();
  const index = new Uint32Array(n);
  vertices.forEach((i, to) => {
    index[i] = to;
  });
  const cellOf = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    cellOf[i] = index[nearest[i] >= 0 ? nearest[i] : nearestByMotion(problem, chosen, i)];
  }
  return { vertices, cellOf };
}

/** Root mean square over the frames of the length of every edge, in the order of `neighbours.items`. */
function edgeLengths(problem: FitProblem, neighbours: VertexNeighbours): Float64Array {
  const out = new Float64Array(neighbours.items.length);
  for (let i = 0; i < problem.vertexCount; i++) {
    for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1]; c++) {
      out[c] = Math.sqrt(distance2(problem, i, neighbours.items[c]) / problem.frameCount);
    }
  }
  return out;
}

function distance2(problem: FitProblem, a: number, b: number): number {
  const { z, rank } = problem;
  let sum = 0;
  for (let c = 0; c < rank; c++) sum += (z[a * rank + c] - z[b * rank + c]) ** 2;
  return sum;
}

/** For a part without a vertex in the sample (more parts than samples): the one that moves most like i. */
function nearestByMotion(problem: FitProblem, chosen: readonly number[], i: number): number {
  let best = chosen[0];
  for (const other of chosen) if (distance2(problem, other, i) < distance2(problem, best, i)) best = other;
  return best;
}
