import { interpolateTrs, skinTransforms } from '../../math/trs.ts';
import { steadyTimes } from '../../model/sequence.ts';
import { boneCount, type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { BlendBoneMatrices } from '../../skin/blend-bones.ts';
import { atTimes } from './bake.ts';
import { type Compared, errorsOver, fewVertices, MEASURED } from './clip-errors.ts';

/**
 * Players that mix clips average the local poses of joints. Blend bones that are baked are averaged like the others, and
 * then no longer follow from them; computed from the averaged joints they do.
 */
export interface CrossfadeErrors {
  /** Poses half-way between two clips that were measured. */
  frames: number;
  /** EE in % of linear blending, of baked blend bones, and of such that are computed from the joints. */
  lbs?: number;
  baked?: number;
  driven?: number;
}

/** Poses for each pair of clips that follow each other, and at most. */
const PER_PAIR = 4;
const MOST = 24;

/** Poses half-way between clips that follow each other in the file. `given` are those of the original, with local poses. */
export async function crossfadeErrors(
  all: Compared,
  given: readonly Clip[],
  vertexOf: Uint32Array,
): Promise<CrossfadeErrors | undefined> {
  const compared = fewVertices(all, vertexOf, MEASURED);
  const { original, linearized } = compared;
  if (given.length < 2 || !linearized.blendBones) return undefined;
  const pairs = given.slice(1).map((_, c) => c);
  const moments = pairs.flatMap((c) => Array.from({ length: PER_PAIR }, (_, m) => ({ c, way: (m + 0.5) / PER_PAIR })));
  const step = Math.ceil(moments.length / MOST);
  const chosen = moments.filter((_, m) => m % step === 0);
  const faded = (skeleton: Skeleton, clips: readonly Clip[]): Clip => {
    const stride = LOCAL_STRIDE * boneCount(skeleton);
    const locals = new Float32Array(stride * chosen.length);
    const poseOf = (clip: Clip, way: number): Float32Array => {
      const [first, last] = [clip.times[0], clip.times[clip.times.length - 1]];
      return atTimes(skeleton, clip, Float64Array.of(first + way * (last - first))).locals!;
    };
    chosen.forEach(({ c, way }, k) => {
      const [a, b] = [poseOf(clips[c], way), poseOf(clips[c + 1], way)];
      for (let o = 0; o < stride; o += LOCAL_STRIDE) interpolateTrs(locals, k * stride + o, a, o, b, o, 0.5);
    });
    const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
    return { name: 'crossfades', times: steadyTimes(chosen.length), locals, transforms };
  };
  const own = faded(original.skeleton, given);
  const baked = faded(linearized.skeleton, all.linearized.clips);
  const driven = { ...baked, transforms: baked.transforms.slice() };
  const bones = new BlendBoneMatrices(linearized);
  const stride = MATRIX_STRIDE * boneCount(linearized.skeleton);
  for (let k = 0; k < chosen.length; k++) bones.fill(driven.transforms.subarray(k * stride, (k + 1) * stride));
  const shown = [
    [original, own],
    [linearized, baked],
    [linearized, driven],
  ] as const;
  const [lbs, bakedError, drivenError] = await errorsOver(compared, own, shown, {});
  return { frames: chosen.length, lbs, baked: bakedError, driven: drivenError };
}
