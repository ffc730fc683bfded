import {
  booleanOption,
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
} from '../model/options.ts';
import { KERNELS, TARGETS, TRANSLATIONS } from '../model/predictor.ts';
import { POINT_CHOICES } from './control-points.ts';

/** The options of learning. */
export const LEARN_OPTIONS = {
  method: choiceOption(
    'best',
    ['best', 'paper'],
    'best: lowest error; paper: Feng 2010, with dual quaternions, a Gaussian kernel, no residual',
  ),
  points: integerOption(8, { min: 1 }, 'number of control points: the handles that drive the surface'),
  pointChoice: choiceOption(
    'greedy',
    POINT_CHOICES,
    'choose control points by the leave-one-out error, or by spread alone',
  ),
  bones: integerOption(80, { min: 1, max: 65535 }, 'number of bones fitted to the motion; more follow finer folds'),
  examples: integerOption(0, { min: 0 }, 'number of representative frames to learn from (k-medoids); 0: all'),
  kernel: choiceOption(
    'auto',
    ['auto', ...KERNELS],
    'kernel on control points; auto: linear-gaussian, or linear if leave-one-out favours it',
  ),
  kappa: numberOption(1e-4, { min: 1e-12 }, 'regularisation κ of the kernel matrix'),
  bases: integerOption(0, { min: 0 }, 'canonical pairs n_f per bone; 0: all, which is best'),
  target: choiceOption('centroid', TARGETS, 'predict rotation and centroid of each bone, or its dual quaternion'),
  translations: choiceOption(
    'auto',
    ['auto', ...TRANSLATIONS],
    'source of translations; auto: the one that leave-one-out favours',
  ),
  limit: numberOption(
    2,
    { min: 0 },
    'how far to extrapolate beyond the examples, as a multiple of their range; 0 or a linear kernel: no limit',
  ),
  residual: booleanOption(true, 'add morph targets for what the bones cannot express'),
} as const satisfies OptionSpecs;

/** Options of learning. */
export type LearnOptions = OptionsOf<typeof LEARN_OPTIONS>;

/** What a method sets, where the caller does not say otherwise. */
export const LEARN_METHODS: Record<LearnOptions['method'], Partial<LearnOptions>> = {
  best: {},
  paper: { kernel: 'gaussian', target: 'dual-quaternion', bases: 8, residual: false, limit: 0, pointChoice: 'spread' },
};
