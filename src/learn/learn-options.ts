import {
  booleanOption,
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
  resolveOptions,
} from '../model/options.ts';
import { KERNELS, type KernelName, TARGETS, TRANSLATIONS } from '../model/predictor.ts';
import { POINT_CHOICES } from './control-points.ts';

const METHODS = ['bones', 'paper', 'ridge', 'pca'] as const;
/** How a surface is predicted. */
export type LearnMethod = (typeof METHODS)[number];

/** κ where nothing has chosen it yet. */
export const USUAL_KAPPA = 1e-4;

/** The options of learning. */
export const LEARN_OPTIONS = {
  method: choiceOption(
    'best',
    ['best', ...METHODS],
    'bones: rotations, centroids and a residual; paper: Feng 2010, with dual quaternions, a Gaussian kernel, no residual; ' +
      'pca: blend shapes; ridge: blend shapes by a Gaussian kernel of the best width; best: the one of them that leave-one-out favours',
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
  kappa: numberOption(0, { min: 0 }, 'regularisation κ of the kernel matrix; 0: what leave-one-out favours'),
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

/**
 * Kernels to choose from, the usual one first. A few examples along one bend are better served by a linear kernel, which
 * does not bulge between them.
 */
export const AUTO_KERNELS = ['linear-gaussian', 'linear'] as const;

export const usualKernel = ({ kernel }: LearnOptions): KernelName => (kernel === 'auto' ? AUTO_KERNELS[0] : kernel);

/** What a method sets, where the caller does not say otherwise. */
const PRESETS: Record<LearnMethod, Partial<LearnOptions>> = {
  bones: {},
  paper: {
    kernel: 'gaussian',
    kappa: USUAL_KAPPA,
    target: 'dual-quaternion',
    bases: 8,
    residual: false,
    limit: 0,
    pointChoice: 'spread',
  },
  ridge: { kernel: 'gaussian', translations: 'predicted', residual: true, limit: 0 },
  pca: { kernel: 'linear', translations: 'predicted', residual: true },
};

/** The methods to try, each with its options: of `best` those that do what was asked for. */
export function methodsToTry(
  options: Partial<LearnOptions>,
  preset: Partial<LearnOptions>,
): { method: LearnMethod; options: LearnOptions }[] {
  const resolved = (method: LearnMethod) => ({
    method,
    options: resolveOptions(LEARN_OPTIONS, options, 'learn', { ...PRESETS[method], ...preset }),
  });
  const { method } = resolveOptions(LEARN_OPTIONS, options, 'learn', preset);
  if (method !== 'best') return [resolved(method)];
  const agrees = (one: LearnMethod): boolean =>
    Object.entries(PRESETS[one]).every(([name, value]) =>
      [undefined, value].includes(options[name as keyof LearnOptions]),
    );
  return METHODS.filter(agrees).map(resolved);
}
