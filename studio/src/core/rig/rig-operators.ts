import { SKIN_OPERATORS, type SkinnedModel, type SkinOperator } from '../../../../src/model/skinned-model.ts';

/** The operators of the library, and linear blending with blend bones. */
export const RIG_OPERATORS = [...SKIN_OPERATORS, 'linearized'] as const;
export type RigOperator = (typeof RIG_OPERATORS)[number];

/** The operator of the library that draws it on `modelsFor` it. */
export const drawnBy = (operator: RigOperator, model: SkinnedModel): SkinOperator => {
  if (operator === 'linearized' || (operator === 'mix' && !model.mixWeights)) return 'lbs';
  return operator;
};
