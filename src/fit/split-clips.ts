import { boneCount, type Clip, frameKeys, LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/**
 * A model whose one clip holds several end to end → the same with a clip for each; times start at 0 in every clip.
 * `first` and `count` are in frames.
 */
export function splitClips(
  model: SkinnedModel,
  parts: readonly { name: string; first: number; count: number }[],
): SkinnedModel {
  const [whole] = model.clips;
  const b = boneCount(model.skeleton);
  const f = model.morphs?.length ?? 0;
  const keys = frameKeys(whole);
  const clips = parts.map(({ name, first, count }): Clip => {
    const [from, to] = [keys[first], keys[first + count - 1] + 1];
    const own = (values: Float32Array, perKey: number) => values.slice(from * perKey, to * perKey);
    const clip: Clip = {
      name,
      times: whole.times.slice(from, to).map((t) => t - whole.times[from]),
      transforms: own(whole.transforms, b * MATRIX_STRIDE),
      morphWeights: whole.morphWeights && own(whole.morphWeights, f),
      locals: whole.locals && own(whole.locals, b * LOCAL_STRIDE),
    };
    if (to - from > count) clip.frames = keys.slice(first, first + count).map((key) => key - from);
    return clip;
  });
  return { ...model, clips };
}
