// The library's front door: explicit named exports, in the order of the flow.

export { type ErrorPlace, PliantError, type PliantErrorCode } from './error.ts';
// measure
export { signedVolume, surfaceArea } from './measure/area.ts';
export {
  ENVELOPING_DEFAULTS,
  ENVELOPING_OPTIONS,
  type EnvelopingError,
  type EnvelopingOptions,
  envelopingError,
} from './measure/enveloping.ts';
export {
  MEASURE_DEFAULTS,
  MEASURE_OPTIONS,
  type MeasureOptions,
  measureMeshes,
  measureSequences,
  type SequenceErrors,
} from './measure/measure.ts';
export { compareSurfaces, meanSurfaceDistance, type SurfaceComparison } from './measure/surface-distance.ts';
// mesh
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
} from './mesh/adjacency.ts';
export { type Bounds, boundsOf, diagonalOf } from './mesh/bounds.ts';
export { type Bvh, buildBvh, refitBvh } from './mesh/bvh.ts';
export { type ComponentFacts, inspectMesh, isClosed, type MeshFacts, type MeshProblem } from './mesh/inspect.ts';
export { nearestOnSurface, type SurfacePoint, surfacePoint } from './mesh/nearest.ts';
export { type NormalWeighting, smoothingGroups, vertexNormals } from './mesh/normals.ts';
export { expandToSplit, splitVertices, type WeldOptions, weldVertices } from './mesh/seams.ts';
export { triangulatePolygon } from './mesh/triangulate.ts';
