import type { OptionSpecs, OptionsOf } from '../model/options.ts';
import { KERNELS, TARGETS, TRANSLATIONS } from '../model/predictor.ts';
import { POINT_CHOICES } from './control-points.ts';

/** The options of learning. */
export const LEARN_OPTIONS = {
  method: {
    type: 'choice',
    default: 'best',
    choices: ['best', 'paper'],
    description: 'best, or that of Feng 2010: dual quaternions, a Gaussian kernel, no residual',
  },
  points: {
    type: 'number',
    default: 8,
    min: 1,
    integer: true,
    description: 'control points to choose: the handles that steer the surface',
  },
  pointChoice: {
    type: 'choice',
    default: 'greedy',
    choices: POINT_CHOICES,
    description: 'control points by the error of leaving one example out, or by spread alone',
  },
  bones: {
    type: 'number',
    default: 80,
    min: 1,
    max: 65535,
    integer: true,
    description: 'proxy bones, fitted to the motion, that carry the surface: more follow finer folds',
  },
  examples: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'frames to learn from, chosen to stand for all (k-medoids); 0 takes all',
  },
  kernel: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', ...KERNELS],
    description: 'the kernel on control points; auto is linear-gaussian, or linear where leaving one out favours it',
  },
  kappa: { type: 'number', default: 1e-4, min: 1e-12, description: 'regularisation κ of the kernel matrix' },
  bases: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'canonical pairs n_f kept per bone; 0 keeps all, fewer only lose',
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
    description: 'where translations come from; auto takes the one that leaving one example out favours',
  },
  limit: {
    type: 'number',
    default: 2,
    min: 0,
    description:
      'how far motions are carried on beyond the examples, as a multiple of their extent; 0, and a linear kernel: without end',
  },
  residual: { type: 'boolean', default: true, description: 'keep what the bones cannot express' },
} as const satisfies OptionSpecs;

/** Options of learning. */
export type LearnOptions = OptionsOf<typeof LEARN_OPTIONS>;

/** What a method sets, where the caller does not say otherwise. */
export const LEARN_METHODS: Record<LearnOptions['method'], Partial<LearnOptions>> = {
  best: {},
  paper: { kernel: 'gaussian', target: 'dual-quaternion', bases: 8, residual: false, limit: 0, pointChoice: 'spread' },
};
