import { DECIMATE_OPTIONS } from '../../mesh/decimation/decimate.ts';
import { choiceOption, integerOption, numberOption, type OptionSpecs, type OptionsOf } from '../../model/options.ts';
import { P_FACTOR } from './weights-distance.ts';

/** Options of the stages in thesis.ts. */
export const THESIS_OPTIONS = {
  start: choiceOption(
    'deformation',
    ['deformation', 'uniform'],
    'where proxy joints go: where the surface deforms, or evenly by p-center',
  ),
  clustering: choiceOption(
    'region-growing',
    ['region-growing', 'p-center', 'k-means', 'hierarchical-k-means', 'spectral'],
    'how facets are clustered into regions of similar deformation',
  ),
  regions: integerOption(0, { min: 0 }, 'number of regions; 0: one for every eight joints'),
  startWeights: choiceOption(
    'auto',
    ['auto', 'distance', 'propagated'],
    'weights by distance from the joint, or confined to regions and then smoothed; auto: by distance for uniform joints',
  ),
  pFactor: numberOption(P_FACTOR, { min: 1 }, 'how far the influence of a joint reaches, in radii of its cluster'),
  smoothing: integerOption(5, { min: 0 }, 'smoothing passes of propagated weights'),
  solver: choiceOption(
    'direct',
    ['direct', 'lsqr', 'dual-quaternion'],
    'how the first transforms are solved: affine by one factorisation, affine by LSQR for every pose, or rigid by dual quaternions',
  ),
  lsqrTolerance: numberOption(5e-5, { min: 0, max: 1 }, 'tolerance of LSQR'),
  lsqrIterations: integerOption(1000, { min: 1 }, 'maximum iterations of LSQR'),
  decimate: numberOption(
    0,
    { min: 0, max: 0.95 },
    'fraction of the vertices to merge before solving; the result is for the full mesh',
  ),
  placement: DECIMATE_OPTIONS.placement,
  queues: choiceOption(
    'global',
    ['global', 'regions'],
    'one queue of contractions for the whole mesh, or one per region that merges more where less deforms',
  ),
  seed: integerOption(1, {}, 'seed of everything random'),
} as const satisfies OptionSpecs;
export type ThesisOptions = OptionsOf<typeof THESIS_OPTIONS>;
