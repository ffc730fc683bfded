import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import type { SkinOptions } from '../../src/skin/skin-options.ts';
import { type Posed, Skinner } from '../../src/skin/skinner.ts';

/** Poses a model once, by 12B transforms. */
export function skin(
  model: SkinnedModel,
  transforms: Float32Array,
  options: Partial<SkinOptions> & { signs?: Int8Array; morphWeights?: Float32Array } = {},
): Posed {
  const skinner = new Skinner(model, options);
  const posed = skinner.pose(transforms, options.signs, options.morphWeights);
  skinner.dispose();
  return posed;
}
