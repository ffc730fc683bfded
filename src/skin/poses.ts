import { PliantError } from '../error.ts';
import { lastAtMost } from '../math/last-at-most.ts';
import { multiply34 } from '../math/matrix34.ts';
import { forwardKinematics, interpolateTrs, skinTransforms } from '../math/trs.ts';
import { boneCount, type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** Poses between the keys of a clip, as engines compute them. */
export class ClipSampler {
  readonly #skeleton: Skeleton;
  readonly #clip: Clip;
  readonly #locals: Float64Array;
  readonly #world: Float64Array;

  constructor(skeleton: Skeleton, clip: Clip) {
    this.#skeleton = skeleton;
    this.#clip = clip;
    this.#locals = new Float64Array(LOCAL_STRIDE * boneCount(skeleton));
    this.#world = new Float64Array(MATRIX_STRIDE * boneCount(skeleton));
  }

  /**
   * Writes the 12B transforms at `time` (seconds) to `out`. Before the first key and after the last the clip stands
   * still. Between keys local poses are interpolated, rotations spherically; a clip that has only matrices gets their
   * linear interpolation. Allocates no arrays.
   */
  poseAt(time: number, out: Float32Array): Float32Array {
    const { times, locals, transforms } = this.#clip;
    const at = frameAt(times, time);
    const k = Math.floor(at);
    const t = at - k;
    const b = boneCount(this.#skeleton);
    const frame = MATRIX_STRIDE * b;
    if (t === 0) {
      for (let c = 0; c < frame; c++) out[c] = transforms[k * frame + c];
    } else if (locals) {
      for (let j = 0; j < b; j++) {
        const a = LOCAL_STRIDE * (k * b + j);
        interpolateTrs(this.#locals, LOCAL_STRIDE * j, locals, a, locals, a + LOCAL_STRIDE * b, t);
      }
      forwardKinematics(this.#world, this.#skeleton.parents, this.#locals);
      for (let m = 0; m < frame; m += MATRIX_STRIDE) {
        multiply34(out, m, this.#world, m, this.#skeleton.inverseBind, m);
      }
    } else {
      for (let c = 0; c < frame; c++) {
        const a = transforms[k * frame + c];
        out[c] = a + t * (transforms[(k + 1) * frame + c] - a);
      }
    }
    return out;
  }

  /** Writes the M morph weights at `time` to `out`: linear between keys, 0 for a clip without any. Allocates nothing. */
  morphWeightsAt(time: number, out: Float32Array): Float32Array {
    const { times, morphWeights } = this.#clip;
    return morphWeights ? weightsAt(morphWeights, times, time, out) : out.fill(0);
  }
}

/** The 12B transforms of a clip at `time` (seconds); see `ClipSampler`, which serves many times without allocation. */
export function poseAt(skeleton: Skeleton, clip: Clip, time: number): Float32Array {
  return new ClipSampler(skeleton, clip).poseAt(time, new Float32Array(MATRIX_STRIDE * boneCount(skeleton)));
}

/** The M morph weights of a clip at `time` (seconds), undefined for a clip without any. */
export function morphWeightsAt(clip: Clip, time: number): Float32Array | undefined {
  return clip.morphWeights && weightsAt(clip.morphWeights, clip.times, time);
}

function weightsAt(
  weights: Float32Array,
  times: Float64Array,
  time: number,
  out: Float32Array = new Float32Array(weights.length / times.length),
): Float32Array {
  const at = frameAt(times, time);
  const k = Math.floor(at);
  const stride = weights.length / times.length;
  for (let m = 0; m < stride; m++) {
    const a = weights[k * stride + m];
    out[m] = at === k ? a : a + (at - k) * (weights[(k + 1) * stride + m] - a);
  }
  return out;
}

/** Where `time` lies among P keys, from 0 to P − 1: 2.5 is half-way from key 2 to key 3. */
function frameAt(times: Float64Array, time: number): number {
  const k = Math.max(0, lastAtMost(times, time));
  return k + 1 < times.length && time > times[0] ? k + (time - times[k]) / (times[k + 1] - times[k]) : k;
}

/**
 * A clip as an engine plays it at a steady rate, from its first key to the last frame before its end. It has matrices and
 * morph weights, no local poses.
 */
export function steadyClip(skeleton: Skeleton, clip: Clip, framesPerSecond: number): Clip {
  const start = clip.times[0];
  const seconds = clip.times[clip.times.length - 1] - start;
  const frames = Math.floor(seconds * framesPerSecond + 1e-6) + 1;
  const times = Float64Array.from({ length: frames }, (_, k) => start + k / framesPerSecond);
  const stride = MATRIX_STRIDE * boneCount(skeleton);
  const transforms = new Float32Array(frames * stride);
  const morphs = (clip.morphWeights?.length ?? 0) / clip.times.length;
  const morphWeights = clip.morphWeights && new Float32Array(frames * morphs);
  const sampler = new ClipSampler(skeleton, clip);
  for (let k = 0; k < frames; k++) {
    sampler.poseAt(times[k], transforms.subarray(k * stride, (k + 1) * stride));
    if (morphWeights) sampler.morphWeightsAt(times[k], morphWeights.subarray(k * morphs, (k + 1) * morphs));
  }
  return { name: clip.name, times, transforms, ...(morphWeights && { morphWeights }) };
}

/** A clip of one frame at 0 s: the skeleton in its rest pose. */
export function restClip({ parents, inverseBind, restLocals }: Skeleton, name: string): Clip {
  return { name, times: Float64Array.of(0), transforms: skinTransforms(parents, inverseBind, restLocals) };
}

/** The clip of that index or name. */
export function findClip(model: SkinnedModel, clip: number | string, operation = 'findClip'): Clip {
  const found = typeof clip === 'number' ? model.clips[clip] : model.clips.find(({ name }) => name === clip);
  if (!found) {
    const names = model.clips.map(({ name }) => `"${name}"`).join(', ') || 'none: the model has no clips';
    throw new PliantError('not-found', operation, `${model.name}: clip ${JSON.stringify(clip)} (expected ${names})`);
  }
  return found;
}
