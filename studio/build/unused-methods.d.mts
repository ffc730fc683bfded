import type { parseAst } from 'vite';

export function namesIn(chunks: readonly string[]): Set<string>;
export function withoutMethods(code: string, tree: ReturnType<typeof parseAst>, named: ReadonlySet<string>): string;
