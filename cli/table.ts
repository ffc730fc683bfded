/** What the verbs print: aligned, as wide as the terminal, and plain text in a pipe. */

/** How the page looks that is written to. */
export interface Page {
  /** Columns; infinite in a pipe, where lines are for programs to search. */
  width: number;
  /** Emphasis of headings: bold on a terminal, unchanged in a pipe or under NO_COLOR. */
  strong(text: string): string;
}

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
  return lines;
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

/** Columns under a heading. A column whose cells are all numbers is aligned to the right. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[], page: Page): string {
  const numeric = heading.map(
    (_, c) => rows.length > 0 && rows.every((row) => /^[-–]?[\d.,]*(e[-+]?\d+)?$/.test(row[c])),
  );
  const widths = heading.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, c) => (numeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c]))).join('  ')}`.trimEnd();
  return [page.strong(line(heading)), ...rows.map(line)].join('\n');
}
