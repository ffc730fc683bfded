import { cssColour, oklch } from '../../../../src/report/colors.ts';
import type { RigOperator } from '../../core/rig/rig-operators.ts';

/** What operators are called, and what they do. */
export const OPERATORS: Record<RigOperator, { text: string; help: string }> = {
  rigid: { text: 'Rigid', help: 'Every vertex follows its heaviest bone alone.' },
  lbs: { text: 'LBS', help: 'Linear blending, as every player of glTF does.' },
  dqs: { text: 'DQS', help: 'Dual quaternions: joints keep their volume, bones do not scale.' },
  sdqs: { text: 'SDQS', help: 'Dual quaternions, with scales and shears blended linearly before.' },
  dib: { text: 'DIB', help: 'Dual quaternion iterative blending: the true mean of the motions.' },
  mix: { text: 'Mix', help: 'Linear blending and dual quaternions by a weight per vertex.' },
  linearized: { text: 'Linearized', help: 'Linear blending with blend bones, which come close to another operator.' },
};

const HUES: Record<RigOperator, number> = {
  rigid: 20,
  lbs: 55,
  dqs: 255,
  sdqs: 205,
  dib: 310,
  mix: 145,
  linearized: 350,
};

/** The colour of an operator in every chart: of one lightness, so that none stands out by itself. */
export const operatorColour = (name: RigOperator): string => cssColour(oklch(0.64, 0.15, HUES[name]));
