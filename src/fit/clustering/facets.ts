import { faceNeighbours, type Lists, meshEdges } from '../../mesh/adjacency.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import { type Mesh, triangleCount, vertexCount } from '../../model/mesh.ts';
import { facetFrames } from '../deformation.ts';

/** What the clusterings see of a mesh: F facets at rest, and how much each deforms over the sequence. */
export interface Facets {
  count: number;
  /** 3F: centroids, in units of the rest diagonal. */
  centroids: Float64Array;
  /** F: in squared units of the rest diagonal. */
  areas: Float64Array;
  /** F: D_Σ, the mean deformation of (3.21). */
  deformation: ArrayLike<number>;
  /** Facet → the facets it shares an edge with. */
  neighbours: Lists;
  /** F: facet → its part, a set of facets connected by edges. Numbered by their first facets. */
  partOf: Int32Array;
  partCount: number;
}

export function facetsOf(rest: Mesh, deformation: ArrayLike<number>): Facets {
  const count = triangleCount(rest);
  const { positions, triangles } = rest;
  const scale = 1 / (diagonalOf(positions) || 1); // a rest pose of a single point has no size
  const centroids = new Float64Array(3 * count);
  for (let f = 0; f < count; f++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let corner = 0; corner < 3; corner++) sum += positions[3 * triangles[3 * f + corner] + c];
      centroids[3 * f + c] = (sum / 3) * scale;
    }
  }
  const neighbours = faceNeighbours(meshEdges(triangles, vertexCount(rest)));
  const areas = facetFrames(rest).areas.map((area) => area * scale * scale);
  return { count, centroids, areas, deformation, neighbours, ...partsOf(neighbours) };
}

/** The connected sets of a graph, numbered by their first nodes. */
export function partsOf(neighbours: Lists): { partOf: Int32Array; partCount: number } {
  const partOf = new Int32Array(neighbours.offsets.length - 1).fill(-1);
  let partCount = 0;
  const stack: number[] = [];
  for (let first = 0; first < partOf.length; first++) {
    if (partOf[first] >= 0) continue;
    partOf[first] = partCount;
    stack.push(first);
    while (stack.length > 0) {
      const item = stack.pop()!;
      for (let q = neighbours.offsets[item]; q < neighbours.offsets[item + 1]; q++) {
        const other = neighbours.items[q];
        if (partOf[other] >= 0) continue;
        partOf[other] = partCount;
        stack.push(other);
      }
    }
    partCount++;
  }
  return { partOf, partCount };
}

/**
 * Facet clusters → vertex clusters: N, each vertex with the most of its facets, the lower cluster at a tie. A vertex of no
 * facet goes with the vertex nearest to it; without any facet all are in cluster 0.
 */
export function vertexClusters(rest: Mesh, clusterOfFacet: Int32Array): Int32Array {
  const n = vertexCount(rest);
  const { positions, triangles } = rest;
  const votes: Map<number, number>[] = Array.from({ length: n }, () => new Map());
  for (let c = 0; c < triangles.length; c++) {
    const cluster = clusterOfFacet[Math.floor(c / 3)];
    const at = votes[triangles[c]];
    at.set(cluster, (at.get(cluster) ?? 0) + 1);
  }
  const out = new Int32Array(n);
  const isolated: number[] = [];
  votes.forEach((at, i) => {
    if (at.size === 0) isolated.push(i);
    out[i] = [...at].reduce(
      (best, vote) => (vote[1] > best[1] || (vote[1] === best[1] && vote[0] < best[0]) ? vote : best),
      [0, 0],
    )[0];
  });
  for (const i of isolated) {
    let least = Infinity;
    for (let j = 0; j < n; j++) {
      if (votes[j].size === 0) continue;
      const d = Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - positions[3 * j + c]));
      if (d < least) {
        least = d;
        out[i] = out[j];
      }
    }
  }
  return out;
}
