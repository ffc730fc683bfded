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
    description: 'poses taken of each motion, evenly spread over it',
  },
  keep: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'area', 'volume', 'none'],
    description:
      'what is kept as a whole; "auto" is the area of flat meshes that stay in their plane, the volume of surfaces that ' +
      'are closed but for small holes, nothing of others',
  },
  total: weight(0, 'how much keeping area or volume counts; 0 is 100 for an area, 1000 for a volume'),
  local: weight(1, 'how much keeping the area of every face counts'),
  inversion: weight(100, 'how much faces that turn over, or nearly, count'),
  smoothness: weight(1e-3, 'how much differences between neighbours count'),
  prior: weight(1e-6, 'how much not being dual quaternions counts, where nothing else does', 1e-9),
  antipodality: {
    type: 'boolean',
    default: true,
    description: 'blend dual quaternions by the shorter way, as players do',
  },
  tolerance: {
    type: 'number',
    default: 1e-5,
    min: 1e-12,
    max: 1,
    description: 'an iteration that lowers the energy by less than this fraction is the last',
  },
  maxIterations: {
    type: 'number',
    default: 60,
    min: 1,
    max: 10_000,
    integer: true,
    description: 'iterations at most',
  },
} as const;

/** Options of the mix itself. */
export type MixOptions = OptionsOf<typeof MIX_OPTIONS>;
