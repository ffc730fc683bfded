/**
 * Garments on moving bodies.
 *
 * @module pliant/cloth
 */

export type { BoneCapsule } from '../cloth/capsules.ts';
export { LiveCloth, type LiveClothOptions } from '../cloth/live.ts';
export { LIVE_CLOTH_OPTIONS } from '../cloth/options.ts';
export type { Wind } from '../cloth/wind.ts';
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
} from '../verbs/cloth-pair.ts';
