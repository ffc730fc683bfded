import { bytes } from '../../../../src/report/format.ts';
import { errorText } from '../../core/fit/error-text.ts';
import type { FitEntry } from '../../core/fit/fit-results.ts';

/** What a column of the table of results shows, and what it is sorted by. */
interface Column {
  title: string;
  hint: string;
  of(entry: FitEntry): number;
  text(entry: FitEntry): string;
}

const errorColumn = (
  title: string,
  hint: string,
  of: (errors: FitEntry['data']['errors']) => number | undefined,
): Column => ({
  title: `${title} %`,
  hint: `${hint}, % of the diagonal`,
  of: ({ data }) => of(data.errors) ?? Infinity,
  text: ({ data }) => errorText(of(data.errors) ?? Number.NaN),
});

export const COLUMNS: readonly Column[] = [
  { title: 'Result', hint: 'the order they were made in', of: ({ id }) => id, text: ({ id }) => String(id) },
  { title: 'Bones', hint: 'number of bones', of: ({ data }) => data.bones, text: ({ data }) => String(data.bones) },
  errorColumn('RMSE', 'root mean square error', ({ rmsePercent }) => rmsePercent),
  errorColumn('Largest', 'largest error', ({ maxErrorPercent }) => maxErrorPercent),
  { title: 'Size', hint: 'bytes of the GLB', of: ({ data }) => data.bytes, text: ({ data }) => bytes(data.bytes) },
];
