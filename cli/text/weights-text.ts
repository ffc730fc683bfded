import type { PartReport, WeightsOutcome, WeightsPartDetail } from '../../src/index.ts';
import { digits, number, percent, plural } from '../../src/report/format.ts';
import { numberTable, type Page, pairs } from './table.ts';

/** What `weights` prints: a block for each part. */
export const weightsText = ({ report }: WeightsOutcome, page: Page): string[] =>
  report.parts.map((part, p) =>
    [page.strong(part.name), pairs(partRows(part, report.detail.parts[p]), page), trimmingTable(report, part, page)]
      .filter(Boolean)
      .join('\n'),
  );

function partRows({ vertices, bones, influences, figures = {} }: PartReport, detail: WeightsPartDetail) {
  const { followedBones = 0, influencesBefore, trimmedVertices = 0, maxWeightLost = 0 } = figures;
  const trimmed =
    maxWeightLost === 0
      ? `at most ${influences}`
      : `at most ${influencesBefore}, trimmed to ${influences}: ${plural(trimmedVertices, 'vertex', 'vertices')} of ` +
        `${number(vertices)} lost over 1 % of their weight, at most ${percent(100 * maxWeightLost)}`;
  const rows: [string, string][] = [
    ['vertices', number(vertices)],
    ['bones', `${number(bones ?? 0)}, ${number(followedBones)} with vertices`],
    ['weights', (detail.method ? `by ${detail.method}` : 'from the file') + (detail.smoothed ? ', smoothed' : '')],
    ['influences', trimmed],
  ];
  return [...rows, ...mirrorRows(detail.mirror, vertices)];
}

/** Fewer mirrored vertices than this part of all are chance, not symmetry. */
const SYMMETRIC = 0.5;

function mirrorRows(mirror: WeightsPartDetail['mirror'], vertices: number): [string, string][] {
  const { axis, plane, matched, differing, mostDifferent, mostDifference } = mirror;
  if (matched < SYMMETRIC * vertices) return [];
  const difference =
    differing === 0
      ? 'weights are symmetric within 1 %'
      : `${number(differing)} differ in weight, most at vertex ${mostDifferent}: ${percent(100 * mostDifference)}`;
  const text = `${number(matched)} of ${number(vertices)} vertices mirrored across ${axis} = ${number(plane)}; ${difference}`;
  return [['mirror symmetry', text]];
}

function trimmingTable({ parts, clips }: WeightsOutcome['report'], part: PartReport, page: Page): string {
  if (!part.figures?.maxWeightLost) return '';
  const rows = clips
    .filter((clip) => parts.length === 1 || clip.part === part.name)
    .flatMap(({ name, frames, figures }) =>
      figures?.rmsePercent === undefined
        ? []
        : [
            [
              ...[name, String(frames), digits(figures.rmsePercent), digits(figures.maxErrorPercent)],
              ...[String(figures.maxErrorVertex), String(figures.maxErrorFrame)],
            ],
          ],
    );
  const headings = ['trimming error in', 'frames', 'RMSE %', 'max %', 'at vertex', 'in frame'];
  return rows.length > 0 ? numberTable(headings, rows, page) : '';
}
