import { vertexCount } from '../../src/model/mesh.ts';
import { betweenFramesText } from '../../src/report/fit-page.ts';
import { bytes, duration, percent, plural, sizeChange } from '../../src/report/format.ts';
import { frameText } from '../../src/report/frame-text.ts';
import type { FitOutcome } from '../jobs/fit-job.ts';
import type { Written } from '../output/output.ts';
import type { Answer } from '../terminal/session.ts';
import { notesText, writtenText } from './report-text.ts';
import { GLUE, pairs } from './table.ts';

/** What `fit` says of its results: on the terminal, and to programs. */

export function fitAnswer(title: string, outcome: FitOutcome, written: readonly Written[]): Answer {
  return {
    summary: true,
    json: fitJson(outcome, written),
    text: (page) =>
      [`${page.strong(title)}\n${pairs(fitRows(outcome), page)}`, notesText(outcome.notes, page), writtenText(written)]
        .filter(Boolean)
        .join('\n\n'),
  };
}

/** The stages that are the fit itself, not what is written about it. */
const fitSeconds = ({ result }: FitOutcome): number =>
  Object.values(result.report.seconds).reduce((sum, x) => sum + x, 0);

function fitJson(outcome: FitOutcome, written: readonly Written[]): object {
  const { result, before, seconds, notes } = outcome;
  const { errors, model, fitted } = result;
  return {
    bones: result.bones,
    kind: result.kind,
    influences: model.weights.influences,
    frames: fitted.sequence.frameCount,
    vertices: vertexCount(model.mesh),
    rmsePercent: errors.rmsePercent,
    maxErrorPercent: errors.maxErrorPercent,
    maxErrorFrame: errors.maxErrorFrame,
    maxErrorVertex: errors.maxErrorVertex,
    distortionPercent: errors.distortionPercent,
    seconds: fitSeconds(outcome),
    bytes: outcome.bytes,
    bytesBefore: before.bytes,
    bytesBeforeEstimated: before.estimated,
    converged: result.converged,
    ended: result.ended,
    iterations: result.report.iterations,
    betweenFramesPercent: result.inBetween.after,
    keysBetweenFrames: result.inBetween.added,
    diagonal: errors.diagonal,
    clips: fitted.clips.map(({ name, count: frames }) => ({ name, frames })),
    stages: seconds,
    perFrame: { rmsePercent: errors.perFrame.rmsePercent, maxErrorPercent: errors.perFrame.maxErrorPercent },
    notes,
    written,
  };
}

function fitRows(outcome: FitOutcome): [string, string][] {
  const { result, bytes: after, before, seconds } = outcome;
  const { errors, model, fitted, bones, kind } = result;
  const clips = fitted.clips.length > 1 ? ` in ${plural(fitted.clips.length, 'clip')}` : '';
  const stages = Object.entries(seconds).map(([stage, x]) => `${stage} ${duration(x)}`.replaceAll(' ', GLUE));
  // Most fits end at their number of rounds; where a target was missed, more of them may help.
  const missed: [string, string][] =
    outcome.missed && result.ended === 'iterations'
      ? [['converged', 'no: more --iterations may lower the error a little']]
      : [];
  const about = before.estimated ? 'about ' : '';
  return [
    [
      'from',
      `${plural(vertexCount(model.mesh), 'vertex', 'vertices')} × ${plural(fitted.sequence.frameCount, 'frame')}${clips}; ` +
        `as morph targets with the same settings ${about}${bytes(before.bytes)}`,
    ],
    [
      'to',
      `${plural(bones, `${kind} bone`)}, at most ${Math.min(bones, model.weights.influences)} per vertex; ${bytes(after)}, ` +
        `${about}${sizeChange(before.bytes, after)}`,
    ],
    ['RMSE', `${percent(errors.rmsePercent)} of the diagonal`],
    [
      'largest error',
      `${percent(errors.maxErrorPercent)}, vertex ${errors.maxErrorVertex} in ${frameText(fitted, errors.maxErrorFrame ?? 0)}`,
    ],
    [
      'distortion',
      errors.distortionPercent === undefined
        ? 'not defined: nothing moves'
        : `${percent(errors.distortionPercent)} of the motion`,
    ],
    ['between frames', betweenFramesText(result)],
    ['seconds', stages.join(', ')],
    ...missed,
  ];
}
