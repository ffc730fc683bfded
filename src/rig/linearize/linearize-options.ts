import { type OptionsOf, seedOption } from '../../model/options.ts';
import { BLEND_OPERATORS } from '../../model/skinned-model.ts';

/** The options of `linearize`. */
export const LINEARIZE_OPTIONS = {
  operator: {
    type: 'choice',
    default: 'dqs',
    choices: BLEND_OPERATORS,
    description: 'operator to approximate: dual quaternions, dual quaternions with scale, or their exact mean',
  },
  blendBones: {
    type: 'number',
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    description: 'maximum number of blend bones',
  },
  maxEnvelopingError: {
    type: 'number',
    default: 0,
    min: 0,
    max: 100,
    unit: '%',
    description: 'stop adding blend bones at this enveloping error; 0: never',
  },
  plateau: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    description: 'stop when another blend bone lowers the error by less than this fraction; 0: never',
  },
  influences: {
    type: 'number',
    default: 4,
    min: 2,
    max: 8,
    integer: true,
    description: 'maximum bones per vertex',
  },
  training: {
    type: 'choice',
    default: 'range-of-motion',
    choices: ['range-of-motion', 'clips'],
    description:
      'motion to optimise for: a generated range of motion, or the clips of the rig, which improves those at the cost of others',
  },
  trainingFrames: {
    type: 'number',
    default: 12,
    min: 0,
    max: 10_000,
    integer: true,
    description: 'number of training frames; 0: all',
  },
  antipodality: {
    type: 'boolean',
    default: true,
    description:
      'blend dual quaternions along the shorter path, which is wrong for joints that rotate by more than 180°',
  },
  method: {
    type: 'choice',
    default: 'blend-bones',
    choices: ['blend-bones', 'mohr-gleicher'],
    description:
      'how to place blend bones: where they help most, or one half-way at every joint (Mohr & Gleicher 2003)',
  },
  sampling: {
    type: 'choice',
    default: 'weights',
    choices: ['weights', 'uniform'],
    description:
      'where to start a blend bone: also at the weights of vertices with large errors, or on a uniform grid only',
  },
  trainWith: {
    type: 'choice',
    default: 'operator',
    choices: ['operator', 'dqs'],
    description: 'train with the operator itself, or with dual quaternions on frames where no joint rotates by 180°',
  },
  regularization: {
    type: 'number',
    default: -1,
    min: -1,
    max: 1000,
    description:
      'how closely to keep the effective weights of the rig; higher is safer for motions unlike the training; -1: 1 for clips, 4 for a range of motion',
  },
  sparsity: {
    type: 'number',
    default: 0.01,
    min: 0,
    max: 1,
    description: 'allowed rise of the error for fewer influences',
  },
  keys: {
    type: 'choice',
    default: 'dense',
    choices: ['dense', 'given', 'steady'],
    description: 'keys of the written clips: as dense as blend bones need, as given, or at a steady rate',
  },
  framesPerSecond: {
    type: 'number',
    default: 30,
    min: 1,
    max: 1000,
    unit: 'frames/s',
    description: 'rate of steady keys',
  },
  seed: seedOption('random seed of the generated range of motion'),
} as const;

/** Options of `linearize`. */
export type LinearizeOptions = OptionsOf<typeof LINEARIZE_OPTIONS>;
