/** A library report as a table, and what a verb says after it has written files. */
import type { Report } from '../src/model/report.ts';
import { bytes, number } from './format.ts';
import type { Written } from './output.ts';
import type { Answer } from './session.ts';
import { type Page, pairs } from './table.ts';

/** Figures under each other, their units beside them, then the notes. */
export function reportText({ figures, notes }: Report, page: Page): string {
  const values = figures.map(({ value }) => number(value));
  const width = Math.max(0, ...values.map((value) => value.length));
  const rows = figures.map(({ name, unit }, f): [string, string] => [
    name,
    `${values[f].padStart(width)} ${unit}`.trimEnd(),
  ]);
  const table = rows.length ? [rows.map(([name, value]) => [name, value] as const)] : [];
  const remarks = notes.map((note) => ['–', note] as const);
  return [...table, ...(remarks.length ? [remarks] : [])].map((part) => pairs(part, page)).join('\n\n');
}

/** `wrote flag.glb (1.2 MB)`, with the reports of the operations that led there. */
export function writtenAnswer(heading: string, reports: readonly Report[], written: readonly Written[]): Answer {
  return {
    summary: true,
    json: { written, reports },
    text: (page) =>
      [
        page.strong(heading),
        ...reports.map((report) => reportText(report, page)).filter(Boolean),
        written.map(({ path, bytes: size }) => `wrote ${path} (${bytes(size)})`).join('\n'),
      ].join('\n\n'),
  };
}
