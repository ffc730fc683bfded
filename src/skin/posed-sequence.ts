import type { ParallelPool } from '../kernels/parallel.ts';
import { frameOutOfRange, type MeshSequence } from '../model/sequence.ts';
import { boneCount, clipFrame, clipMorphWeights, frameKeys, frameTimes } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { continuousSigns } from './bones.ts';
import { findClip } from './poses.ts';
import { SKIN_OPTIONS, type SkinOptions } from './skin-options.ts';
import { Skinner } from './skinner.ts';

/**
 * A clip (by index or name) as a mesh sequence: its frames, posed when asked for. This is how clips reach what
 * works on sequences: measures, exporters, fitting. With antipodality off every bone's turning is followed from key to
 * key, so that it may exceed 180°.
 */
export function posedSequence(
  model: SkinnedModel,
  clip: number | string,
  options: Partial<Omit<SkinOptions, 'normals'>> = {},
  pool?: ParallelPool,
): MeshSequence {
  const found = findClip(model, clip, 'posedSequence');
  const skinner = new Skinner(model, { ...options, normals: false }, pool);
  const bones = boneCount(model.skeleton);
  const antipodality = options.antipodality ?? SKIN_OPTIONS.antipodality.default;
  const signs = antipodality ? undefined : continuousSigns(found.transforms, bones);
  const name = `${model.name}: ${found.name}`;
  const keys = frameKeys(found);
  return {
    name,
    clip: found.name,
    rest: model.mesh,
    frameCount: keys.length,
    times: frameTimes(found),
    async readFrame(k, out) {
      if (!(k in keys)) throw frameOutOfRange(name, k, keys.length);
      const key = keys[k];
      const turns = signs?.subarray(key * bones, (key + 1) * bones);
      const { positions } = skinner.pose(clipFrame(found, key), turns, clipMorphWeights(found, key));
      if (!out) return positions.slice();
      out.set(positions);
      return out;
    },
    async close() {
      skinner.dispose();
    },
  };
}
