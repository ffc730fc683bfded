import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizePath } from 'vite';
import { leanPackages } from './build/lean-packages.mjs';
import { leanThree } from './build/lean-three.mjs';
import { minifyAgain } from './build/minify-again.mjs';
import { sharedWorkers } from './build/shared-workers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const packages = normalizePath(join(root, 'node_modules'));

/** The studio as a folder that any static host can serve: relative addresses, nothing inline, no network. */
export default {
  root: here,
  base: './',
  logLevel: 'error',
  plugins: [leanPackages(packages), leanThree(packages), sharedWorkers(), minifyAgain()],
  build: {
    outDir: join(root, 'dist/studio'),
    emptyOutDir: true,
    target: 'es2022',
    // What it would put around imports asks for a document, which workers have not.
    modulePreload: false,
    // A strict content security policy has no place for pictures or fonts inside style sheets.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    // What two parts need is one more: many small ones take more bytes, and more requests.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
  },
};
