import { mkdirSync, writeFileSync } from 'node:fs';
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

/** Writes bench/results/<name>.md. */
export function writeResults(name: string, text: string): void {
  mkdirSync(`${ROOT}bench/results`, { recursive: true });
  writeFileSync(`${ROOT}bench/results/${name}.md`, `${text.trim()}\n`);
}
