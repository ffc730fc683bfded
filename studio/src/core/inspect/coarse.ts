import { FIT_OPTIONS, type FitOptions } from '../../../../src/index.ts';
import type { Doc } from '../doc.ts';
import type { Aside } from '../jobs/aside.ts';
import { startJob } from '../jobs/start-job.ts';
import type { CoarseData } from './inspection.ts';

const placementOf = ({ fitOptions }: Doc): FitOptions['placement'] =>
  fitOptions.value.placement ?? FIT_OPTIONS.placement.default;

/** The motion with fewer vertices, by the options of the fit. */
export const coarseOf = (doc: Doc): Aside<CoarseData> => doc.inspection.coarse[placementOf(doc)];

/** Makes the decimated motion while it is shown. Tracks the signals that it reads. */
export function followCoarse(doc: Doc): void {
  const { coarse, merged } = doc.inspection;
  const placement = placementOf(doc);
  const wanted = merged.value > 0 ? coarse[placement] : undefined;
  for (const aside of Object.values(coarse)) if (aside !== wanted) aside.stop();
  const parts = doc.content.sequences;
  wanted?.begin((onProgress) => startJob('coarse', { parts, placement }, onProgress));
}
