import { boneCount, LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** A model whose one clip holds several end to end → the same with a clip for each; times start at 0 in every clip. */
export function splitClips(
  model: SkinnedModel,
  parts: readonly { name: string; first: number; count: number }[],
): SkinnedModel {
  const [whole] = model.clips;
  const b = boneCount(model.skeleton);
  const f = model.morphs?.length ?? 0;
  const clips = parts.map(({ name, first, count }) => ({
    name,
    times: whole.times.slice(first, first + count).map((t) => t - whole.times[first]),
    transforms: whole.transforms.slice(first * b * MATRIX_STRIDE, (first + count) * b * MATRIX_STRIDE),
    morphWeights: whole.morphWeights?.slice(first * f, (first + count) * f),
    locals: whole.locals?.slice(first * b * LOCAL_STRIDE, (first + count) * b * LOCAL_STRIDE),
  }));
  return { ...model, clips };
}
