// The library's front door: explicit named exports, in the order of the flow.

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
export { type Note, type NoteCode, type NoteData, note } from './model/note.ts';
export { emptyReport, type Report } from './model/report.ts';
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
export { type MeshSequence, memorySequence, steadyTimes, validateSequence } from './model/sequence.ts';
export {
  boneCount,
  type Clip,
  clipFrame,
  clipFrameCount,
  clipMorphWeights,
  frameKeys,
  frameTimes,
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
export { type FileSequence, type FrameFormat, sequenceFromFiles } from './io/sequence-from-files.ts';
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

// Cloth: a scene becomes a sequence.
export { CLOTH_SCENE_NAMES, type ClothSceneName } from './cloth/scene-names.ts';
export { clothScene } from './cloth/scenes.ts';
export type { ClothScene } from './cloth/scene.ts';
export type { ClothBody, ClothMaterial, Springs } from './cloth/body.ts';
export type { Collider } from './cloth/colliders.ts';
export type { Vector } from './math/vector.ts';
export type { Wind } from './cloth/wind.ts';
export { CLOTH_OPTIONS, type ClothOptions, type ClothResult, simulateCloth } from './cloth/simulate.ts';
export { type ClothSolver, clothSolver, type SolverOptions } from './cloth/solver.ts';

// Meshes: bounds, seams, normals, neighbours, what is wrong with one.
export { type Bounds, boundsOf, diagonalOf } from './mesh/bounds.ts';
export { expandToSplit, type FlatArray, splitVertices, type WeldOptions, weldVertices } from './mesh/seams.ts';
export { type NormalWeighting, smoothingGroups, vertexNormals } from './mesh/normals.ts';
export { transformMesh } from './mesh/transform-mesh.ts';
export type { Numbers } from './math/quaternion.ts';
export { triangulatePolygon } from './mesh/triangulate.ts';
export { wrapUvs } from './mesh/wrap-uvs.ts';
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
export { type ComponentFacts, inspectMesh, isClosed, type MeshFacts, type MeshProblem } from './mesh/inspect.ts';

// Meshes: nearest points, decimation, surfaces of implicit functions.
export { type Bvh, buildBvh, refitBvh } from './mesh/bvh.ts';
export { type FaceFilter, segmentHitsSurface } from './mesh/segment-hit.ts';
export { type MarchedSurface, marchDistances } from './mesh/fast-marching.ts';
export { cotangentLaplacian, type Laplacian } from './mesh/laplacian.ts';
export { SparseCholesky } from './math/sparse-cholesky.ts';
export type { SparseMatrix } from './math/sparse-matrix.ts';
export { nearestOnSurface, type SurfacePoint, surfacePoint } from './mesh/nearest.ts';
export { DECIMATE_OPTIONS, type DecimateOptions, decimate } from './mesh/decimation/decimate.ts';
export { type Decimation, type DecimationLevel, levelOf, PosePlacer } from './mesh/decimation/levels.ts';
export type { ContractionRules } from './mesh/decimation/contractor.ts';
export type { ContractorOptions, PosedMesh } from './mesh/decimation/posed-quadrics.ts';
export { type ImplicitFunction, type Limb, limbFunction, type Point, smoothUnion } from './mesh/implicit/implicit.ts';
export { polygonize } from './mesh/implicit/polygonize.ts';

// Fitting: a mesh animation becomes a small skinned model.
export { type FitEnding, type FitResult, fit } from './fit/fit.ts';
export type { ProxyJoints } from './fit/thesis/proxy-joints.ts';
export { FIT_DEFAULTS, FIT_OPTIONS, FIT_PRESETS, type FitOptions } from './fit/fit-options.ts';
export type { FitGiven, FitRun } from './fit/solve.ts';
export { type FittedFrames, fittedSequence } from './fit/clips.ts';
export { skinTransforms } from './math/trs.ts';
export { type MergedSequences, mergeSequences } from './fit/merge-sequences.ts';

// Fitting, stage by stage.
export {
  analyseDeformation,
  deformationOfPose,
  type FacetDeformation,
  type FacetFrames,
  facetFrames,
} from './measure/facet-deformation.ts';
export { type InBetween, type InBetweenFigures, withInBetweenKeys } from './fit/proxy/in-between.ts';
export { type ProxyModelInput, proxyModel } from './fit/proxy/proxy-model.ts';

// Rigging: weights for a mesh and a skeleton.
export { BIND_OPTIONS, type BindOptions, type BindResult, bind } from './rig/bind/bind.ts';
export { type TrimError, type TrimResult, trimInfluences, trimModel } from './rig/bind/trim.ts';
export { smoothSkin } from './rig/bind/smooth.ts';
export {
  findMirror,
  MIRROR_OPTIONS,
  type Mirror,
  type MirrorDifference,
  type MirrorOptions,
  mirrorDifference,
  symmetrizeWeights,
} from './rig/bind/mirror.ts';
export { type Alignment, alignClip, alignment, alignSkeleton, overlapNote } from './rig/bind/align.ts';
export { matchBones } from './rig/bind/bone-names.ts';
export { type Retargeted, retargetClip } from './rig/bind/retarget.ts';

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
export {
  RANGE_OF_MOTION_OPTIONS,
  type RangeOfMotion,
  type RangeOfMotionOptions,
  rangeOfMotion,
} from './rig/range-of-motion.ts';

// Rigging: the mix of linear blending and dual quaternions.
export { MIX_OPTIONS, type MixOptions, type MixResult, type MixRun, mix } from './rig/mix/mix.ts';
export type { MixContender, MixField } from './rig/mix/contenders.ts';
export type { MixEnergyTerms } from './rig/mix/energy.ts';
export type { MixPose } from './rig/mix/pose-pairs.ts';
export { FLEXION_OPTIONS, type FlexionOptions, flexionClip } from './rig/mix/flexion.ts';
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
export { bendingRectangle, type RectangleOptions, type RectangleRig } from './rig/mix/rectangle.ts';

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
export { LEARN_METHODS, LEARN_OPTIONS, type LearnOptions } from './learn/learn-options.ts';
export { collectExamples, type Examples } from './learn/examples.ts';
export { type Driven, SurfaceDriver } from './learn/drive.ts';
export { drivenClip, drivenSequence, type PointPath } from './learn/drive-sequence.ts';
export { type PointRange, pointRanges } from './learn/point-ranges.ts';
export { examplesClip, predictorModel } from './learn/predictor-model.ts';
export { type RigBones, rigBones } from './learn/bones/rig-bones.ts';
export { type Strain, SurfaceStrain } from './learn/strain.ts';
export {
  type Baseline,
  type BaselineBones,
  kernelRidgeToVertices,
  pcaBlendShapes,
  rbfToBones,
} from './learn/baselines.ts';

// Skinning: a model and a pose become positions and normals.
export { posedSequence, SKIN_OPTIONS, type SkinOptions, skin } from './skin/skin.ts';
export { type Posed, Skinner } from './skin/skinner.ts';
export { BlendBoneMatrices } from './skin/blend-bones.ts';
export { ClipSampler, findClip, morphWeightsAt, poseAt, restClip, steadyClip } from './skin/poses.ts';

// Skinning: the operators as plainly as they can be written.
export { type PlainOptions, skinPlain } from './skin/plain.ts';
export { BonePose, continuousSigns, type Influences } from './skin/bones.ts';
export {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendLinear,
  blendMix,
  blendRigid,
  blendScaledDualQuaternions,
} from './skin/operators.ts';

// Measuring: every error figure.
export {
  MEASURE_OPTIONS,
  type MeasureOptions,
  measureMeshes,
  measureSequences,
  type SequenceErrors,
} from './measure/measure.ts';
export {
  ENVELOPING_OPTIONS,
  type EnvelopingError,
  type EnvelopingOptions,
  envelopingError,
} from './measure/enveloping.ts';
export { compareSurfaces, meanSurfaceDistance, type SurfaceComparison } from './measure/surface-distance.ts';
export { signedVolume, surfaceArea } from './measure/area.ts';

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
  SMALL_WEIGHT_LEVELS,
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
