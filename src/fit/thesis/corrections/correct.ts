import { skinningError } from '../../../decompose/frames.ts';
import type { FitProblem, Support } from '../../../decompose/problem.ts';
import {
  booleanOption,
  integerOption,
  type OptionSpecs,
  type OptionsOf,
  type RunOptions,
} from '../../../model/options.ts';
import type { ProxyModelInput } from '../../proxy/proxy-model.ts';
import { type EigenSkin, eigenSkin } from './eigen-skin.ts';
import { completeFlatBones } from './flat-bones.ts';
import { correctRestPose } from './rest-pose.ts';
import { correctWeights } from './weights.ts';

/** Antonopoulos 2010, chapter 5, in the order that lowers the error most: weights, rest pose, EigenSkin. */
export const CORRECTION_OPTIONS = {
  correctWeights: booleanOption(false, 'solve the weights again for the final transforms'),
  correctRestPose: booleanOption(false, 'move the rest pose to lower the error'),
  eigenSkin: integerOption(
    0,
    { min: 0, max: 256 },
    'number of EigenSkin displacement fields, written as morph targets that the clip drives',
  ),
} as const satisfies OptionSpecs;
export type CorrectionOptions = OptionsOf<typeof CORRECTION_OPTIONS>;

export interface Corrected {
  /** 4B × 3P: the bones, completed along the normals of flat supports; vertices are where they were. */
  frames: Float64Array;
  support: Support;
  /** The problem, with the corrected rest pose where that was asked for. */
  problem: FitProblem;
  eigenSkin?: EigenSkin;
  /** Sum of squared errors in squared diagonals, what the reduction discarded included. */
  error: number;
}

/** @param frames 4B × 3P. */
export function applyCorrections(
  problem: FitProblem,
  support: Support,
  frames: Float64Array,
  options: CorrectionOptions & { kind: ProxyModelInput['kind']; seed: number },
  run: RunOptions = {},
): Corrected {
  // The others have a normal of their own, and would no longer be what they are with another.
  const bones = options.kind === 'affine' ? completeFlatBones(problem, support, frames) : frames;
  const weights = options.correctWeights ? correctWeights(problem, support, bones) : support;
  const moved = options.correctRestPose ? correctRestPose(problem, weights, bones) : problem;
  const skin =
    options.eigenSkin > 0 ? eigenSkin(moved, weights, bones, options.eigenSkin, options.seed, run) : undefined;
  return {
    frames: bones,
    support: weights,
    problem: moved,
    eigenSkin: skin,
    error: (skin?.error ?? skinningError(moved, weights, bones)) + problem.discarded,
  };
}
