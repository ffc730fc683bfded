import type { Morph, SkinnedModel } from '../model/skinned-model.ts';

/**
 * The same motions with weights of morphs between 0 and 1, where the sliders of Blender and others end. A morph whose weights
 * have both signs becomes two: w = max(w, 0) + min(w, 0) holds at keys, and half-way between them as well.
 */
export function withinSliders(model: SkinnedModel): SkinnedModel {
  const { morphs = [], clips } = model;
  if (morphs.length === 0) return model;
  const parts = morphs.flatMap((morph, m) => signedParts(morph, m, weightRange(model, m)));
  return {
    ...model,
    morphs: parts.map(({ morph }) => morph),
    clips: clips.map((clip) => {
      const { morphWeights: given } = clip;
      if (!given) return clip;
      const frames = given.length / morphs.length;
      const morphWeights = new Float32Array(frames * parts.length);
      for (let k = 0; k < frames; k++) {
        parts.forEach(({ m, size }, p) => {
          morphWeights[k * parts.length + p] = Math.max(0, given[k * morphs.length + m] / size);
        });
      }
      return { ...clip, morphWeights };
    }),
  };
}

/** A morph in the direction of some of its weights: `size` of the given one at a weight of 1. */
interface Part {
  morph: Morph;
  /** The given morph. */
  m: number;
  size: number;
}

/** A morph stays as it is where its weights do, and so does one that is not used. */
function signedParts(morph: Morph, m: number, { least, most }: { least: number; most: number }): Part[] {
  if (least >= 0 && most <= 1) return [{ morph, m, size: 1 }];
  const { name, positions } = morph;
  const part = (size: number, suffix: string): Part[] =>
    size === 0 ? [] : [{ m, size, morph: { name: `${name}${suffix}`, positions: positions.map((x) => size * x) } }];
  const isBoth = least < 0 && most > 0;
  return [...part(Math.max(0, most), isBoth ? ' +' : ''), ...part(Math.min(0, least), isBoth ? ' -' : '')];
}

function weightRange({ morphs = [], clips }: SkinnedModel, m: number): { least: number; most: number } {
  const range = { least: 0, most: 0 };
  for (const { morphWeights = [] } of clips) {
    for (let w = m; w < morphWeights.length; w += morphs.length) {
      range.least = Math.min(range.least, morphWeights[w]);
      range.most = Math.max(range.most, morphWeights[w]);
    }
  }
  return range;
}
