/**
 * Skinning in detail: poses of a skeleton, the operators as plain formulas, and the steps of binding a mesh.
 *
 * @module pliant/skin
 */

// Poses.
export { posedSequence } from '../skin/posed-sequence.ts';
export { ClipSampler, findClip, morphWeightsAt, poseAt, restClip, steadyClip } from '../skin/poses.ts';
export { clipMorphWeights, frameKeys, frameTimes } from '../model/skeleton.ts';
export { skinTransforms } from '../math/trs.ts';
export { BlendBoneMatrices } from '../skin/blend-bones.ts';
export {
  RANGE_OF_MOTION_OPTIONS,
  type RangeOfMotion,
  type RangeOfMotionOptions,
  rangeOfMotion,
} from '../skin/range-of-motion.ts';
export { FLEXION_OPTIONS, type FlexionOptions, flexionClip } from '../rig/mix/flexion.ts';

// The operators, as plainly as they can be written.
export { type PlainOptions, skinPlain } from '../skin/plain.ts';
export { BonePose, continuousSigns, type Influences } from '../skin/bones.ts';
export {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendLinear,
  blendMix,
  blendRigid,
  blendScaledDualQuaternions,
} from '../skin/operators.ts';

// Binding a mesh to a skeleton, step by step.
export { type BindResult, bind } from '../rig/bind/bind.ts';
export { BIND_OPTIONS, type BindOptions } from '../rig/bind/bind-options.ts';
export { smoothSkin } from '../rig/bind/smooth.ts';
export {
  findMirror,
  MIRROR_OPTIONS,
  type Mirror,
  type MirrorDifference,
  type MirrorOptions,
  mirrorDifference,
  symmetrizeWeights,
} from '../rig/bind/mirror.ts';
export { type TrimError, type TrimResult, trimInfluences, trimModel } from '../rig/bind/trim.ts';

// Motion of another skeleton.
export { type Alignment, alignClip, alignment, alignSkeleton } from '../rig/bind/align.ts';
export { matchBones } from '../rig/bind/bone-names.ts';
export { type Retargeted, retargetClip } from '../rig/bind/retarget.ts';
