import type { parseAst } from 'vite';

type Tree = ReturnType<typeof parseAst>;
export function namesCalled(
  modules: readonly (readonly [path: string, code: string])[],
  users: Readonly<Record<string, readonly string[]>>,
): Map<string, Set<string>>;
export function withoutMethods(code: string, tree: Tree, called: ReadonlySet<string>): string;
