import { PliantError } from '../../../src/index.ts';

// The library loads in a page, and the page can say whether it is cross-origin isolated.
Object.assign(globalThis, {
  smoke: () => ({
    message: new PliantError('bad-file', 'smoke', 'works', { file: 'a.obj', line: 3 }).message,
    isolated: globalThis.crossOriginIsolated,
    webgl2: document.createElement('canvas').getContext('webgl2') !== null,
  }),
});
