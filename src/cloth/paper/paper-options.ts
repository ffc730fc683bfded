import {
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
  seedOption,
} from '../../model/options.ts';

/** The columns of Table 3.1 of Feng 2010 that one chooses, and what the chapter leaves open. */
export const PAPER_OPTIONS = {
  bones: integerOption(330, { min: 1, max: 65535 }, 'paper: patches of the fine mesh that move rigidly'),
  clusters: integerOption(100, { min: 1, max: 65535 }, 'paper: clusters of vertices with shapes of their own'),
  rotCca: integerOption(3, { min: 1, max: 3 }, 'paper: canonical pairs that predict the rotation of a patch'),
  eigPca: integerOption(20, { min: 0, max: 1000 }, 'paper: shapes per cluster'),
  examples: integerOption(120, { min: 2 }, 'frames to learn from, chosen by k-means on dihedral angles'),
  ridge: numberOption(0.3, { min: 1e-12 }, 'regularisation κ of the kernel matrix, in units of its mean diagonal'),
  anchors: choiceOption(
    'coarse',
    ['coarse', 'pins'],
    'paper: vertices that hold the translations, all of the coarse mesh or the pinned ones',
  ),
  seed: seedOption('seed of k-means'),
} as const satisfies OptionSpecs;

/** Options of `trainPaper`. */
export type PaperOptions = OptionsOf<typeof PAPER_OPTIONS>;
