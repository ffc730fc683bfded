import { defaultsOf, type OptionsOf, seedOption } from '../../model/options.ts';
import { BLEND_OPERATORS } from '../../model/skinned-model.ts';

/** The options of `linearize`. */
export const LINEARIZE_OPTIONS = {
  operator: {
    type: 'choice',
    default: 'dqs',
    choices: BLEND_OPERATORS,
    description:
      'the operator that linear blending is to come close to: dual quaternions, the same for bones that scale, or their exact mean',
  },
  blendBones: {
    type: 'number',
    default: 10,
    min: 1,
    max: 1000,
    integer: true,
    description: 'number of blend bones at most',
  },
  maxEnvelopingError: {
    type: 'number',
    default: 0,
    min: 0,
    max: 100,
    unit: '%',
    description: 'stop adding blend bones at this enveloping error; 0 is never',
  },
  plateau: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    description: 'stop when another blend bone lowers the error by less than this share of it; 0 is never',
  },
  influences: {
    type: 'number',
    default: 4,
    min: 2,
    max: 8,
    integer: true,
    description: 'most bones that a vertex may follow',
  },
  training: {
    type: 'choice',
    default: 'range-of-motion',
    choices: ['range-of-motion', 'clips'],
    description:
      "the motion that blend bones are placed for: every joint through its range, or the rig's own clips, which then come out better, and others worse",
  },
  trainingFrames: {
    type: 'number',
    default: 12,
    min: 0,
    max: 10_000,
    integer: true,
    description: 'frames taken of the training motion; 0 is all of them',
  },
  antipodality: {
    type: 'boolean',
    default: true,
    description: 'blend dual quaternions by the shorter way, which is wrong where joints turn by more than 180°',
  },
  method: {
    type: 'choice',
    default: 'blend-bones',
    choices: ['blend-bones', 'mohr-gleicher'],
    description:
      'how blend bones are chosen: where they help most, or one half-way at every joint, for comparison (Mohr & Gleicher 2003)',
  },
  sampling: {
    type: 'choice',
    default: 'weights',
    choices: ['weights', 'uniform'],
    description: 'where a blend bone begins: at weights that vertices in need have, too, or on a uniform grid only',
  },
  trainWith: {
    type: 'choice',
    default: 'operator',
    choices: ['operator', 'dqs'],
    description: 'train with the operator itself, or with dual quaternions, on frames where no joint turns by 180°',
  },
  regularization: {
    type: 'number',
    default: -1,
    min: -1,
    max: 1000,
    description:
      'how strongly effective weights keep to those of the rig, which matters for motions unlike the training; -1 is 1 for clips, 4 for a range of motion',
  },
  sparsity: {
    type: 'number',
    default: 0.01,
    min: 0,
    max: 1,
    description: 'share by which the error may rise for fewer influences',
  },
  keys: {
    type: 'choice',
    default: 'dense',
    choices: ['dense', 'given', 'steady'],
    description:
      'keys of the clips that are written: as dense as blend bones need between keys, those given, or at a steady rate',
  },
  framesPerSecond: {
    type: 'number',
    default: 30,
    min: 1,
    max: 1000,
    unit: 'frames/s',
    description: 'rate of steady keys',
  },
  seed: seedOption('chooses the poses of the generated range of motion'),
} as const;

/** Options of `linearize`. */
export type LinearizeOptions = OptionsOf<typeof LINEARIZE_OPTIONS>;
export const LINEARIZE_DEFAULTS: LinearizeOptions = defaultsOf(LINEARIZE_OPTIONS);
