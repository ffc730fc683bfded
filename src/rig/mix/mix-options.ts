import type { OptionsOf } from '../../model/options.ts';

const weight = (value: number, description: string, min = 0) =>
  ({ type: 'number', default: value, min, max: 1e9, description }) as const;

export const MIX_OPTIONS = {
  poses: {
    type: 'number',
    default: 24,
    min: 1,
    max: 1000,
    integer: true,
    description: 'number of evenly spaced poses per motion',
  },
  keep: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'area', 'volume', 'none'],
    description:
      'what to preserve; auto: the area of flat meshes that stay flat, the volume of closed surfaces (small holes are closed), ' +
      'otherwise face areas only',
  },
  total: weight(0, 'weight of changes in total area or volume; 0: 100 for area, 1000 for volume'),
  local: weight(1, 'weight of changes in face areas'),
  inversion: weight(100, 'weight of inverted or nearly inverted faces'),
  smoothness: weight(1e-3, 'weight of differences between neighbours'),
  prior: weight(1e-6, 'weight of the difference from dual quaternions, as a tie-breaker', 1e-9),
  antipodality: {
    type: 'boolean',
    default: true,
    description: 'blend dual quaternions along the shorter path, as players do',
  },
  tolerance: {
    type: 'number',
    default: 1e-5,
    min: 1e-12,
    max: 1,
    description: 'stop when an iteration lowers the energy by less than this fraction',
  },
  maxIterations: {
    type: 'number',
    default: 60,
    min: 1,
    max: 10_000,
    integer: true,
    description: 'maximum iterations',
  },
} as const;

/** Options of the mix itself. */
export type MixOptions = OptionsOf<typeof MIX_OPTIONS>;
