/**
 * Error figures of meshes, sequences and rigs.
 *
 * @module pliant/measure
 */

export {
  MEASURE_OPTIONS,
  type MeasureOptions,
  measureMeshes,
  measureSequences,
  type SequenceErrors,
} from '../measure/measure.ts';
export {
  ENVELOPING_OPTIONS,
  type EnvelopingError,
  type EnvelopingOptions,
  envelopingError,
} from '../measure/enveloping.ts';
export { compareSurfaces, meanSurfaceDistance, type SurfaceComparison } from '../measure/surface-distance.ts';
export {
  DISTANCE_OPTIONS,
  type DistanceOptions,
  PosedDistance,
  type PosedTriangles,
  type SurfaceDistance,
  surfaceDistance,
} from '../measure/posed-distance.ts';
export { signedVolume, surfaceArea } from '../measure/area.ts';
export {
  analyseDeformation,
  deformationOfPose,
  type FacetDeformation,
  type FacetFrames,
  facetFrames,
} from '../measure/facet-deformation.ts';
export { type Strain, SurfaceStrain } from '../learn/strain.ts';
