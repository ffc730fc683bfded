import type { Doc } from '../doc.ts';
import type { FitEntry } from './fit-results.ts';

/** The error of a result per frame of the original, in % of the diagonal; null for frames that were not fitted. */
export interface ErrorCurve {
  entry: FitEntry;
  /** P. */
  rmse: (number | null)[];
  /** P. */
  largest: (number | null)[];
  /** The frame with the largest error. */
  worst: number;
}

/** @param frameCount P, of the original. */
export function errorCurve(entry: FitEntry, frameCount: number): ErrorCurve {
  const { firstFrame = 0, frameStep = 1 } = entry.options;
  const { rmsePercent = [], maxErrorPercent = [] } = entry.data.errors.perFrame;
  const spread = (values: ArrayLike<number>): (number | null)[] =>
    Array.from({ length: frameCount }, (_, k) => values[(k - firstFrame) / frameStep] ?? null);
  const largest = spread(maxErrorPercent);
  const worst = largest.reduce<number>((best, value, k) => ((value ?? -1) > (largest[best] ?? -1) ? k : best), 0);
  return { entry, rmse: spread(rmsePercent), largest, worst };
}

/** The curves to draw: of the selected result, and of those ticked beside it. */
export function drawnCurves(doc: Doc): ErrorCurve[] {
  const { fits, selected, inspection, playback } = doc;
  const wanted = fits.value.filter(({ id }) => id === selected.value || inspection.charted.value.has(id));
  return wanted.map((entry) => errorCurve(entry, playback.last + 1));
}
