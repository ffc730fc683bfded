import type { Figures, Note, OutputFile } from '../../src/index.ts';
import { FIGURES } from '../../src/model/figures.ts';
import { bytes, count, number } from '../../src/report/format.ts';
import { noteTexts } from '../../src/report/note-text.ts';
import { flagName } from '../flags/flags.ts';
import { columns, type Page, pairs } from './table.ts';

/** Figures under each other with their units. */
export const figuresText = (figures: Figures): string =>
  columns(
    (Object.entries(figures) as [keyof Figures, number | undefined][]).flatMap(([name, value]) => {
      const [label, unit = ''] = FIGURES[name];
      return value === undefined ? [] : [[label, number(value), unit]];
    }),
  ).join('\n');

/** Notes under each other, each with a dash and once. */
export const notesText = (notes: readonly Note[], page: Page): string =>
  pairs(
    noteTexts(notes, flagName).map((text) => ['–', text]),
    page,
  );

/** `walk.glb`, or `frames/0001.obj and 69 more`. */
export const filesText = (files: readonly string[]): string =>
  files.length === 1 ? files[0] : `${files[0]} and ${count(files.length - 1)} more`;

/** `wrote flag.glb (1.2 MB)`, a line for every file. */
export const writtenText = (written: readonly OutputFile[]): string =>
  written.map(({ path, bytes: size }) => `wrote ${path} (${bytes(size)})`).join('\n');
