import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { posedSequence } from '../skin/skin.ts';
import type { FittedFrames } from './clips.ts';

/** A fitted model over the frames it was fitted to, in their order: what errors are measured on and pictures show. */
export function fittedSequence(model: SkinnedModel, { sequence, clips }: FittedFrames): MeshSequence {
  const posed = clips.map((_, c) => posedSequence(model, c, { operator: 'lbs' }));
  return {
    ...sequence,
    name: model.name,
    rest: model.mesh,
    async readFrame(k, out) {
      const c = clips.findIndex(({ first, count }) => k >= first && k < first + count);
      return posed[c].readFrame(k - clips[c].first, out);
    },
    async close() {
      for (const clip of posed) await clip.close?.();
    },
  };
}
