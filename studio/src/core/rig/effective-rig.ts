import type { SkinnedModel } from '../../../../src/index.ts';

/**
 * A rig without its blend bones: their weights go to the masters, by the u-weights. `linearize` keeps these effective
 * weights close to those of the rig it was given, so the other operators show nearly what that rig would.
 */
export function effectiveRig(model: SkinnedModel): SkinnedModel {
  const { blendBones, weights: given, ...kept } = model;
  if (!blendBones) return model;
  const mastersOf = new Map(blendBones.bones.map((blend) => [blend.bone, blend]));
  const { influences } = given;
  const joints = new Uint16Array(given.joints.length);
  const weights = new Float32Array(given.weights.length);
  for (let first = 0; first < joints.length; first += influences) {
    const sums = new Map<number, number>();
    const add = (j: number, w: number) => sums.set(j, (sums.get(j) ?? 0) + w);
    for (let slot = first; slot < first + influences; slot++) {
      const [j, w] = [given.joints[slot], given.weights[slot]];
      const blend = mastersOf.get(j);
      if (!blend) add(j, w);
      blend?.masters.forEach((master, l) => {
        add(master, w * blend.weights[l]);
      });
    }
    const largest = [...sums]
      .filter(([, w]) => w > 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, influences);
    const total = largest.reduce((sum, [, w]) => sum + w, 0);
    largest.forEach(([j, w], s) => {
      joints[first + s] = j;
      weights[first + s] = w / total;
    });
  }
  return { ...kept, weights: { influences, joints, weights }, operator: blendBones.operator };
}
