import { gatherRows } from '../../math/rows.ts';
import { type Lists, meshEdges, vertexFaces, vertexNeighbours } from '../../mesh/adjacency.ts';
import { uniqueRows } from '../../mesh/unique-rows.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';

/**
 * The surface that weights are computed on: vertices at one place are one point, so that files without shared vertices are
 * surfaces too, and no crack opens where they coincide.
 */
export interface Surface {
  /** 3n. */
  positions: Float32Array;
  /** 3F: triangles between points. Some may have no area, or a point twice. */
  triangles: Uint32Array;
  /** N: vertex of the mesh → point. */
  pointOf: Uint32Array;
  /** Point → the faces around it. */
  faces: Lists;
  /** Point → the points it shares an edge with. */
  neighbours: Lists;
}

export const pointCount = (surface: Surface): number => surface.positions.length / 3;

export function weldedSurface(mesh: Mesh): Surface {
  const { classOf: pointOf, firstOf } = uniqueRows(vertexCount(mesh), [mesh.positions]);
  const n = firstOf.length;
  const triangles = mesh.triangles.map((vertex) => pointOf[vertex]);
  return {
    positions: gatherRows(mesh.positions, 3, firstOf),
    triangles,
    pointOf,
    faces: vertexFaces(triangles, n),
    neighbours: vertexNeighbours(meshEdges(triangles, n), n),
  };
}
