import { PliantError } from '../../error.ts';
import { choiceOption, defaultsOf, numberOption, type OptionsOf } from '../../model/options.ts';
import type { Brdf } from './brdf-factors.ts';

/** How a glossy surface reflects. */
export const BRDF_OPTIONS = {
  brdf: choiceOption(
    'none',
    ['none', 'phong', 'cook-torrance'],
    'also transfer matrices for a glossy surface of this kind (paper, pose-space; worse than --gloss from exponent 8 on)',
  ),
  exponent: numberOption(32, { min: 1, max: 1000 }, 'of the Phong lobe'),
  roughness: numberOption(0.3, { min: 0.05, max: 1 }, 'of Cook and Torrance'),
} as const;

export type BrdfOptions = OptionsOf<typeof BRDF_OPTIONS>;

/** The BRDF that was asked for, and its parameter. */
export function askedBrdf(options: Partial<BrdfOptions>): { brdf: Brdf; parameter: number } | undefined {
  const { brdf, exponent, roughness } = { ...defaultsOf(BRDF_OPTIONS), ...options };
  return brdf === 'none' ? undefined : { brdf, parameter: brdf === 'phong' ? exponent : roughness };
}

/** Throws where a BRDF is asked for that would not be stored. */
export function requireNoBrdf({ brdf }: Pick<BrdfOptions, 'brdf'>): void {
  if (brdf === 'none') return;
  const cause = `(got ${brdf}, expected a method that stores it: paper or pose-space; or gloss, which needs none)`;
  throw new PliantError('bad-option', 'light', cause, { option: 'brdf' });
}
