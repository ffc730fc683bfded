import { booleanOption, integerOption, type OptionsOf } from '../model/options.ts';
import { BASE_OPTIONS } from './base.ts';
import { PAPER_OPTIONS } from './paper/paper-options.ts';
import { TRACE_OPTIONS } from './traced-pose.ts';

/** Options of `bakeLight`. */
export const LIGHT_OPTIONS = {
  poses: integerOption(48, { min: 2, max: 2000 }, 'poses that are traced: moments of clips and mixtures of them'),
  modes: integerOption(7, { min: 0, max: 64 }, 'modes per bone of what spheres do not explain'),
  glossModes: integerOption(12, { min: 0, max: 64 }, 'the same of visibility, where gloss is baked'),
  spheres: integerOption(64, { min: 1, max: 1024 }, 'spheres that throw shadows'),
  directions: BASE_OPTIONS.directions,
  fit: booleanOption(true, 'move spheres until they come close to what was traced'),
  ...PAPER_OPTIONS,
  ...TRACE_OPTIONS,
} as const;

/** How light is baked. */
export type LightOptions = OptionsOf<typeof LIGHT_OPTIONS>;
