import type { parseAst } from 'vite';

/** As far as it is called without a bundler. */
export interface LeanThree {
  transform(this: { parse: typeof parseAst }, code: string, id: string): string | undefined;
  buildEnd(this: { error(message: string): never }, error?: Error): void;
}
export function leanThree(packages: string): LeanThree;
