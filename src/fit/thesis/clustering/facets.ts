import { facetFrames } from '../../../measure/facet-deformation.ts';
import { faceNeighbours, type Lists, meshEdges } from '../../../mesh/adjacency.ts';
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
