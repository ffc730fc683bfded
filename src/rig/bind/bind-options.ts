import { MODEL_GLB_OPTIONS } from '../../io/glb/options.ts';
import type { OptionSpecs, OptionsOf } from '../../model/options.ts';

export const BIND_METHODS = ['heat', 'geodesic', 'inverse-distance', 'rigid'] as const;

/** The options of `bind`. */
export const BIND_OPTIONS = {
  method: {
    type: 'choice',
    default: 'heat',
    choices: BIND_METHODS,
    description:
      'heat spreads from the bones over the surface; geodesic goes by distances along the surface, inverse-distance by ' +
      'straight ones; rigid takes the nearest bone alone',
  },
  heat: {
    type: 'number',
    default: 1,
    min: 1e-3,
    max: 1e3,
    description: 'of heat: how strongly bones hold their own vertices; more is stiffer, with shorter blends at joints',
  },
  exponent: {
    type: 'number',
    default: 4,
    min: 0.1,
    max: 64,
    description: 'of distance methods: weights fall with this power of the distance; more is stiffer',
  },
  cutoff: {
    type: 'number',
    default: 0.01,
    min: 0,
    max: 0.9,
    description: "of distance methods: bones with less than this fraction of the nearest bone's pull are left out",
  },
  smoothing: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1000,
    integer: true,
    description: "rounds that move every vertex's weights halfway to the mean of its neighbours'",
  },
} as const satisfies OptionSpecs;

/** Options of `bind`. */
export type BindOptions = OptionsOf<typeof BIND_OPTIONS>;

export const INFLUENCE_OPTIONS = { influences: MODEL_GLB_OPTIONS.influences } as const;
