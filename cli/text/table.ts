/** What the verbs print: aligned, as wide as the terminal, and plain text in a pipe. */

/** How the page looks that is written to. */
export interface Page {
  /** Columns; infinite in a pipe, where lines are for programs to search. */
  width: number;
  /** Emphasis of headings: bold on a terminal, unchanged in a pipe or under NO_COLOR. */
  strong(text: string): string;
}

/** A space at which lines do not break. */
export const GLUE = '\u00a0';

/** Breaks a text at spaces into lines of at most `width` characters; a longer word keeps its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line ? `${line} ${word}` : word;
      }
    }
    lines.push(line);
  }
  return lines.map((line) => line.replaceAll(GLUE, ' '));
}

/** `key  value` under each other, long values wrapped in their own column. */
export function pairs(rows: readonly (readonly [string, string])[], page: Page, indent = 2): string {
  const margin = indent + Math.max(0, ...rows.map(([key]) => key.length)) + 2;
  const valueWidth = Math.max(20, page.width - margin);
  return rows
    .flatMap(([key, value]) =>
      wrap(value, valueWidth).map((line, l) =>
        `${(l ? '' : ' '.repeat(indent) + key).padEnd(margin)}${line}`.trimEnd(),
      ),
    )
    .join('\n');
}

/** Columns. One whose cells are all numbers is aligned to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const every = (c: number): string[] => rows.map((row) => row[c]);
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...every(c).map((cell) => cell.length)));
  const numeric = widths.map((_, c) => every(c).every((cell) => /^-?[\d.,]*(e[-+]?\d+)?$/.test(cell)));
  return rows.map((row) =>
    `  ${row.map((cell, c) => (numeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c]))).join('  ')}`.trimEnd(),
  );
}

/** Columns of numbers under their headings. */
export function numberTable(headings: readonly string[], rows: readonly (readonly string[])[], page: Page): string {
  const widths = headings.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  const line = (row: readonly string[]): string => `  ${row.map((cell, c) => cell.padStart(widths[c])).join('  ')}`;
  return [page.strong(line(headings)), ...rows.map(line)].join('\n');
}
