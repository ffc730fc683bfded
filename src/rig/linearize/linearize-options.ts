import {
  booleanOption,
  choiceOption,
  integerOption,
  numberOption,
  type OptionsOf,
  seedOption,
} from '../../model/options.ts';
import { BLEND_OPERATORS } from '../../model/skinned-model.ts';

/** The options of `linearize`. */
export const LINEARIZE_OPTIONS = {
  operator: choiceOption(
    'dqs',
    BLEND_OPERATORS,
    'operator to approximate: dual quaternions, dual quaternions with scale, or their exact mean',
  ),
  blendBones: integerOption(10, { min: 1, max: 1000 }, 'maximum number of blend bones'),
  maxEnvelopingError: numberOption(
    0,
    { min: 0, max: 100, unit: '%' },
    'stop adding blend bones at this enveloping error; 0: never',
  ),
  plateau: numberOption(
    0,
    { min: 0, max: 1 },
    'stop when another blend bone lowers the error by less than this fraction; 0: never',
  ),
  influences: integerOption(4, { min: 2, max: 8 }, 'maximum bones per vertex'),
  training: choiceOption(
    'both',
    ['both', 'clips', 'range-of-motion'],
    'motion to optimise for: the clips of the rig and a generated range of motion together, or one of them',
  ),
  trainingFrames: integerOption(
    24,
    { min: 0, max: 10_000 },
    'number of training frames, with both a third of them of the range of motion; 0: all',
  ),
  antipodality: booleanOption(
    true,
    'blend dual quaternions along the shorter path, which is wrong for joints that rotate by more than 180°',
  ),
  method: choiceOption(
    'blend-bones',
    ['blend-bones', 'mohr-gleicher'],
    'how to place blend bones: where they help most, or one half-way at every joint (Mohr & Gleicher 2003)',
  ),
  sampling: choiceOption(
    'weights',
    ['weights', 'uniform'],
    'where to start a blend bone: also at the weights of vertices with large errors, or on a uniform grid only',
  ),
  trainWith: choiceOption(
    'operator',
    ['operator', 'dqs'],
    'train with the operator itself, or with dual quaternions on frames where no joint rotates by 180°',
  ),
  regularization: numberOption(
    -1,
    { min: -1, max: 1000 },
    'how closely to keep the effective weights of the rig; higher is safer for motions unlike the training; -1: 1 for clips, 4 for a range of motion, 8 for both',
  ),
  sparsity: numberOption(0.01, { min: 0, max: 1 }, 'allowed rise of the error for fewer influences'),
  keys: choiceOption(
    'dense',
    ['dense', 'given', 'steady'],
    'keys of the written clips: as dense as blend bones need, as given, or at a steady rate',
  ),
  framesPerSecond: numberOption(30, { min: 1, max: 1000, unit: 'frames/s' }, 'rate of steady keys'),
  seed: seedOption('random seed of the generated range of motion'),
} as const;

/** Options of `linearize`. */
export type LinearizeOptions = OptionsOf<typeof LINEARIZE_OPTIONS>;
