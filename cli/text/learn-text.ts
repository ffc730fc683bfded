import type { LearnResult } from '../../src/learn/learn.ts';
import { pointRanges } from '../../src/learn/point-ranges.ts';
import { pointNames } from '../../src/model/predictor.ts';
import type { Written } from '../output/output.ts';
import type { Answer } from '../terminal/session.ts';
import { pointRows } from './describe.ts';
import { figuresText, notesText, writtenText } from './report-text.ts';
import { pairs } from './table.ts';

/** What `learn` says of its result: on the terminal, and to programs. */

export function learnAnswer(
  what: string,
  { predictor, examples, report }: LearnResult,
  written: readonly Written[],
): Answer {
  const seconds = Object.values(report.seconds).reduce((sum, s) => sum + s, 0);
  return {
    summary: true,
    json: {
      examples: examples.frames,
      points: predictor.points,
      names: pointNames(predictor),
      controlPoints: pointRanges(predictor),
      bones: predictor.centroids.length / 3,
      vertices: predictor.mesh.positions.length / 3,
      translations: predictor.translations.mode,
      residualShapes: predictor.residual ? predictor.residual.shapes.length / predictor.mesh.positions.length : 0,
      leaveOneOutRmsePercent: report.figures.leaveOneOutRmsePercent,
      seconds,
      bytes: written[0].bytes,
      written,
      report,
    },
    text: (page) =>
      [
        page.strong(`a predictor from ${what}`),
        figuresText({ ...report.figures, seconds }),
        `${page.strong('control points')}\n${pairs(pointRows(predictor), page)}`,
        notesText(report.notes, page),
        writtenText(written),
      ]
        .filter(Boolean)
        .join('\n\n'),
  };
}
