import { PliantError } from '../../error.ts';
import { squaredDifference } from '../../math/dense.ts';
import { DUAL_STRIDE } from '../../math/dual-quaternion.ts';
import { FarthestPoints } from '../../math/farthest-points.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { gatherRows } from '../../math/rows.ts';
import { boneCount, type Clip, clipFrame, clipFrameCount, frameKeys, MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { BlendOperator, SkinnedModel } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { BonePose, continuousSigns } from '../../skin/bones.ts';
import { blendIterative, blendLinear } from '../../skin/operators.ts';
import { rangeOfMotion } from '../../skin/range-of-motion.ts';
import { farthestStretch } from '../bone-stretch.ts';
import { framesOf } from '../clip-frames.ts';
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
  /** B·P, with antipodality off only. */
  signs?: Int8Array;
  /** Where it comes from. */
  source: 'range-of-motion' | 'clips' | 'given';
}

/** The frames to train with, as one clip. */
export function trainingClip(
  model: SkinnedModel,
  options: LinearizeOptions,
  given: readonly Clip[] | undefined,
): TrainingClip {
  const { trainingFrames, seed, training, antipodality } = options;
  if (!given && training === 'range-of-motion') {
    const { clip, poses } = rangeOfMotion(model, { seed, poses: trainingFrames || RANGE_POSES });
    // No joint of it turns by more than 180°: the shorter way is the way.
    return { clip: framesOf(clip, poses), source: 'range-of-motion' };
  }
  const clips = given ?? model.clips;
  if (clips.length === 0) {
    throw new PliantError('bad-input', 'linearize', `${model.name} has no clips to train with (expected at least one)`);
  }
  const bones = boneCount(model.skeleton);
  const transforms = concatenated(clips.map((clip) => framesOf(clip, frameKeys(clip)).transforms));
  const all: Clip = {
    name: 'training',
    times: Float64Array.from({ length: transforms.length / (MATRIX_STRIDE * bones) }, (_, k) => k),
    transforms,
  };
  // Turns are followed from key to key, also where these are no frames.
  const signs = antipodality
    ? undefined
    : Int8Array.from(
        clips.flatMap((clip) => [...gatherRows(continuousSigns(clip.transforms, bones), bones, frameKeys(clip))]),
      );
  const motion: TrainingClip = { clip: all, signs, source: given ? 'given' : 'clips' };
  if (trainingFrames === 0 || trainingFrames >= clipFrameCount(all)) return motion;
  const frames = farApart(missedByLinear(model, motion, options), trainingFrames).sort((a, b) => a - b);
  return {
    ...motion,
    clip: framesOf(all, frames),
    signs: signs && gatherRows(signs, bones, frames),
  };
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Vertices that tell frames apart. */
const WITNESSES = 150;

/** Per frame of a motion, what linear blending misses of the operator: vectors over a few vertices. */
function missedByLinear(model: SkinnedModel, motion: TrainingClip, { operator, antipodality }: LinearizeOptions) {
  const { joints, weights, influences } = model.weights;
  const torn = Array.from({ length: joints.length / influences }, (_, i) => i).filter(
    (i) => influences > 1 && weights[i * influences + 1] > 0,
  );
  const stride = Math.max(1, Math.floor(torn.length / WITNESSES));
  const witnesses = torn.filter((_, a) => a % stride === 0);
  const [exact, linear] = [new Float64Array(MATRIX_STRIDE), new Float64Array(MATRIX_STRIDE)];
  const [p, q] = [new Float64Array(3), new Float64Array(3)];
  return posesOf(model, motion).map((pose) => {
    const missed = new Float64Array(3 * witnesses.length);
    witnesses.forEach((i, a) => {
      const at = { joints, weights, start: i * influences, k: influences };
      BLENDS[operator](exact, at, pose, antipodality);
      blendLinear(linear, at, pose, antipodality);
      transformPoint34(p, 0, exact, 0, model.mesh.positions, 3 * i);
      transformPoint34(q, 0, linear, 0, model.mesh.positions, 3 * i);
      for (let c = 0; c < 3; c++) missed[3 * a + c] = p[c] - q[c];
    });
    return missed;
  });
}

/**
 * `count` of the points: a part of them at even steps, the others each as far as can be from those before it. Even steps
 * alone miss the extremes of an exercise (the error over all frames was then 1.3 times that over those trained with), and
 * extremes alone the motions between them.
 */
function farApart(points: readonly Float64Array[], count: number): number[] {
  const sample = new FarthestPoints(points.length, (a, b) => squaredDifference(points[a], points[b]));
  const even = Math.floor(EVEN * count);
  for (let f = 0; f < even; f++) sample.choose(Math.floor(((f + 0.5) * points.length) / even));
  while (sample.chosen.length < count) sample.choose(sample.farthest());
  return sample.chosen;
}

/** Part of the training frames that is taken at even steps. */
const EVEN = 0.5;

/** Poses of the range of motion when all are asked for. */
const RANGE_POSES = 48;

/** The poses of a clip, as the operators need them. */
export function posesOf(model: SkinnedModel, { clip, signs }: TrainingClip): BonePose[] {
  const bones = boneCount(model.skeleton);
  return Array.from(clip.times, (_, k) => {
    const pose = new BonePose(model.skeleton);
    pose.set(clipFrame(clip, k), signs?.subarray(bones * k, bones * (k + 1)));
    return pose;
  });
}

/** What is trained with: the operator itself, or dual quaternions on the frames where these agree with it (appendix A). */
export function trainingOf(model: SkinnedModel, motion: TrainingClip, options: LinearizeOptions): Training {
  const operator = options.trainWith === 'dqs' ? 'dqs' : options.operator;
  const all = posesOf(model, motion);
  const poses = operator === options.operator ? all : all.filter((pose) => !turnsFar(model, pose));
  if (poses.length === 0) {
    const cause = 'every training frame has a joint that rotates by 180° (expected one without, for dual quaternions)';
    throw new PliantError('bad-input', 'linearize', cause);
  }
  return {
    poses,
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
 * blending, with 4 at 0.40 to 0.99, while the error of training rose by 1 to 4 %.
 */
const REGULARIZATION = { clips: 1, given: 1, 'range-of-motion': 4 } as const;

export const regularizationOf = ({ source }: TrainingClip, { regularization }: LinearizeOptions): number =>
  regularization < 0 ? REGULARIZATION[source] : regularization;
