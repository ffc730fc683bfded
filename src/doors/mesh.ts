/**
 * Geometry of triangle meshes: bounds, seams, normals, textures, adjacency, defects, nearest points, geodesics, decimation.
 *
 * @module pliant/mesh
 */

// Bounds, seams, normals, textures.
export type { FlatArray } from '../math/rows.ts';
export { type Bounds, boundsOf, diagonalOf } from '../mesh/bounds.ts';
export { expandToSplit, splitVertices, type WeldOptions, weldVertices } from '../mesh/seams.ts';
export { type NormalWeighting, smoothingGroups, vertexNormals } from '../mesh/normals.ts';
export { readBytes } from '../model/bytes.ts';
export { type TextureSlot, textureUvs } from '../mesh/texture-uvs.ts';
export { transformMesh } from '../mesh/transform-mesh.ts';
export { triangulatePolygon } from '../mesh/triangulate.ts';

// Neighbours and defects.
export {
  boundaryEdges,
  connectedComponents,
  type Edges,
  edgeCount,
  faceNeighbours,
  type Lists,
  meshEdges,
  NO_EDGE,
  vertexFaces,
  vertexNeighbours,
} from '../mesh/adjacency.ts';
export { type ComponentFacts, inspectMesh, isClosed, type MeshFacts, type MeshProblem } from '../mesh/inspect.ts';

// Nearest points, rays, distances along the surface, the Laplacian.
export { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
export { nearestOnSurface, type SurfacePoint, surfacePoint } from '../mesh/nearest.ts';
export { type RayHits, RayTracer } from '../mesh/rays.ts';
export { type FaceFilter, segmentHitsSurface } from '../mesh/segment-hit.ts';
export { type MarchedSurface, marchDistances } from '../mesh/fast-marching.ts';
export { cotangentLaplacian, type Laplacian } from '../mesh/laplacian.ts';
export { SparseCholesky } from '../math/sparse-cholesky.ts';
export type { SparseMatrix } from '../math/sparse-matrix.ts';
export type { Numbers } from '../math/quaternion.ts';

// Decimation: levels of detail of a mesh, in all its poses.
export { DECIMATE_OPTIONS, type DecimateOptions, decimate } from '../mesh/decimation/decimate.ts';
export { type Decimation, type DecimationLevel, levelOf, PosePlacer } from '../mesh/decimation/levels.ts';
export type { ContractionRules } from '../mesh/decimation/contractor.ts';
export type { ContractorOptions, PosedMesh } from '../mesh/decimation/posed-quadrics.ts';
