import { followedBones } from '../../../model/influences.ts';
import { boneCount } from '../../../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../../../model/skinned-model.ts';

/** What of a model is no longer as it was read, in terms of what is to be stored anew. */
export interface Changes {
  /** Bones that must be joints of the skin. */
  joints: Set<number>;
  /** JOINTS_n and WEIGHTS_n. */
  weights: boolean;
  mixWeights: boolean;
  operator: boolean;
  blendBones: boolean;
}

/** `hasSkin`: whether the file has a skin for it; a mesh that follows its node gets one when it needs it. */
export function changesOf(
  model: SkinnedModel,
  { bones, read }: ModelOrigin,
  hasSkin: boolean,
  isStorageGiven: boolean,
): Changes {
  const isReweighted =
    model.weights.influences !== read.weights.influences ||
    !isEqual(model.weights.joints, read.weights.joints) ||
    !isEqual(model.weights.weights, read.weights.weights);
  const added = Array.from({ length: boneCount(model.skeleton) - bones.length }, (_, j) => bones.length + j);
  const weights = isReweighted || (hasSkin ? isStorageGiven : added.length > 0);
  const blendBones = model.blendBones !== read.blendBones;
  const masters = blendBones ? (model.blendBones?.bones ?? []).flatMap((bone) => [...bone.masters]) : [];
  const joints = new Set([...(weights ? followedBones(model.weights) : []), ...masters, ...added]);
  const isSkinned = hasSkin || joints.size > 0;
  return {
    joints,
    weights,
    mixWeights: !isEqual(model.mixWeights, read.mixWeights),
    operator: isSkinned && model.operator !== (hasSkin ? read.operator : 'lbs'),
    blendBones,
  };
}

const isEqual = (a: ArrayLike<number> = [], b: ArrayLike<number> = []): boolean => {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return false;
  return true;
};
