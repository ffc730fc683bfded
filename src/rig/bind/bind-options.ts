import { MODEL_GLB_OPTIONS } from '../../io/glb/options.ts';
import {
  booleanOption,
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
} from '../../model/options.ts';

export const BIND_METHODS = ['volume', 'heat', 'geodesic', 'inverse-distance', 'rigid'] as const;

/** The options of `bind`. */
export const BIND_OPTIONS = {
  method: choiceOption(
    'volume',
    BIND_METHODS,
    'volume: heat diffusion inside the mesh; heat: diffusion over the surface; geodesic: distance along the surface; inverse-distance: straight distance; rigid: ' +
      'nearest bone only',
  ),
  heat: numberOption(
    1,
    { min: 1e-3, max: 1e3 },
    'volume and heat only: how firmly bones hold their vertices; higher is stiffer, with shorter blends at joints',
  ),
  resolution: integerOption(
    0,
    { min: 0, max: 256, unit: 'voxels', zero: 'auto' },
    'volume only: voxels along the longest side of the mesh; auto is 128, or fewer where the mesh fills most of its box',
  ),
  rigidParts: booleanOption(
    true,
    'let closed loose parts that mostly follow one bone follow it alone, as armour and buttons do (volume only)',
  ),
  eyes: booleanOption(true, 'let bones named as eyes move the loose parts around them and nothing else (volume only)'),
  exponent: numberOption(
    4,
    { min: 0.1, max: 64 },
    'distance methods only: weights fall with this power of the distance; higher is stiffer',
  ),
  cutoff: numberOption(
    0.01,
    { min: 0, max: 0.9 },
    "distance methods only: drop bones with less than this fraction of the nearest bone's influence",
  ),
  smoothing: integerOption(
    0,
    { min: 0, max: 1000 },
    'smoothing rounds: each moves weights halfway to the mean of the neighbours',
  ),
} as const satisfies OptionSpecs;

/** Options of `bind`. */
export type BindOptions = OptionsOf<typeof BIND_OPTIONS>;

export const INFLUENCE_OPTIONS = { influences: MODEL_GLB_OPTIONS.influences } as const;
