import { minifySync } from '@swc/wasm';

/**
 * What is minified already, once more by another: each finds what the other does not, and together they take 5.8 kB of 406
 * off the bundle (gzipped; either alone is larger by that or more).
 */
export const minifyAgain = () => ({
  name: 'minify-again',
  apply: ({ build }) => build.minify !== false,
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const options = { module: true, ecma: 2022, compress: { passes: 0 }, mangle: { toplevel: true } };
        chunk.code = minifySync(chunk.code, options).code;
      }
    },
  },
});
