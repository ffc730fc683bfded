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
  const positions = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) positions[3 * i + c] = mesh.positions[3 * firstOf[i] + c];
  }
  const triangles = mesh.triangles.map((vertex) => pointOf[vertex]);
  return {
    positions,
    triangles,
    pointOf,
    faces: vertexFaces(triangles, n),
    neighbours: vertexNeighbours(meshEdges(triangles, n), n),
  };
}

/** n·stride values of points → N·stride values of vertices. */
export function perVertex(values: Float64Array, stride: number, { pointOf }: Surface): Float64Array {
  const out = new Float64Array(pointOf.length * stride);
  for (let i = 0; i < pointOf.length; i++) {
    for (let c = 0; c < stride; c++) out[i * stride + c] = values[pointOf[i] * stride + c];
  }
  return out;
}
