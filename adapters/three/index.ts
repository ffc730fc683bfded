/**
 * Better skinning for three.js.
 *
 * @module pliant/three
 */

export {
  BLEND_BONE_EXTENSION,
  CLOTH_EXTENSION,
  LIGHT_EXTENSION,
  PREDICTOR_EXTENSION,
} from '../../src/io/gltf/extension-names.ts';
export type { SelectOptions } from '../../src/lod/images/select.ts';
export type { GeometryImages } from '../../src/model/geometry-images.ts';
export { BlendBoneDriver, type BlendBoneProperties } from './blend-bones.ts';
export {
  CLIP_BOUNDS_OPTIONS,
  type ClipBoundsOptions,
  computeClipBounds,
  exactBounds,
  type SkinnedBounds,
} from './bounds.ts';
export type { ClothPins } from './cloth-garment.ts';
export { ClothMesh, type ClothMeshOptions } from './cloth-mesh.ts';
export { ClothLoaderPlugin } from './cloth-plugin.ts';
export type { PosedClip } from './crowd/crowd-bones.ts';
export type { PlayOptions } from './crowd/crowd-instances.ts';
export { CROWD_OPTIONS, type CrowdOptions, SkinnedCrowd } from './crowd/skinned-crowd.ts';
export { GeometryImageMesh, type GeometryImageOptions } from './images/geometry-image-mesh.ts';
export { GeometryImageLoaderPlugin, type ImageParser } from './images/image-plugin.ts';
export { LEVEL_OPTIONS, type LevelOptions } from './level-choice.ts';
export type { CrowdLight } from './light/crowd-light.ts';
export {
  LightEnvironment,
  type LightEnvironmentOptions,
  type LightSource,
} from './light/light-environment.ts';
export { type FloorOptions, LightFloor } from './light/light-floor.ts';
export type { LightNote } from './light/light-notes.ts';
export { LIGHT_OPTIONS } from './light/light-options.ts';
export { LightLoaderPlugin, type LightParser } from './light/light-plugin.ts';
export { CharacterLight, type CrowdLightOptions, type LightOptions, useLight } from './light/use-light.ts';
export { type LodLevel, LodMesh } from './lod-mesh.ts';
export { LodLoaderPlugin, type LodParser } from './lod-plugin.ts';
export type { Disposable, SkinningOptions } from './material.ts';
export { skinMaterial } from './material.ts';
export type { GltfParser } from './packed-data.ts';
export { PredictorLoaderPlugin, PredictorMesh } from './predictor-mesh.ts';
export { acceleratedRaycast } from './raycast.ts';
export { THREE_OPERATORS, type ThreeOperator } from './shader.ts';
export type { Skinning } from './skinnings.ts';
export { useSkinning } from './use-skinning.ts';
