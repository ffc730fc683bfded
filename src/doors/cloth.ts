/**
 * Garments on moving bodies.
 *
 * @module pliant/cloth
 */

export type { BoneCapsule } from '../cloth/capsules.ts';
export { LiveCloth, type LiveClothOptions } from '../cloth/live.ts';
export { LIVE_CLOTH_OPTIONS } from '../cloth/options.ts';
export { EDDIES, type Wind } from '../cloth/wind.ts';
export type { Garment } from '../cloth/worn.ts';
export { CLOTH_RUN_OPTIONS, type ClothDetail, type ClothRunOptions, clothRun } from '../verbs/cloth-run.ts';
export type { BodyMotion } from '../cloth/body-motion.ts';
export type { ClothPair, MotionUse } from '../cloth/pairs.ts';
export { PairsWriter, readPairs } from '../cloth/pairs-folder.ts';
export type { PairSceneName } from '../cloth/scene.ts';
export {
  CLOTH_PAIR_OPTIONS,
  type ClothPairDetail,
  type ClothPairOptions,
  type ClothPairOutcome,
  clothPair,
  type MadePair,
} from '../verbs/cloth-pair.ts';
export {
  TRAIN_CLOTH_OPTIONS,
  type TrainClothOptions,
  type TrainClothResult,
  trainCloth,
} from '../cloth/train-cloth.ts';
export type { Compared, FoldFigures } from '../cloth/compare.ts';
export type { PaperModel } from '../model/paper-cloth.ts';
export type { ClothMethod, ClothPhysics, TrainedCloth, UpsamplerModel } from '../model/trained-cloth.ts';
export type { ClothCaches } from '../verbs/cloth-caches.ts';
export {
  CLOTH_TRAIN_OPTIONS,
  type ClothTrainDetail,
  type ClothTrainOptions,
  type ClothTrainOutcome,
  clothTrain,
} from '../verbs/cloth-train.ts';
export type { ClothInfo } from '../verbs/info.ts';
export { Embedding } from '../cloth/embedding.ts';
export type { Stage } from '../cloth/stage.ts';
export {
  trainUpsampler,
  UPSAMPLER_OPTIONS,
  type UpsamplerOptions,
  type UpsamplerTraining,
} from '../cloth/upsampler/train.ts';
export { Upsampler } from '../cloth/upsampler/upsampler.ts';
