import { SKIN_OPERATORS, type SkinnedModel, type SkinOperator } from '../../../../src/index.ts';
import { cssColour, oklch } from '../../../../src/report/colors.ts';

/** The operators of the library, and linear blending with blend bones. */
export const RIG_OPERATORS = [...SKIN_OPERATORS, 'linearized'] as const;
export type RigOperator = (typeof RIG_OPERATORS)[number];

/** The library operator that draws `modelsFor` it. */
export const drawnBy = (operator: RigOperator, model: SkinnedModel): SkinOperator => {
  if (operator === 'linearized' || (operator === 'mix' && !model.mixWeights)) return 'lbs';
  return operator;
};

/** What operators are called, what they do, and their hue in charts. */
export const OPERATORS: Record<RigOperator, { text: string; help: string; hue: number }> = {
  rigid: { text: 'Rigid', hue: 20, help: 'Every vertex follows its heaviest bone only.' },
  lbs: { text: 'LBS', hue: 55, help: 'Linear blending, as in every glTF player.' },
  dqs: { text: 'DQS', hue: 255, help: 'Dual quaternions: joints keep their volume, bones do not scale.' },
  sdqs: { text: 'SDQS', hue: 205, help: 'Dual quaternions, with scale and shear blended linearly first.' },
  dib: { text: 'DIB', hue: 310, help: 'Dual quaternion iterative blending: the true mean of the motions.' },
  mix: { text: 'Mix', hue: 145, help: 'Linear blending and dual quaternions, mixed by a weight per vertex.' },
  linearized: {
    text: 'Linearized',
    hue: 350,
    help: 'Linear blending with blend bones that approximate another operator.',
  },
};

/** The colour of an operator in every chart: all have the same lightness, so that none stands out. */
export const operatorColour = (name: RigOperator): string => cssColour(oklch(0.64, 0.15, OPERATORS[name].hue));
