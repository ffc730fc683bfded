import { booleanOption, choiceOption, type OptionsOf } from '../model/options.ts';
import { SKIN_OPERATORS } from '../model/skinned-model.ts';

/** The options of posing. */
export const SKIN_OPTIONS = {
  operator: choiceOption('model', ['model', ...SKIN_OPERATORS], 'skinning operator; model: the one named in the file'),
  antipodality: booleanOption(
    true,
    'blend dual quaternions along the shorter path, which is wrong for bones that rotate by more than 180°',
  ),
  normals: booleanOption(true, 'pose the normals, if present'),
  kernel: choiceOption(
    'auto',
    ['auto', 'wasm', 'typescript'],
    'implementation; auto: WebAssembly where SIMD and a kernel are available',
  ),
} as const;

/** Options of posing. */
export type SkinOptions = OptionsOf<typeof SKIN_OPTIONS>;
