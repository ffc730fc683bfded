import { vertexCount } from '../../src/model/mesh.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { digits, number, percent, plural } from '../../src/report/format.ts';
import type { OutputFile } from '../../src/verbs/envelope.ts';
import type { WeightsOutcome, WeightsResult } from '../jobs/weights-job.ts';
import type { Answer } from '../terminal/answer.ts';
import { notesText, writtenText } from './report-text.ts';
import { numberTable, type Page, pairs } from './table.ts';

/** What `weights` says of its results: on the terminal, and to programs. */

export function weightsAnswer(
  file: string,
  { results, notes }: WeightsOutcome,
  written: readonly OutputFile[],
): Answer {
  const named = (name: string): string => (results.length > 1 ? `${name}: ` : '');
  const all = [
    ...notes,
    ...results.flatMap(({ model, reports }) =>
      reports.flatMap((report) => report.notes.map((note) => named(model.name) + note)),
    ),
  ];
  return {
    summary: written.length > 0,
    json: { file, models: results.map(resultFacts), notes: all, written },
    text: (page) =>
      [...results.map((result) => resultText(result, page)), notesText(all, page), writtenText(written)]
        .filter(Boolean)
        .join('\n\n'),
  };
}

/** The facts of a result for programs. */
const resultFacts = ({ model, ...facts }: WeightsResult): object => ({
  name: model.name,
  vertices: vertexCount(model.mesh),
  bones: boneCount(model.skeleton),
  clips: model.clips.map(({ name }) => name),
  ...facts,
});

/** Fewer mirrored vertices than this part of all are chance, not symmetry. */
const SYMMETRIC = 0.5;

function resultText(result: WeightsResult, page: Page): string {
  const { model, method, influencesBefore, influences, trimming, mirror } = result;
  const n = vertexCount(model.mesh);
  const followed = new Set(model.weights.joints.filter((_, s) => model.weights.weights[s] > 0)).size;
  const { trimmedVertices: trimmed = 0, maxWeightLost: most = 0 } = result.reports.at(-1)?.figures ?? {};
  const rows: [string, string][] = [
    ['vertices', number(n)],
    ['bones', `${number(boneCount(model.skeleton))}, ${number(followed)} with vertices`],
    ['weights', method ? `by ${method}` : 'as in the file'],
    [
      'influences',
      most === 0
        ? `at most ${influences}`
        : `at most ${influencesBefore}, trimmed to ${influences}: ${plural(trimmed, 'vertex', 'vertices')} of ${number(n)} ` +
          `lost over 1 % of their weight, at most ${percent(100 * most)}`,
    ],
  ];
  if (mirror.matched >= SYMMETRIC * n) {
    const worst = `vertex ${mirror.mostDifferent}, ${percent(100 * mirror.mostDifference)} of its weight`;
    rows.push([
      'mirror symmetry',
      `${number(mirror.matched)} of ${number(n)} vertices mirrored across ${mirror.axis} = ${number(mirror.plane)}; ` +
        (mirror.differing === 0
          ? 'weights are symmetric within 1 %'
          : `${number(mirror.differing)} have other weights, most: ${worst}`),
    ]);
  }
  const table = trimming.map((row) => [
    row.clip,
    String(row.frames),
    digits(row.rmsePercent),
    digits(row.maxErrorPercent),
    String(row.maxErrorVertex),
    String(row.maxErrorFrame),
  ]);
  const errors =
    table.length === 0 || most === 0
      ? ''
      : numberTable(['error of trimming in', 'frames', 'RMSE %', 'max %', 'at vertex', 'in frame'], table, page);
  return [page.strong(model.name), pairs(rows, page), errors].filter(Boolean).join('\n');
}
