import { translationSolves } from '../../decompose/translations/translation-solves.ts';
import { meshEdges } from '../../mesh/adjacency.ts';
import { TRANSLATIONS, type TranslationMode, type TranslationSolve } from '../../model/predictor.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import type { LearnMethod, LearnOptions } from '../learn-options.ts';

/** Feng 2010 solves (2.11) for meshes that deform much and says so case by case; moving the predicted ones is not in it. */
const AUTO_TRANSLATIONS: Record<LearnMethod, readonly TranslationMode[]> = {
  bones: TRANSLATIONS,
  paper: ['predicted', 'poisson'],
  ridge: ['predicted'],
  pca: ['predicted'],
};

/** The ways to find translations that come into question. */
export const translationModes = ({ translations }: LearnOptions, method: LearnMethod): readonly TranslationMode[] =>
  translations === 'auto' ? AUTO_TRANSLATIONS[method] : [translations];

/** Their operators. */
export function possibleTranslations(
  options: LearnOptions,
  method: LearnMethod,
  known: { examples: Examples; skin: SkinWeights; edgeSkin?: SkinWeights; points: Uint32Array; bones: number },
): TranslationSolve[] {
  const { examples, skin, edgeSkin, points, bones } = known;
  const { positions, triangles } = examples.rest;
  const edges = meshEdges(triangles, positions.length / 3);
  return translationSolves(translationModes(options, method), { positions, edges, skin, edgeSkin, points, bones });
}
