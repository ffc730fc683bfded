import { DECIMATE_OPTIONS } from '../../mesh/decimation/decimate.ts';
import type { OptionSpecs, OptionsOf } from '../../model/options.ts';
import { P_FACTOR } from './weights-distance.ts';

/** Options of the stages in thesis.ts. */
export const THESIS_OPTIONS = {
  start: {
    type: 'choice',
    choices: ['deformation', 'uniform'],
    default: 'deformation',
    description: 'where proxy joints go: where the surface deforms, or evenly by p-center',
  },
  clustering: {
    type: 'choice',
    choices: ['region-growing', 'p-center', 'k-means', 'hierarchical-k-means', 'spectral'],
    default: 'region-growing',
    description: 'how facets are clustered into regions of similar deformation',
  },
  regions: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'number of regions; 0: one for every eight joints',
  },
  startWeights: {
    type: 'choice',
    choices: ['auto', 'distance', 'propagated'],
    default: 'auto',
    description:
      'weights by distance from the joint, or confined to regions and then smoothed; auto: by distance for uniform joints',
  },
  pFactor: {
    type: 'number',
    default: P_FACTOR,
    min: 1,
    description: 'how far the influence of a joint reaches, in radii of its cluster',
  },
  smoothing: {
    type: 'number',
    default: 5,
    min: 0,
    integer: true,
    description: 'smoothing passes of propagated weights',
  },
  solver: {
    type: 'choice',
    choices: ['direct', 'lsqr', 'dual-quaternion'],
    default: 'direct',
    description:
      'how the first transforms are solved: affine by one factorisation, affine by LSQR for every pose, or rigid by dual quaternions',
  },
  lsqrTolerance: { type: 'number', default: 5e-5, min: 0, max: 1, description: 'tolerance of LSQR' },
  lsqrIterations: { type: 'number', default: 1000, min: 1, integer: true, description: 'maximum iterations of LSQR' },
  decimate: {
    type: 'number',
    default: 0,
    min: 0,
    max: 0.95,
    description: 'fraction of the vertices to merge before solving; the result is for the full mesh',
  },
  placement: DECIMATE_OPTIONS.placement,
  queues: {
    type: 'choice',
    default: 'global',
    choices: ['global', 'regions'],
    description: 'one queue of contractions for the whole mesh, or one per region that merges more where less deforms',
  },
  seed: { type: 'number', default: 1, integer: true, description: 'seed of everything random' },
} as const satisfies OptionSpecs;
export type ThesisOptions = OptionsOf<typeof THESIS_OPTIONS>;
