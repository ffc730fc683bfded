import { PliantError } from '../../error.ts';
import { squaredDifference } from '../../math/dense.ts';
import { FarthestPoints } from '../../math/farthest-points.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { gatherRows } from '../../math/rows.ts';
import { boneCount, type Clip, frameKeys, MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { BonePose, continuousSigns } from '../../skin/bones.ts';
import { blendLinear } from '../../skin/operators.ts';
import { rangeOfMotion } from '../../skin/range-of-motion.ts';
import { framesOf } from '../clip-frames.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import { setPose, type TrainingClip } from './training.ts';

/** The frames that blend bones are placed for, and how much each counts. */

type Frames = Omit<TrainingClip, 'source'>;

/** Poses of the range of motion when all are asked for. */
const RANGE_POSES = 48;
/** With both, the part of the frames that is a range of motion, and its part of what all count. */
const RANGE = { frames: 1 / 3, share: 0.3 };

/** The frames to train with, as one clip. */
export function trainingClip(
  model: SkinnedModel,
  options: LinearizeOptions,
  given: readonly Clip[] | undefined,
): TrainingClip {
  const { trainingFrames: asked, training } = options;
  const clips = given ?? model.clips;
  if (!given && (training === 'range-of-motion' || (training === 'both' && clips.length === 0))) {
    return exercise(model, options, asked || RANGE_POSES);
  }
  if (clips.length === 0) {
    throw new PliantError('bad-input', 'linearize', `${model.name} has no clips to train with (expected at least one)`);
  }
  if (given || training === 'clips') {
    return { ...framesOfClips(model, clips, options, asked), source: given ? 'given' : 'clips' };
  }
  const poses = asked === 0 ? RANGE_POSES : Math.ceil(RANGE.frames * asked);
  const range = exercise(model, options, poses);
  const shown = framesOfClips(model, clips, options, asked && Math.max(1, asked - poses));
  const missed = [shown, range].map((motion) => missedInAll(model, motion, options));
  // A motion that linear blending shows exactly has nothing to say.
  const parts = [1 - RANGE.share, RANGE.share].map((share, m) => (missed[m] > 0 ? share / missed[m] : 0));
  const bones = boneCount(model.skeleton);
  return {
    clip: joined([shown.clip, range.clip], bones),
    weights: oneOnAverage([...shown.weights.map((w) => parts[0] * w), ...range.weights.map((w) => parts[1] * w)]),
    ...(shown.signs && range.signs && { signs: Int8Array.from([...shown.signs, ...range.signs]) }),
    source: 'both',
  };
}

/** A generated range of motion, whose turns are followed on the way from the rest pose to each pose. */
function exercise(model: SkinnedModel, { seed, antipodality }: LinearizeOptions, count: number): TrainingClip {
  const { clip, poses } = rangeOfMotion(model, { seed, poses: count });
  const bones = boneCount(model.skeleton);
  return {
    clip: framesOf(clip, poses),
    weights: new Float64Array(count).fill(1),
    ...(!antipodality && { signs: gatherRows(continuousSigns(clip.transforms, bones), bones, poses) }),
    source: 'range-of-motion',
  };
}

/** Weights of the same proportions with a mean of 1; all 1 where they are all 0. */
function oneOnAverage(weights: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(weights);
  const mean = out.reduce((sum, w) => sum + w, 0) / out.length;
  return out.map((w) => (mean > 0 ? w / mean : 1));
}

function joined(clips: readonly Clip[], bones: number): Clip {
  const parts = clips.map(({ transforms }) => transforms);
  const transforms = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    transforms.set(part, at);
    at += part.length;
  }
  const frames = transforms.length / (MATRIX_STRIDE * bones);
  return { name: 'training', times: Float64Array.from({ length: frames }, (_, k) => k), transforms };
}

/**
 * Some frames of all clips. Each stands for the frames of its clip that are nearest to it, and a clip counts by the
 * inverse of what linear blending misses in it: all are to come out at the same share of that, not only the wildest.
 */
function framesOfClips(model: SkinnedModel, clips: readonly Clip[], options: LinearizeOptions, count: number): Frames {
  const bones = boneCount(model.skeleton);
  const all = joined(
    clips.map((clip) => framesOf(clip, frameKeys(clip))),
    bones,
  );
  const clipOf = clips.flatMap((clip, c) => Array.from(frameKeys(clip), () => c));
  // Turns are followed from key to key, also where these are no frames.
  const signs = options.antipodality
    ? undefined
    : Int8Array.from(
        clips.flatMap((clip) => [...gatherRows(continuousSigns(clip.transforms, bones), bones, frameKeys(clip))]),
      );
  const missed = missedByLinear(model, { clip: all, signs }, options);
  const scales = clipScales(missed, clipOf, clips.length);
  const points = missed.map((point, k) => point.map((x) => Math.sqrt(scales[clipOf[k]]) * x));
  const { chosen, nearest } = farApart(points, clipOf, count || points.length);
  const weights = new Float64Array(chosen.length);
  clipOf.forEach((c, k) => {
    weights[nearest[k]] += scales[c];
  });
  return {
    clip: framesOf(all, chosen),
    weights: oneOnAverage(weights),
    signs: signs && gatherRows(signs, bones, chosen),
  };
}

/** Clips that linear blending misses by less than this part of the most count no more than that. */
const LEAST_MISSED = 1e-3;

/** Per clip 1 / Σ ‖missed‖² over its frames: what each of its frames counts. */
function clipScales(missed: readonly Float64Array[], clipOf: readonly number[], clips: number): Float64Array {
  const sums = new Float64Array(clips);
  missed.forEach((point, k) => {
    sums[clipOf[k]] += lengthSquared(point);
  });
  const least = LEAST_MISSED * Math.max(...sums);
  return sums.map((sum) => (least > 0 ? 1 / Math.max(sum, least) : 1));
}

const lengthSquared = (v: Float64Array): number => v.reduce((sum, x) => sum + x * x, 0);

/** Σ weight·‖missed‖² over the frames of a motion. */
const missedInAll = (model: SkinnedModel, motion: Frames, options: LinearizeOptions): number =>
  missedByLinear(model, motion, options).reduce((sum, m, k) => sum + motion.weights[k] * lengthSquared(m), 0);

/** Vertices that tell frames apart. */
const WITNESSES = 150;

/** Per frame of a motion, what linear blending misses of the operator: vectors over a few vertices. */
function missedByLinear(
  model: SkinnedModel,
  motion: Omit<Frames, 'weights'>,
  { operator, antipodality }: LinearizeOptions,
) {
  const { joints, weights, influences } = model.weights;
  const torn = Array.from({ length: joints.length / influences }, (_, i) => i).filter(
    (i) => influences > 1 && weights[i * influences + 1] > 0,
  );
  const stride = Math.max(1, Math.floor(torn.length / WITNESSES));
  const witnesses = torn.filter((_, a) => a % stride === 0);
  const [exact, linear] = [new Float64Array(MATRIX_STRIDE), new Float64Array(MATRIX_STRIDE)];
  const [p, q] = [new Float64Array(3), new Float64Array(3)];
  const pose = new BonePose(model.skeleton);
  return Array.from(motion.clip.times, (_, k) => {
    setPose(pose, motion, k);
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

/** Part of the training frames that is taken at even steps. */
const EVEN = 0.5;
/** Farther than any two frames of one clip are: a frame of another stands for none of these. */
const ELSEWHERE = 1e30;

/**
 * `count` of the points in their order, and which of them is nearest to each: a part of them at even steps, the others each
 * as far as can be from those before it. Even steps alone miss the extremes of an exercise (the error over all frames was
 * then 1.3 times that over those trained with), and extremes alone the motions between them.
 */
function farApart(
  points: readonly Float64Array[],
  clipOf: readonly number[],
  count: number,
): { chosen: number[]; nearest: Int32Array } {
  const sample = new FarthestPoints(
    points.length,
    (a, b) => squaredDifference(points[a], points[b]) + (clipOf[a] === clipOf[b] ? 0 : ELSEWHERE),
  );
  const wanted = Math.min(count, points.length);
  const even = Math.floor(EVEN * wanted);
  for (let f = 0; f < even; f++) sample.choose(Math.floor(((f + 0.5) * points.length) / even));
  while (sample.chosen.length < wanted) sample.choose(sample.farthest());
  const order = [...sample.chosen.keys()].sort((a, b) => sample.chosen[a] - sample.chosen[b]);
  const placeOf = Int32Array.from(order.keys()).sort((a, b) => order[a] - order[b]);
  return { chosen: order.map((f) => sample.chosen[f]), nearest: sample.nearest.map((f) => placeOf[f]) };
}
