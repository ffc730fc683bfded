/**
 * Levels of detail of skinned, moving and still meshes.
 *
 * @module pliant/lod
 */

export { imagesOfGlb, type NodeImages } from '../io/edit-images.ts';
export { geometryImageFiles, readImageFiles } from '../io/geometry-images.ts';
export type { LodDetail, LodLevel, LodLevelFigures } from '../lod/lod-detail.ts';
export type { PartPose, Pose } from '../skin/choose-poses.ts';
export { coarserImages, type GeometryImages, type ImageLevel, type PatchBoxes } from '../model/geometry-images.ts';
export { lod } from '../verbs/lod.ts';
export { LOD_VERB_OPTIONS, type LodOutcome, type LodVerbOptions } from '../verbs/lod-options.ts';
