import type { OptionsOf } from '../model/options.ts';
import { SKIN_OPERATORS } from '../model/skinned-model.ts';

/** The options of posing. */
export const SKIN_OPTIONS = {
  operator: {
    type: 'choice',
    default: 'model',
    choices: ['model', ...SKIN_OPERATORS],
    description: 'skinning operator; model: the one named in the file',
  },
  antipodality: {
    type: 'boolean',
    default: true,
    description:
      'blend dual quaternions along the shorter path, which is wrong for bones that rotate by more than 180°',
  },
  normals: {
    type: 'boolean',
    default: true,
    description: 'pose the normals, if present',
  },
  kernel: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'wasm', 'typescript'],
    description: 'implementation; auto: WebAssembly where SIMD and a kernel are available',
  },
} as const;

/** Options of posing. */
export type SkinOptions = OptionsOf<typeof SKIN_OPTIONS>;
