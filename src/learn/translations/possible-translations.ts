import { edgeWeights } from '../../decompose/translations/edge-weights.ts';
import { translationSolves } from '../../decompose/translations/translation-solves.ts';
import { meshEdges } from '../../mesh/adjacency.ts';
import type { RunOptions } from '../../model/options.ts';
import { TRANSLATIONS, type TranslationMode, type TranslationSolve } from '../../model/predictor.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import type { LearnOptions } from '../learn-options.ts';

/** Feng 2010 solves (2.11) for meshes that deform much and says so case by case; moving the predicted ones is not in it. */
const AUTO_TRANSLATIONS: Record<LearnOptions['method'], readonly TranslationMode[]> = {
  best: TRANSLATIONS,
  paper: ['predicted', 'poisson'],
};

/** The operators of the ways to find translations that come into question. */
export async function possibleTranslations(
  options: LearnOptions,
  known: { examples: Examples; skin: SkinWeights; transforms: Float64Array; points: Uint32Array; bones: number },
  run: RunOptions,
): Promise<TranslationSolve[]> {
  const { examples, skin, transforms, points, bones } = known;
  const { positions, triangles } = examples.rest;
  const modes = options.translations === 'auto' ? AUTO_TRANSLATIONS[options.method] : [options.translations];
  const edges = meshEdges(triangles, positions.length / 3);
  const edgeSkin = modes.includes('poisson')
    ? await edgeWeights(examples, { count: bones, transforms }, skin, edges, run)
    : undefined;
  return translationSolves(modes, { positions, edges, skin, edgeSkin, points, bones });
}
