import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The root of the checkout, seen from dist/bench. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A Markdown table with aligned columns; those whose cells are all numbers are aligned right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const numeric = head.map((_, c) => rows.length > 0 && rows.every((row) => /^[-+≤≥]?\s?[\d.,/]+\s?%?$/.test(row[c])));
  const widths = head.map((_, c) => Math.max(3, ...all.map((row) => row[c].length)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const pad = (cell: string, c: number) => (numeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c]));
  const rule = line(widths.map((width, c) => (numeric[c] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))));
  const [first, ...body] = all.map((row) => line(row.map(pad)));
  return [first, rule, ...body].join('\n');
}

/** The machine a figure was measured on. */
export const machine = (): string =>
  `${cpus()[0].model.trim()}, ${availableParallelism()} threads, Node ${process.versions.node}`;

/** Writes bench/results/<name>.md, and the same into every page of docs/ that has a place for it. */
export function writeResults(name: string, text: string): void {
  const body = `${text.trim()}\n`;
  mkdirSync(`${ROOT}bench/results`, { recursive: true });
  writeFileSync(`${ROOT}bench/results/${name}.md`, body);
  for (const file of readdirSync(`${ROOT}docs`).filter((entry) => entry.endsWith('.md'))) {
    const page = readFileSync(`${ROOT}docs/${file}`, 'utf8');
    const filled = fillPlace(page, name, body);
    if (filled !== page) writeFileSync(`${ROOT}docs/${file}`, filled);
  }
}

/** Replaces what stands between the two comments that mark the place of a result. Headings are lowered by two levels. */
function fillPlace(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- bench/results/${name}.md -->\n`, `<!-- end of bench/results/${name}.md -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) return page;
  const lowered = text.replace(/^#/gm, '###');
  return `${page.slice(0, from + begin.length)}\n${lowered}\n${page.slice(to)}`;
}
