import { boundsOf, diagonalOf } from '../mesh/bounds.ts';
import { note } from '../model/note.ts';
import type { Predictor } from '../model/predictor.ts';
import type { Report } from '../model/report.ts';
import type { CollectedExamples } from './examples.ts';
import type { LearnOptions } from './learn-options.ts';

/** Enters figures and notes into the report. @param error RMS of leaving one example out, in the units of the file. */
export function reportLearning(
  report: Report,
  options: LearnOptions,
  { points, centroids, kernel, translations }: Predictor,
  { rest, poses, duplicates }: CollectedExamples,
  error: number,
): void {
  const { min, max } = boundsOf(rest.positions);
  const side = Math.max(...max.map((x, c) => x - min[c]));
  const bones = centroids.length / 3;
  report.figures = {
    examples: poses.length,
    controlPoints: points.length,
    bones,
    leaveOneOutRms: error / side,
    leaveOneOutRmsePercent: (100 * error) / diagonalOf(rest.positions),
  };
  const { notes, given } = report;
  if (duplicates > 0) notes.push(note('duplicate-examples', { examples: duplicates }));
  if (points.length < options.points && !given.includes('points')) {
    notes.push(note('fewer-control-points', { points: points.length, asked: options.points }));
  }
  if (bones < options.bones && !given.includes('bones')) {
    notes.push(note('fewer-bones', { bones, asked: options.bones, reason: 'explained' }));
  }
  notes.push(note('learned-with', { kernel: kernel.name, translations: translations.mode }));
}
