import type { Figures } from '../../src/model/figures.ts';
import { distinctNotes, type Notes } from '../../src/model/note.ts';
/** Reports of the library as tables, and what a verb says after it has written files. */
import type { Report } from '../../src/model/report.ts';
import { figureRows } from '../../src/report/figure-text.ts';
import { bytes, count, number } from '../../src/report/format.ts';
import { noteText } from '../../src/report/note-text.ts';
import { flagName } from '../flags/flags.ts';
import type { Written } from '../output/output.ts';
import type { Answer } from '../terminal/session.ts';
import { columns, type Page, pairs } from './table.ts';

/** Figures under each other with their units. */
export const figuresText = (figures: Figures): string =>
  columns(figureRows(figures).map(({ label, value, unit }) => [label, number(value), unit])).join('\n');

/** Notes under each other, each with a dash and once. */
export const notesText = (notes: Readonly<Notes>, page: Page): string =>
  pairs(
    distinctNotes(notes).map((note) => ['–', noteText(note, flagName)]),
    page,
  );

/** `walk.glb`, or `frames/0001.obj and 69 more`. */
export const filesText = (files: readonly string[]): string =>
  files.length === 1 ? files[0] : `${files[0]} and ${count(files.length - 1)} more`;

/** `wrote flag.glb (1.2 MB)`, a line for every file. */
export const writtenText = (written: readonly Written[]): string =>
  written.map(({ path, bytes: size }) => `wrote ${path} (${bytes(size)})`).join('\n');

/** What a verb says after it has written files: `wrote flag.glb (1.2 MB)`, with the figures and notes of its reports. */
export function writtenAnswer(
  heading: string,
  figures: Figures,
  reports: readonly Report[],
  written: readonly Written[],
): Answer {
  const notes = reports.flatMap((report) => report.notes);
  return {
    summary: true,
    json: { written, reports },
    text: (page) =>
      [page.strong(heading), figuresText(figures), notesText(notes, page), writtenText(written)]
        .filter(Boolean)
        .join('\n\n'),
  };
}
