import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './tables.ts';

/** Bundles a page of test/browser/pages, with its workers, into a folder that can be served. */
export async function bundlePage(page: string, folder: string): Promise<void> {
  const input = join(ROOT, 'test/browser/pages', page);
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    build: { outDir: folder, emptyOutDir: false, target: 'esnext', rollupOptions: { input } },
    worker: { format: 'es' },
  });
  const name = basename(page, '.ts');
  const main = readdirSync(join(folder, 'assets')).find((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>${name}</title><body><script type="module" src="/assets/${main}"></script></body>`,
  );
}
