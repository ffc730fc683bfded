import type { LodDetail } from '../../src/doors/lod.ts';
import { bytes, count, digits, plural } from '../../src/report/format.ts';
import { numberTable, type Page, pairs } from './table.ts';

/** What `lod` prints: what was given, and a row for each level. `title` is the heading. */
export function lodText(detail: LodDetail, title: string, page: Page): string[] {
  const { original, levels, poses, parts } = detail;
  const judged = poses.held > 0 ? `, judged by ${poses.held} more` : '';
  const rows: [string, string][] = [
    ['from', `${plural(original.triangles, 'triangle')}, ${plural(original.vertices, 'vertex', 'vertices')}`],
    ...(parts.length > 1 ? [['parts', count(parts.length)] as [string, string]] : []),
    ['poses', `${poses.fitted} fitted${judged}`],
  ];
  const heading = `${page.strong(title)}\n${pairs(rows, page)}`;
  if (levels.length === 0) return [heading];
  const hasSizes = levels.some((level) => level.bytes !== undefined);
  const headings = ['level', 'triangles', 'vertices', 'RMS %', 'max %', '1 px from, m', ...(hasSizes ? ['size'] : [])];
  const cells = levels.map((level, l) => [
    ...[String(l + 1), count(level.triangles), count(level.vertices), digits(level.rmsPercent)],
    ...[digits(level.maxPercent), digits(level.onePixelDistance)],
    ...(level.bytes === undefined ? [] : [bytes(level.bytes)]),
  ]);
  return [`${heading}\n\n${numberTable(headings, cells, page)}`];
}
