import { createRequire } from 'node:module';
import { minifySync } from '@swc/wasm';

const { version } = createRequire(import.meta.url)('@swc/wasm/package.json');
const OPTIONS = { module: true, ecma: 2022, compress: { passes: 0 }, mangle: { toplevel: true } };

/**
 * What is minified already, once more by another: each finds what the other does not (docs/notes/studio-bundle.md). It runs
 * when the names of files are made, so these are told by what it does, too.
 */
export const minifyAgain = () => ({
  name: 'minify-again',
  apply: ({ build }) => build.minify !== false,
  augmentChunkHash: () => JSON.stringify([version, OPTIONS]),
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = minifySync(chunk.code, OPTIONS).code;
      }
    },
  },
});
