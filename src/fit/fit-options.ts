import { FRAME_OPTIONS } from '../model/frames.ts';
import { choiceOption, integerOption, numberOption, type OptionSpecs, type OptionsOf } from '../model/options.ts';
import { CORRECTION_OPTIONS } from './thesis/corrections/correct.ts';
import { THESIS_OPTIONS } from './thesis/thesis-options.ts';

/** Everything a fit can be asked for. The defaults are the preset `best`; other presets change the entries they list. */
export const FIT_OPTIONS = {
  preset: choiceOption(
    'best',
    ['best', 'fast', 'thesis'],
    'best: lowest error; fast: slightly higher error in a fraction of the time; thesis: Antonopoulos 2010 as published',
  ),
  bones: integerOption(0, { min: 0, max: 4096 }, 'number of bones; 0: as many as the target needs, or 40 without one'),
  maxError: numberOption(
    0,
    { min: 0, max: 100, unit: '%' },
    'target error in % of the diagonal: finds the fewest bones that reach it; 0: none',
  ),
  errorMeasure: choiceOption(
    'rmse',
    ['rmse', 'max'],
    'what the target error limits: the root mean square over vertices and frames, or the worst vertex',
  ),
  maxSize: numberOption(
    0,
    { min: 0, unit: 'bytes' },
    'target size of the GLB: finds the bones and kind with the lowest error within it; 0: none',
  ),
  kind: choiceOption(
    'trs',
    ['rigid', 'trs', 'affine'],
    'rigid bones rotate and move, TRS bones also scale along fixed axes, affine bones also shear (two nodes per bone)',
  ),
  influences: integerOption(4, { min: 1, max: 8 }, 'maximum bones per vertex'),
  ...FRAME_OPTIONS,
  restFrame: integerOption(-1, { min: -1 }, 'frame to use as the rest pose; -1: the rest pose of the file'),
  iterations: integerOption(60, { min: 0, max: 10000 }, 'maximum rounds of refinement: weights, then transforms'),
  tolerance: numberOption(
    3e-6,
    { min: 0, max: 1 },
    'stop refining when the squared error falls by less than this fraction per round',
  ),
  moves: integerOption(
    40,
    { min: 0, max: 10000 },
    'maximum attempts to move a bone from where it matters least to where the error is largest',
  ),
  rigidity: numberOption(
    1e-3,
    { min: 0, max: 1 },
    'pull of affine and TRS bones towards rotations, which interpolate better and need fewer bits for weights',
  ),
  steadiness: numberOption(
    1,
    { min: 0, max: 100, unit: '%' },
    'how much the error at keys may rise for steadier motion between them; 0: not at all',
  ),
  inBetween: numberOption(
    0.15,
    { min: 0, max: 100, unit: '%', zero: 'off' },
    'maximum deviation from straight motion between frames, in % of the diagonal (a fifth of it for motion below 2 % per frame); keys are added where it is larger; 0: never',
  ),
  weightLevels: integerOption(
    0,
    { min: 0, max: 65535 },
    'round weights to multiples of 1/levels (255 for 8 bits), and solve bones for them; 0: no rounding',
  ),
  sample: integerOption(4000, { min: 100 }, 'solve larger meshes on this many vertices first, then refine all'),
  ...THESIS_OPTIONS,
  start: choiceOption(
    'split',
    ['split', 'deformation', 'uniform'],
    'where bones start: by splitting clusters where the error is, where the surface deforms, or evenly',
  ),
  ...CORRECTION_OPTIONS,
  precision: numberOption(
    1e-5,
    { min: 1e-9, max: 1e-2, unit: 'diagonals' },
    'RMS error allowed when reducing the trajectories',
  ),
} as const satisfies OptionSpecs;

/** Options of the fit itself. */
export type FitOptions = OptionsOf<typeof FIT_OPTIONS>;

/** What each preset sets; what the caller gives comes on top. */
export const FIT_PRESETS: Readonly<Record<FitOptions['preset'], Partial<FitOptions>>> = {
  best: {},
  fast: { iterations: 25, tolerance: 1e-5, moves: 0 },
  thesis: {
    start: 'deformation',
    queues: 'regions',
    iterations: 0,
    moves: 0,
    steadiness: 0,
    inBetween: 0,
    kind: 'affine',
  },
};
