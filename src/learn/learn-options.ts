import type { OptionSpecs, OptionsOf } from '../model/options.ts';
import { KERNELS, TARGETS, TRANSLATIONS } from '../model/predictor.ts';
import { POINT_CHOICES } from './control-points.ts';

/** The options of learning. */
export const LEARN_OPTIONS = {
  method: {
    type: 'choice',
    default: 'best',
    choices: ['best', 'paper'],
    description: 'best: lowest error; paper: Feng 2010, with dual quaternions, a Gaussian kernel, no residual',
  },
  points: {
    type: 'number',
    default: 8,
    min: 1,
    integer: true,
    description: 'number of control points: the handles that drive the surface',
  },
  pointChoice: {
    type: 'choice',
    default: 'greedy',
    choices: POINT_CHOICES,
    description: 'choose control points by the leave-one-out error, or by spread alone',
  },
  bones: {
    type: 'number',
    default: 80,
    min: 1,
    max: 65535,
    integer: true,
    description: 'number of bones fitted to the motion; more follow finer folds',
  },
  examples: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'number of representative frames to learn from (k-medoids); 0: all',
  },
  kernel: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', ...KERNELS],
    description: 'kernel on control points; auto: linear-gaussian, or linear if leave-one-out favours it',
  },
  kappa: { type: 'number', default: 1e-4, min: 1e-12, description: 'regularisation κ of the kernel matrix' },
  bases: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'canonical pairs n_f per bone; 0: all, which is best',
  },
  target: {
    type: 'choice',
    default: 'centroid',
    choices: TARGETS,
    description: 'predict rotation and centroid of each bone, or its dual quaternion',
  },
  translations: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', ...TRANSLATIONS],
    description: 'source of translations; auto: the one that leave-one-out favours',
  },
  limit: {
    type: 'number',
    default: 2,
    min: 0,
    description:
      'how far to extrapolate beyond the examples, as a multiple of their range; 0 or a linear kernel: no limit',
  },
  residual: { type: 'boolean', default: true, description: 'add morph targets for what the bones cannot express' },
} as const satisfies OptionSpecs;

/** Options of learning. */
export type LearnOptions = OptionsOf<typeof LEARN_OPTIONS>;

/** What a method sets, where the caller does not say otherwise. */
export const LEARN_METHODS: Record<LearnOptions['method'], Partial<LearnOptions>> = {
  best: {},
  paper: { kernel: 'gaussian', target: 'dual-quaternion', bases: 8, residual: false, limit: 0, pointChoice: 'spread' },
};
