import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import type { Doc, FitEntry } from './doc.ts';

/** The models whose skin is looked at: those of the result that is selected, or of the file. They share one skeleton. */
export function inspectedModels(doc: Doc): readonly SkinnedModel[] {
  const fitted = doc.fit.value?.data.models;
  if (fitted) return fitted;
  const models = doc.models.value;
  return models.filter(({ skeleton }) => skeleton === models[0].skeleton);
}

/** `Fitted, 30 bones`, with its number where there are several. */
export const resultName = (doc: Doc, { id, data }: FitEntry): string =>
  `${doc.fits.value.length > 1 ? `Result ${id}` : 'Fitted'}, ${data.bones} bones`;
