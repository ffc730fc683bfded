import { boneCount } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { largestWeights } from '../../../src/rig/largest-weights.ts';

/**
 * A rig with blend bones as one without: what a vertex follows of a blend bone it follows of the masters, by their
 * u-weights. `linearize` keeps these effective weights close to those of the rig that it was given, so that the other
 * operators show nearly what that rig would.
 */
export function effectiveRig(model: SkinnedModel): SkinnedModel {
  const { blendBones, weights, skeleton } = model;
  if (!blendBones) return model;
  const bones = boneCount(skeleton);
  const mastersOf = new Map(blendBones.bones.map((blend) => [blend.bone, blend]));
  const dense = new Float64Array((weights.joints.length / weights.influences) * bones);
  weights.joints.forEach((j, slot) => {
    const row = Math.floor(slot / weights.influences) * bones;
    const w = weights.weights[slot];
    const blend = mastersOf.get(j);
    if (!blend) dense[row + j] += w;
    blend?.masters.forEach((master, l) => {
      dense[row + master] += w * blend.weights[l];
    });
  });
  const { blendBones: _, ...kept } = model;
  return { ...kept, weights: largestWeights(dense, bones, weights.influences), operator: blendBones.operator };
}
