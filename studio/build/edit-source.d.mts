import type { parseAst } from 'vite';

export type Range = [start: number, end: number, text: string];
export function neverIn(
  tree: ReturnType<typeof parseAst>,
  code: string,
  file: string,
  never: { called?: string[]; set?: string[]; returns?: Record<string, string> },
): Range[];
export function replaceRanges(code: string, ranges: Range[]): string;
