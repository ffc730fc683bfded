import type { Kernel, KernelName, TranslationSolve } from '../../model/predictor.ts';
import { trainKernel } from '../../regress/kernel.ts';
import { leaveOneOut, ridgeInverse } from '../../regress/ridge.ts';
import { controlInputs } from '../control-points.ts';
import type { LearnOptions } from '../learn-options.ts';
import { bestTranslations, type TranslationTrial } from '../translations/choose-translations.ts';

/**
 * Kernels to choose from, the usual one first. A few examples along one bend are better served by a linear kernel, which
 * does not bulge between them.
 */
const AUTO_KERNELS = ['linear-gaussian', 'linear'] as const;
/** Another kernel than the usual one must be clearly better. */
const KERNEL_MARGIN = 0.97;

export const usualKernel = ({ kernel }: LearnOptions): KernelName => (kernel === 'auto' ? AUTO_KERNELS[0] : kernel);

/** A kernel, trained, and the way to find translations that suits it best. */
export interface KernelChoice {
  kernel: Kernel;
  /** E × E: K. */
  matrix: Float64Array;
  /** E × E: (K + κI)⁻¹. */
  inverse: Float64Array;
  solve: TranslationSolve;
  /** Root mean square distance when each example is predicted from the others. */
  error: number;
}

/** The kernel that was asked for, or whichever predicts each example best from the others. */
export function chooseKernel(
  { kernel: asked, kappa }: LearnOptions,
  trial: Omit<TranslationTrial, 'blend'>,
  solves: readonly TranslationSolve[],
): KernelChoice {
  const e = trial.examples.poses.length;
  const inputs = steering(controlInputs(trial.examples.poses, trial.points), trial.axes);
  const choices = (asked === 'auto' ? AUTO_KERNELS : [asked]).map((name): KernelChoice => {
    const { kernel, matrix } = trainKernel(name, inputs, inputs.length / e, 'learn');
    const inverse = ridgeInverse(matrix, e, kappa, 'learn');
    const blend = leaveOneOut(inverse, e, kappa);
    return { kernel, matrix, inverse, ...bestTranslations({ ...trial, blend }, solves) };
  });
  return choices.reduce((best, choice) => (choice.error < KERNEL_MARGIN * best.error ? choice : best));
}

/** The coordinates that steer, of E × 3n_c. */
function steering(inputs: Float64Array, axes: Uint8Array): Float64Array {
  return inputs.filter((_, at) => axes[at % axes.length] === 1);
}
