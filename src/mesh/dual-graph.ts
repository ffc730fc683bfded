import { type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import { type Edges, faceNeighbours, type Lists, meshEdges, partsOf } from './adjacency.ts';
import { diagonalOf } from './bounds.ts';

/** The facets of a mesh as the nodes of a graph, joined where they share an edge: what clusterings of facets work on. */
export interface DualGraph {
  /** F. */
  count: number;
  /** 3F: centroids, in units of the rest diagonal. */
  centroids: Float64Array;
  /** Facet → the facets it shares an edge with. */
  neighbours: Lists;
  /** F: facet → its part, a set of facets connected by edges. Numbered by their first facets. */
  partOf: Int32Array;
  partCount: number;
}

export function dualGraph(mesh: Mesh, edges: Edges = meshEdges(mesh.triangles, vertexCount(mesh))): DualGraph {
  const count = triangleCount(mesh);
  const { positions, triangles } = mesh;
  const scale = 1 / (diagonalOf(positions) || 1); // a mesh of a single point has no size
  const centroids = new Float64Array(3 * count);
  for (let f = 0; f < count; f++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let corner = 0; corner < 3; corner++) sum += positions[3 * triangles[3 * f + corner] + c];
      centroids[3 * f + c] = (sum / 3) * scale;
    }
  }
  const neighbours = faceNeighbours(edges);
  return { count, centroids, neighbours, ...partsOf(neighbours) };
}

/** Group → its items, rising. `groupOf` (n) numbers the groups. */
export function membersOf(groupOf: Int32Array): number[][] {
  const members: number[][] = [];
  groupOf.forEach((group, item) => {
    while (members.length <= group) members.push([]);
    members[group].push(item);
  });
  return members;
}
