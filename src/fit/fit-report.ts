import type { SequenceErrors } from '../measure/measure.ts';
import { vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { Report } from '../model/report.ts';
import { boundsWorst, type FitContext, MAY_DISCARD } from './context.ts';
import type { FitOptions } from './fit-options.ts';
import type { Begun, Found } from './solve.ts';

/** Nothing more to gain; no rounds left (usual, and a little less than the best); or no bones left to reach the target with. */
export type FitEnding = 'converged' | 'iterations' | 'target missed';

/** Enters figures and notes into the report of a fit; returns why it ended. */
export function reportFit(
  report: Report,
  { fitted }: FitContext,
  options: FitOptions,
  { decomposition, kind, inBetween, missed, notes }: Found,
  errors: SequenceErrors,
): FitEnding {
  const searched = options.bones === 0;
  const lost = searched && !missed && boundsWorst(options) ? lostInReduction(errors, options.maxError) : [];
  const ended = missed || lost.length > 0 ? 'target missed' : decomposition.converged ? 'converged' : 'iterations';
  report.iterations = decomposition.iterations;
  report.converged = ended === 'converged';
  report.figures = {
    rmsePercent: errors.rmsePercent,
    maxErrorPercent: errors.maxErrorPercent,
    bones: decomposition.boneCount,
    inBetweenErrorPercent: inBetween.after,
    inBetweenKeys: inBetween.added,
  };
  report.notes.push(...notes, ...lost);
  if (options.inBetween > 0 && inBetween.after > inBetween.tolerance) {
    const { after, tolerance, nearest } = inBetween;
    const limit = nearest > tolerance ? { nearestPercent: nearest } : {};
    report.notes.push(note('in-between-missed', { kind, errorPercent: after, tolerancePercent: tolerance, ...limit }));
  }
  if (report.given.length === 0 && decomposition.boneCount < options.bones) {
    report.notes.push(fewerBones(decomposition, options.bones, vertexCount(fitted.sequence.rest), errors));
  }
  return ended;
}

/** Why there are fewer bones than could have been. */
function fewerBones(
  { boneCount, explained }: Begun,
  asked: number,
  vertices: number,
  { distortionPercent }: SequenceErrors,
): Note {
  const onlyOne = distortionPercent === undefined ? 'no-motion' : 'one-piece';
  const reason =
    boneCount === vertices ? 'no-vertices' : !explained ? 'no-place' : boneCount === 1 ? onlyOne : 'explained';
  return note('fewer-bones', { bones: boneCount, asked, reason });
}

/** Where a target for the worst vertex seemed to be reached: whether the reduction had lost what misses it. */
function lostInReduction({ maxErrorPercent = 0, maxErrorFrame = 0 }: SequenceErrors, maxError: number): Note[] {
  if (maxErrorPercent <= (1 + MAY_DISCARD) * maxError) return [];
  return [note('lost-in-reduction', { frame: maxErrorFrame, errorPercent: maxErrorPercent })];
}
