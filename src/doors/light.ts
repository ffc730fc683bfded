/**
 * Soft global light on moving characters: radiance transfer in spherical harmonics.
 *
 * @module pliant/light
 */

export {
  LIGHT_BAKE_OPTIONS,
  type LightBakeDetail,
  type LightBakeOptions,
  type LightBakeOutcome,
  lightBake,
} from '../verbs/light-bake.ts';
export {
  LIGHT_MEASURE_OPTIONS,
  type LightClipFigures,
  type LightMeasureDetail,
  type LightMeasureOptions,
  lightMeasure,
} from '../verbs/light-measure.ts';
export {
  LIGHT_RENDER_OPTIONS,
  type LightFilmOptions,
  type LightRenderDetail,
  type LightRenderOptions,
  lightFilm,
  lightRender,
} from '../verbs/light-render.ts';
export { cosineLobe, evaluateSh, shCount, shRotation, ShRotation } from '../math/spherical-harmonics.ts';
export { environmentAt, environmentSh, type ShWindow } from '../light/environment.ts';
export { extractSuns, type Sun } from '../light/suns.ts';
export { readEnvironment } from '../io/read-environment.ts';
export { type EnvironmentMap, validateEnvironment } from '../model/environment.ts';
export { bakePoses } from '../light/bake-poses.ts';
export { type BoneGroups, boneGroups } from '../light/bone-groups.ts';
export { fitSpheres, type SphereFit, type SphereSample } from '../light/fit-spheres.ts';
export { boneRotation, storePoses } from '../light/pose-features.ts';
export { PoseKernel } from '../light/pose-kernel.ts';
export { addResidual, ResidualFit, type ResidualOptions, ResidualPose } from '../light/residual.ts';
export { gltfWithLight } from '../io/edit-light.ts';
export { type SampleBlend, SampledLight } from '../light/paper/sampled-light.ts';
export { type Brdf, type BrdfFactors, brdfFactors, viewTerms } from '../light/paper/brdf-factors.ts';
export {
  BASE_OPTIONS,
  type BaseLayout,
  type BaseOptions,
  type BaseResult,
  LightBase,
  turnVectors,
} from '../light/base.ts';
export { BOUNCE_ALBEDO, BOUNCE_FACTORS } from '../light/bounces.ts';
export { type PosedSpheres, poseSpheres, type SphereMorphs } from '../light/pose-spheres.ts';
export {
  type MadeSpheres,
  makeSpheres,
  SPHERE_OPTIONS,
  type SphereOptions,
} from '../light/spheres.ts';
export type { SphereSurface } from '../light/sphere-surface.ts';
export type { LightSpheres } from '../model/light.ts';
export type { Tile, TileInput, TileRunner, TileRunOptions } from '../kernels/tiles.ts';
export { type DecodedPicture, type DecodePicture, materialAlbedo } from '../light/albedo.ts';
export type { LightSurface } from '../light/surface-rays.ts';
export {
  TRANSFER_OPTIONS,
  type TracedPoints,
  type Transfer,
  type TransferOptions,
  type TransferReport,
  tracePoints,
  traceTransfer,
} from '../light/transfer.ts';
export {
  type GlossLobe,
  glossVisibility,
  phongLobe,
  type Reflections,
  type TracedGloss,
  traceGloss,
} from '../light/gloss.ts';
export { type TransferMatrices, traceMatrices } from '../light/transfer-matrices.ts';
export {
  SCATTERING_OPTIONS,
  type Scattering,
  type ScatteringOptions,
  traceScattering,
} from '../light/scattering.ts';
export type { Translucent } from '../light/translucent.ts';
export { FLOOR_OPTIONS, type Floor, type FloorOptions, floorPoints, floorTransfer } from '../light/floor.ts';
