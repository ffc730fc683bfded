import { diagonalOf, sideOf } from '../mesh/bounds.ts';
import type { Mesh } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import type { Predictor } from '../model/predictor.ts';
import type { Report } from '../model/report.ts';
import type { CollectedExamples } from './examples.ts';
import type { LearnMethod, LearnOptions } from './learn-options.ts';
import { bestWay, type Way } from './regression/ways.ts';

/** A method at its best, on examples that it does not know. Errors in % of the rest pose's diagonal. */
export interface MethodTrial {
  method: LearnMethod;
  kernel: string;
  translations: string;
  kappa: number;
  /** RMS error of each example, predicted from the others. */
  leaveOneOutRmsePercent: number;
  /** RMS error of each half of the examples, predicted from the other half; absent for very few examples. */
  otherHalfRmsePercent?: number;
}

/** The best way of every method, that which was taken first. */
export function trialsOf(ways: readonly Way[], taken: Way, rest: Mesh): MethodTrial[] {
  const others = new Set(ways.map(({ method }) => method));
  others.delete(taken.method);
  const percent = (error: number): number => (100 * error) / diagonalOf(rest.positions);
  return [taken, ...[...others].map((method) => bestWay(ways.filter((way) => way.method === method)))].map((way) => {
    const { method, kernel, solve, kappa, leftOut } = way;
    const carriedOn = way.carriedOn();
    return {
      method,
      kernel: kernel.name,
      translations: solve.mode,
      kappa,
      leaveOneOutRmsePercent: percent(leftOut),
      ...(carriedOn !== undefined && { otherHalfRmsePercent: percent(carriedOn) }),
    };
  });
}

/** Enters figures and notes into the report. */
export function reportLearning(
  report: Report,
  options: LearnOptions,
  { points, centroids }: Predictor,
  { rest, poses, duplicates }: CollectedExamples,
  { leftOut }: Way,
  tried: readonly MethodTrial[],
): void {
  const bones = centroids.length / 3;
  const [{ method, kernel, translations, leaveOneOutRmsePercent }] = tried;
  report.figures = {
    examples: poses.length,
    controlPoints: points.length,
    bones,
    leaveOneOutRms: leftOut / sideOf(rest.positions),
    leaveOneOutRmsePercent,
  };
  const { notes, given } = report;
  if (duplicates > 0) notes.push(note('duplicate-examples', { examples: duplicates }));
  if (poses.length < options.examples) {
    notes.push(note('fewer-examples', { examples: poses.length, asked: options.examples }));
  }
  if (points.length < options.points && !given.includes('points')) {
    notes.push(note('fewer-control-points', { points: points.length, asked: options.points }));
  }
  if (bones < options.bones && !given.includes('bones')) {
    notes.push(note('fewer-bones', { bones, asked: options.bones, reason: 'explained' }));
  }
  notes.push(note('learned-with', { method, kernel, translations }));
  if (tried.length > 1) {
    const errors = tried.map(({ method: name, leaveOneOutRmsePercent: error }) => ({ method: name, percent: error }));
    notes.push(note('methods-tried', { errors }));
  }
}
