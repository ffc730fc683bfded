import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const WORKER = /new URL\('([^']+)', import\.meta\.url\)(?=, \{ type: 'module' \})/g;

/** Workers as entries of the same bundle, so that page and workers share the chunks that both need. */
const sharedWorkers = {
  name: 'shared-workers',
  enforce: 'pre',
  apply: 'build',
  async transform(code, id) {
    if (!code.includes('new Worker(')) return undefined;
    let result = code;
    for (const [text, path] of code.matchAll(WORKER)) {
      const worker = await this.resolve(path, id);
      const file = this.emitFile({ type: 'chunk', id: worker.id });
      result = result.replace(text, `import.meta.ROLLUP_FILE_URL_${file}`);
    }
    return result;
  },
};

/** The studio as a folder that any static host can serve: relative addresses, nothing inline, no network. */
export default {
  root: here,
  base: './',
  logLevel: 'error',
  plugins: [sharedWorkers],
  build: {
    outDir: join(dirname(here), 'dist/studio'),
    emptyOutDir: true,
    target: 'es2022',
    // Vite's preload code needs a document, which workers do not have.
    modulePreload: false,
    // A strict content security policy allows no images or fonts inside style sheets.
    assetsInlineLimit: 0,
    // What three.js, mediabunny and others ask for when their code is passed on.
    license: { fileName: 'assets/licenses.md' },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
};
