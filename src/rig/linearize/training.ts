import { PliantError } from '../../error.ts';
import { DUAL_STRIDE } from '../../math/dual-quaternion.ts';
import { type Clip, clipFrame, frameKeys } from '../../model/skeleton.ts';
import type { BlendOperator, SkinnedModel } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { BonePose } from '../../skin/bones.ts';
import { blendIterative } from '../../skin/operators.ts';
import { farthestStretch } from '../bone-stretch.ts';
import {
  type BlendDerivative,
  deriveByDifference,
  deriveDualQuaternions,
  deriveScaledDualQuaternions,
} from './blend-derivatives.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import type { Training } from './problem.ts';

/** The motion that blend bones are placed for. */

/** Closed forms of the appendix; iterative blending has none. */
const DERIVATIVES: Record<BlendOperator, BlendDerivative> = {
  dqs: deriveDualQuaternions,
  sdqs: deriveScaledDualQuaternions,
  dib: deriveByDifference(blendIterative),
};

/** A clip whose frames are the poses to train with, and what each bone's dual quaternion means in it. */
export interface TrainingClip {
  clip: Clip;
  /** How much each frame counts; 1 on average. */
  weights: Float64Array;
  /** B·P, with antipodality off only. */
  signs?: Int8Array;
  /** Where it comes from. */
  source: 'both' | 'clips' | 'range-of-motion' | 'given';
}

/** The poses of a clip, as the operators need them. */
export function posesOf(model: SkinnedModel, motion: Poses): BonePose[] {
  return Array.from(motion.clip.times, (_, k) => {
    const pose = new BonePose(model.skeleton);
    setPose(pose, motion, k);
    return pose;
  });
}

type Poses = Pick<TrainingClip, 'clip' | 'signs'>;

/** Takes pose k of a clip. */
export function setPose(pose: BonePose, { clip, signs }: Poses, k: number): void {
  const bones = pose.joints.length / 3;
  pose.set(clipFrame(clip, k), signs?.subarray(bones * k, bones * (k + 1)));
}

/** What is trained with: the operator itself, or dual quaternions on the frames where these agree with it (appendix A). */
export function trainingOf(model: SkinnedModel, motion: TrainingClip, options: LinearizeOptions): Training {
  const operator = options.trainWith === 'dqs' ? 'dqs' : options.operator;
  const all = posesOf(model, motion);
  const kept = all.map((_, k) => k).filter((k) => operator === options.operator || !turnsFar(model, all[k]));
  const poses = kept.map((k) => all[k]);
  if (poses.length === 0) {
    const cause = 'every training frame has a joint that rotates by 180° (expected one without, for dual quaternions)';
    throw new PliantError('bad-input', 'linearize', cause);
  }
  return {
    poses,
    roots: Float64Array.from(kept, (k) => Math.sqrt(motion.weights[k])),
    blend: BLENDS[operator],
    derivative: DERIVATIVES[operator],
    antipodality: options.antipodality || motion.signs === undefined,
  };
}

/** Whether two bones that some vertex follows have turned from each other by about 180° or more. */
function turnsFar({ weights: { joints, weights, influences } }: SkinnedModel, { duals }: BonePose): boolean {
  for (let i = 0; i < joints.length; i += influences) {
    for (let s = i + 1; s < i + influences && weights[s] > 0; s++) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += duals[DUAL_STRIDE * joints[i] + c] * duals[DUAL_STRIDE * joints[s] + c];
      if (dot < FAR) return true;
    }
  }
  return false;
}

/** The cosine of half of 170°. */
const FAR = Math.cos((85 * Math.PI) / 180);

/** How far a bone's stretch may be from none for operators that know none. */
const RIGID_TOLERANCE = 0.01;

/** Dual quaternions without scale would leave scaled bones unscaled, where linear blending scales them: refuse. */
export function requireRigid(model: SkinnedModel, clips: readonly Clip[], operator: BlendOperator): void {
  if (operator === 'sdqs') return;
  for (const clip of clips) {
    const poses = Array.from(frameKeys(clip), (key) => clipFrame(clip, key));
    const { bone, pose, stretch } = farthestStretch(model, poses);
    if (stretch <= RIGID_TOLERANCE) continue;
    const name = model.skeleton.names[bone];
    const cause =
      `bone "${name}" scales in clip "${clip.name}", frame ${pose} (got a change of ${Number((100 * stretch).toPrecision(2))} %): ` +
      `${operator} does not support scale, sdqs does`;
    throw new PliantError('bad-input', 'linearize', cause, { reason: 'not-rigid' });
  }
}

/**
 * ρ, see `makeProblem`. Clips show what matters, but not all of it: with 0.4 an unseen walk came out no better than linear
 * blending, with 1 at 0.78 of its error, while the error of training rose by 2 %. A range of motion stands for motions
 * that are mostly smaller: on three rigs, unseen clips came out with 0.4 at 0.45 to 1.5 times their error of linear
 * blending, with 4 at 0.40 to 0.99, while the error of training rose by 1 to 4 %. With both, a clip of the Fox that was held
 * out came out at 0.70 with 2, 0.62 with 4 and 0.52 with 8, and clips that were not by 0.01 worse.
 */
const REGULARIZATION = { both: 8, clips: 1, given: 1, 'range-of-motion': 4 } as const;

export const regularizationOf = ({ source }: TrainingClip, { regularization }: LinearizeOptions): number =>
  regularization < 0 ? REGULARIZATION[source] : regularization;
