import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import { errorPercent } from './error-text.ts';
import type { SoFarBones } from './fit-results.ts';

/** What is shown of a running job: only in its panel, so that finished results can be looked at meanwhile. */
export const shownSoFar = ({ panel, soFar }: Doc): SoFarBones | undefined =>
  panel.value === soFar.value?.panel ? soFar.value : undefined;

export const soFarPanes = (doc: Doc): readonly ('original' | 'fitted')[] | undefined =>
  shownSoFar(doc) && ['original', 'fitted'];

/** What the panes show. */
export function soFarNames(doc: Doc): { original: string; fitted: string } | undefined {
  const found = shownSoFar(doc);
  if (!found) return undefined;
  const fitted = `So far: ${plural(found.bones, 'bone')}, error ${errorPercent(found.rmsePercent)}`;
  return { original: 'Original', fitted };
}
