import { booleanOption, choiceOption, integerOption, numberOption, type OptionsOf } from '../../model/options.ts';

const weight = (value: number, description: string, min = 0) => numberOption(value, { min, max: 1e9 }, description);

export const MIX_OPTIONS = {
  poses: integerOption(24, { min: 1, max: 1000 }, 'number of evenly spaced poses per motion'),
  keep: choiceOption(
    'auto',
    ['auto', 'area', 'volume', 'none'],
    'what to preserve; auto: the area of flat meshes that stay flat, the volume of closed surfaces (small holes are closed), ' +
      'otherwise face areas only',
  ),
  total: weight(
    0,
    'weight of changes in total area or volume; 0: 100 for area; for volume the best of 100, 1000 and 10000 for each motion',
  ),
  local: weight(1, 'weight of changes in face areas'),
  inversion: weight(100, 'weight of inverted or nearly inverted faces'),
  smoothness: weight(1e-3, 'weight of differences between neighbours'),
  prior: weight(1e-6, 'weight of the difference from dual quaternions, as a tie-breaker', 1e-9),
  antipodality: booleanOption(true, 'blend dual quaternions along the shorter path, as players do'),
  tolerance: numberOption(
    1e-5,
    { min: 1e-12, max: 1 },
    'stop when an iteration lowers the energy by less than this fraction',
  ),
  maxIterations: integerOption(60, { min: 1, max: 10_000 }, 'maximum iterations'),
} as const;

/** Options of the mix itself. */
export type MixOptions = OptionsOf<typeof MIX_OPTIONS>;
