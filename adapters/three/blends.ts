import {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendLinear,
  blendScaledDualQuaternions,
} from '../../src/skin/operators.ts';

/** The operators that need nothing but bones and weights, by name. */
export const BLENDS = {
  lbs: blendLinear,
  dqs: blendDualQuaternions,
  sdqs: blendScaledDualQuaternions,
  dib: blendIterative,
} satisfies Record<string, Blend>;
