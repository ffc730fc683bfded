/**
 * Nouns, readers, verbs and writers. What they are made of is in `pliant/mesh`, `pliant/skin` and `pliant/measure`; files
 * and threads of a platform are in `pliant/node` and `pliant/browser`.
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
export type { FigureName, Figures } from './model/figures.ts';
export type { Compared, Note, NoteCode, NoteData, Notes } from './model/note.ts';
export { noteText } from './report/note-text.ts';
export type { Report } from './model/report.ts';
export type { ParallelJob, ParallelPool } from './kernels/parallel.ts';

// The nouns: meshes, sequences, skeletons with their clips, skinned models, and files full of them.
export {
  type Image,
  type Material,
  type Mesh,
  type MeshGroup,
  type Seams,
  type Space,
  splitVertexCount,
  triangleCount,
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
  BLEND_OPERATORS,
  type BlendBone,
  type BlendBones,
  type BlendOperator,
  type Morph,
  SKIN_OPERATORS,
  type SkinnedModel,
  type SkinOperator,
  type SkinWeights,
  validateModel,
  validateWeights,
} from './model/skinned-model.ts';
export { type Asset, type AssetObject, emptyAsset, type Motion } from './model/asset.ts';

// Reading: anything, or one format. Platforms give access to files.
export { type ByteSink, type ByteSource, type FileAccess, type FolderSink, memorySource } from './io/files.ts';
export { READ_DEFAULTS, READ_OPTIONS, type ReadOptions, readAsset } from './io/read-asset.ts';
export { readAlembic } from './io/read-alembic.ts';
export { readGltf } from './io/read-gltf.ts';
export { readObj } from './io/read-obj.ts';
export { readPly } from './io/read-ply.ts';
export { readOff } from './io/read-off.ts';
export { readPc2 } from './io/read-pc2.ts';
export { readMdd } from './io/read-mdd.ts';
export { readCollada } from './io/read-collada.ts';
export { readBvh } from './io/read-bvh.ts';

// Samples: everything that Pliant can make by itself.
export {
  SAMPLE_NAMES,
  SAMPLE_OPTIONS,
  SAMPLES,
  type Sample,
  type SampleName,
  type SampleOptions,
} from './sample-list.ts';
export { makeSample, type SampleResult } from './samples.ts';

// Fitting: a mesh animation becomes a small skinned model.
export { type FitEnding, type FitResult, fit } from './fit/fit.ts';
export type { ProxyJoints } from './fit/thesis/proxy-joints.ts';
export { FIT_DEFAULTS, FIT_OPTIONS, FIT_PRESETS, type FitOptions } from './fit/fit-options.ts';
export type { FitGiven, FitRun } from './fit/solve.ts';
export type { InBetweenFigures } from './fit/proxy/in-between.ts';
export { type FittedFrames, fittedSequence } from './fit/clips.ts';
export { type MergedSequences, mergeSequences } from './fit/merge-sequences.ts';

// Rigging: a nonlinear rig as a linear one with blend bones.
export {
  type ClipErrors,
  type JointErrors,
  LINEARIZE_DEFAULTS,
  LINEARIZE_OPTIONS,
  type LinearizeOptions,
  type LinearizeResult,
  type LinearizeRun,
  linearize,
} from './rig/linearize/linearize.ts';
export type { TrainingClip } from './rig/linearize/training.ts';

// Rigging: the mix of linear blending and dual quaternions.
export { MIX_OPTIONS, type MixOptions, type MixResult, type MixRun, mix } from './rig/mix/mix.ts';
export type { MixContender, MixField } from './rig/mix/contenders.ts';
export type { MixEnergyTerms } from './rig/mix/energy.ts';
export type { MixPose } from './rig/mix/pose-pairs.ts';
export {
  type BendCurve,
  type BendStudy,
  experimentCsv,
  MIX_EXPERIMENT_OPTIONS,
  type MixExperiment,
  type MixExperimentOptions,
  mixExperiment,
} from './rig/mix/experiment.ts';
export type { BendField } from './rig/mix/bend-fields.ts';
export type { RectangleRig } from './rig/mix/rectangle.ts';

// Learning: examples and control points become a predictor, which a driver runs.
export {
  type Kernel,
  KERNELS,
  type KernelName,
  type Predictor,
  pointNames,
  type Residual,
  TARGETS,
  type Target,
  TRANSLATIONS,
  type TranslationMode,
  type TranslationSolve,
  validatePredictor,
} from './model/predictor.ts';
export { type LearnGiven, type LearnResult, learn } from './learn/learn.ts';
export type { Examples } from './learn/examples.ts';
export { LEARN_OPTIONS, type LearnOptions } from './learn/learn-options.ts';
export { type Driven, SurfaceDriver } from './learn/drive.ts';
export type { PointPath } from './learn/drive-sequence.ts';
export { predictorModel } from './learn/predictor-model.ts';

// Skinning: a model and a pose become positions and normals.
export { posedSequence, SKIN_OPTIONS, type SkinOptions, skin } from './skin/skin.ts';
export { type Posed, Skinner } from './skin/skinner.ts';

// Writing.
export { type GlbResult, writeMeshGlb, writeModelGlb, writeSequenceGlb } from './io/write-glb.ts';
export {
  GLB_OPTIONS,
  type GlbOptions,
  MODEL_GLB_DEFAULTS,
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
export { type LinearizePageExtra, linearizePage } from './report/linearize-page.ts';
export { type MixPageExtra, mixPage } from './report/mix-page.ts';
export { type MixExperimentPage, mixExperimentPage } from './report/mix-experiment-page.ts';
export type { Setting } from './report/sections.ts';
