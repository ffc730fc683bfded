import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { BlendOperator, SkinnedModel } from '../model/skinned-model.ts';
import { BonePose } from './bones.ts';
import { type Blend, blendDualQuaternions, blendIterative, blendScaledDualQuaternions } from './operators.ts';

/** The operators that blend bones can be samples of. */
export const BLENDS: Record<BlendOperator, Blend> = {
  dqs: blendDualQuaternions,
  sdqs: blendScaledDualQuaternions,
  dib: blendIterative,
};

/** Fills the matrices of a model's blend bones from those of their masters: what a rig that is posed live needs. */
export class BlendBoneMatrices {
  readonly #model: SkinnedModel;
  readonly #pose: BonePose;
  readonly #phi = new Float64Array(MATRIX_STRIDE);

  constructor(model: SkinnedModel) {
    this.#model = model;
    this.#pose = new BonePose(model.skeleton);
  }

  /**
   * In place: 12B transforms (rest → pose) whose blend bones are yet to be filled in; the others must be there. `signs`
   * (B) as for `Skinner.pose`. A model without blend bones is left alone.
   */
  fill(transforms: Float32Array, signs?: Int8Array): Float32Array {
    const { blendBones } = this.#model;
    if (!blendBones) return transforms;
    this.#pose.set(transforms, signs);
    for (const { bone, masters, weights } of blendBones.bones) {
      const at = { joints: masters, weights, start: 0, k: masters.length };
      BLENDS[blendBones.operator](this.#phi, at, this.#pose, blendBones.antipodality);
      transforms.set(this.#phi, MATRIX_STRIDE * bone);
    }
    return transforms;
  }
}
