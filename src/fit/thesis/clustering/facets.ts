import { facetFrames } from '../../../measure/facet-deformation.ts';
import { faceNeighbours, type Lists, meshEdges, partsOf } from '../../../mesh/adjacency.ts';
import { diagonalOf } from '../../../mesh/bounds.ts';
import { type Mesh, triangleCount, vertexCount } from '../../../model/mesh.ts';

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

/** Group → its items, rising. `groupOf` (n) numbers the groups. */
export function membersOf(groupOf: Int32Array): number[][] {
  const members: number[][] = [];
  groupOf.forEach((group, item) => {
    while (members.length <= group) members.push([]);
    members[group].push(item);
  });
  return members;
}

/** Share of a region's facets, those that deform most, that stand for it: robust against single facets. */
const TOP_SHARE = 0.01;

/** avg_max of (3.29) and (4.4): the mean of the largest deformations of a region. */
export function largestDeformation(deformation: ArrayLike<number>, region: readonly number[]): number {
  const top = region.map((f) => deformation[f]).sort((a, b) => b - a);
  const size = Math.min(top.length, Math.max(1, Math.round(TOP_SHARE * top.length)));
  return top.slice(0, size).reduce((sum, x) => sum + x, 0) / (size || 1);
}
