import type { OptionsOf } from '../model/options.ts';
import { SKIN_OPERATORS } from '../model/skinned-model.ts';

/** The options of posing. */
export const SKIN_OPTIONS = {
  operator: {
    type: 'choice',
    default: 'model',
    choices: ['model', ...SKIN_OPERATORS],
    description: 'how the bones of a vertex are blended; "model" is the operator the model itself names',
  },
  antipodality: {
    type: 'boolean',
    default: true,
    description: 'blend dual quaternions by the shorter way, which is wrong where bones turn by more than 180°',
  },
  normals: {
    type: 'boolean',
    default: true,
    description: 'pose the normals too, where the mesh has them',
  },
  kernel: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'wasm', 'typescript'],
    description: 'the code that runs; "auto" is WebAssembly where the host has SIMD and the operator a kernel',
  },
} as const;

/** Options of posing. */
export type SkinOptions = OptionsOf<typeof SKIN_OPTIONS>;
