/**
 * Nouns, readers, verbs and writers. What they are made of is in `pliant/mesh`, `pliant/skin` and `pliant/measure`;
 * garments are in `pliant/cloth`, files and threads of a platform are in `pliant/node` and `pliant/browser`.
 *
 * @module pliant
 */

// Errors, options and reports: what every operation has.
export { type ErrorFacts, type ErrorReason, explain, PliantError, type PliantErrorCode } from './error.ts';
export {
  defaultsOf,
  type OnProgress,
  type OptionSpec,
  type OptionSpecs,
  type OptionValue,
  type OptionsOf,
  type RunOptions,
} from './model/options.ts';
export { type FigureName, FIGURES, type Figures } from './model/figures.ts';
export type { Note, NoteCode, NoteData } from './model/note.ts';
export { noteText } from './report/note-text.ts';
export type { Report } from './model/report.ts';
export type { ParallelJob, ParallelPool } from './kernels/parallel.ts';

// The nouns: meshes, sequences, skeletons with their clips, skinned models, and files full of them.
export type { Bytes, StoredBytes } from './model/bytes.ts';
export {
  type GltfObject,
  type Image,
  type Material,
  type MaterialDefinition,
  type Mesh,
  type MeshGroup,
  type Seams,
  type Space,
  splitVertexCount,
  triangleCount,
  type VertexAttribute,
  validateMesh,
  vertexCount,
} from './model/mesh.ts';
export { type MeshSequence, memorySequence, validateSequence } from './model/sequence.ts';
export {
  boneCount,
  type Clip,
  clipFrame,
  clipFrameCount,
  LOCAL_STRIDE,
  MATRIX_STRIDE,
  type Skeleton,
  validateClip,
  validateSkeleton,
} from './model/skeleton.ts';
export {
  type BlendBone,
  type BlendBones,
  type BlendOperator,
  type ModelOrigin,
  type Morph,
  SKIN_OPERATORS,
  type SkinnedModel,
  type SkinOperator,
  type SkinWeights,
  validateModel,
  validateWeights,
} from './model/skinned-model.ts';
export type { LightModel, LightModes, LightResidual, LightSpheres } from './model/light.ts';
export type { LightGroups, LightPoses } from './model/light-poses.ts';
export type { LightSamples, SampledGloss, SampledVectors, SampleMethod } from './model/light-samples.ts';
export type { GltfSource } from './model/gltf-source.ts';
export { type Asset, type AssetObject, emptyAsset, type MeshOrigin, type Motion } from './model/asset.ts';
export {
  type Kernel,
  type KernelName,
  type Predictor,
  pointNames,
  type Residual,
  type Target,
  type TranslationMode,
  type TranslationSolve,
  validatePredictor,
} from './model/predictor.ts';

// Reading: anything, or one format. Platforms give access to files.
export type { Beside } from './io/beside.ts';
export { type ByteSink, type ByteSource, type FileAccess, type FolderSink, memorySource } from './io/files.ts';
export { READ_OPTIONS, type ReadOptions, readAsset } from './io/read-asset.ts';
export { readAlembic } from './io/read-alembic.ts';
export { type GltfReading, readGltf } from './io/read-gltf.ts';
export { readObj } from './io/read-obj.ts';
export { readPly } from './io/read-ply.ts';
export { readOff } from './io/read-off.ts';
export { readPc2 } from './io/read-pc2.ts';
export { readMdd } from './io/read-mdd.ts';
export { readCollada } from './io/read-collada.ts';
export { readBvh } from './io/read-bvh.ts';

// Verbs: an asset, or a noun of it, and options become models, sequences and a report.
export {
  assetOf,
  type ClipReport,
  type GlbTarget,
  type PartReport,
  type VerbInput,
  type VerbReport,
} from './verbs/verb.ts';
export type * from './verbs/envelope.ts';
export { SEQUENCE_FORMATS, type SequenceFormat } from './verbs/sequence-formats.ts';
export * from './verbs/convert.ts';
export * from './verbs/drive.ts';
export { FIT_INPUT_OPTIONS, type FitDetail, type FitOutcome, type FitVerbOptions, fit } from './verbs/fit.ts';
export {
  type AssetInfo,
  INFO_OPTIONS,
  type InfoDetail,
  info,
  type MeshInfo,
  type ModelInfo,
  type PredictorInfo,
  type SequenceInfo,
  type SkeletonInfo,
} from './verbs/info.ts';
export * from './verbs/learn.ts';
export * from './verbs/linearize.ts';
export * from './verbs/measure.ts';
export * from './verbs/mix.ts';
export * from './verbs/mix-experiment.ts';
export * from './verbs/sample.ts';
export * from './verbs/skin.ts';
export * from './verbs/weights.ts';
export { WEIGHTS_OPTIONS, type WeightsVerbOptions } from './verbs/weights-parts.ts';

// Tables of options, and what they are about.
export { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from './fit/fit-options.ts';
export { LEARN_OPTIONS, type LearnMethod, type LearnOptions } from './learn/learn-options.ts';
export type { MethodTrial } from './learn/learn-report.ts';
export { LINEARIZE_OPTIONS, type LinearizeOptions } from './rig/linearize/linearize-options.ts';
export type { MixOptions } from './rig/mix/mix-options.ts';
export { MIX_EXPERIMENT_OPTIONS, type MixExperimentOptions } from './rig/mix/experiment.ts';
export * from './sample-list.ts';

// What the reports of verbs are made of.
export type { FitResult } from './fit/fit.ts';
export type { FitEnding } from './fit/fit-report.ts';
export type { FitGiven, FitSoFar } from './fit/context.ts';
export type { FittedFrames } from './fit/clips.ts';
export type { InBetweenFigures } from './fit/proxy/in-between.ts';
export type { ProxyJoints } from './fit/thesis/proxy-joints.ts';
export type { MorphBaseline } from './verbs/morph-baseline.ts';
export type { LearnSoFar } from './learn/bones/fit-bones.ts';
export type { LearnGiven } from './learn/given.ts';
export type { PointPath } from './learn/drive-sequence.ts';
export type { PointRange } from './learn/point-ranges.ts';
export type { Move, PathData } from './verbs/point-path.ts';
export type { LinearizeResult, LinearizeSoFar } from './rig/linearize/linearize.ts';
export type { ClipErrors } from './rig/linearize/clip-errors.ts';
export type { CrossfadeErrors } from './rig/linearize/crossfades.ts';
export type { HeldOutErrors } from './rig/linearize/held-out.ts';
export type { TrainingClip } from './rig/linearize/training.ts';
export type { JointErrors } from './rig/linearize/training-errors.ts';
export type { MixBalance } from './rig/mix/balance.ts';
export type { MixResult } from './rig/mix/mix.ts';
export type { MixEnergyTerms } from './rig/mix/energy.ts';
export type { MixPose } from './rig/mix/pose-pairs.ts';
export type { MixContender, MixField } from './rig/mix/contenders.ts';
export type { BendCurve, BendStudy, MixExperiment } from './rig/mix/experiment.ts';
export type { BendField } from './rig/mix/bend-fields.ts';
export type { RectangleRig } from './rig/mix/rectangle.ts';

// In real time: a pose, or control points, become positions and normals.
export { type Posed, Skinner } from './skin/skinner.ts';
export { SKIN_OPTIONS, type SkinOptions } from './skin/skin-options.ts';
export { type Driven, SurfaceDriver } from './learn/drive.ts';

// Writing.
export { type EditOptions, editGltf } from './io/edit-gltf.ts';
export { type GlbResult, type ModelExtras, writeMeshGlb, writeModelGlb, writeSequenceGlb } from './io/write-glb.ts';
export {
  GLB_OPTIONS,
  type GlbOptions,
  MODEL_GLB_OPTIONS,
  type ModelGlbOptions,
  SEQUENCE_GLB_OPTIONS,
  type SequenceGlbOptions,
  SMALL_GLB,
  SMALL_MODEL_GLB,
} from './io/glb/options.ts';
export { writeMdd } from './io/write-mdd.ts';
export { writeObj, writeObjSequence } from './io/write-obj.ts';
export { WRITE_ALEMBIC_OPTIONS, type WriteAlembicOptions, writeAlembic } from './io/write-alembic.ts';
export { WRITE_PC2_OPTIONS, type WritePc2Options, writePc2 } from './io/write-pc2.ts';

// The pages that tell how it went.
export { type FitPageExtra, fitPage } from './report/fit-page.ts';
export { linearizePage } from './report/linearize-page.ts';
export { mixPage } from './report/mix-page.ts';
export { type MixExperimentPage, mixExperimentPage } from './report/mix-experiment-page.ts';
export type { PageExtra, Setting } from './report/sections.ts';
