import { afterEach, expect, it, vi } from 'vitest';
import { openJob } from '../../studio/src/worker/open-jobs.ts';
import { pc2File } from '../io/cache-fixtures.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Two frames of a triangle. */
const FRAMES: [string, File][] = [0, 1].map((z) => [
  `fold/${z}.obj`,
  new File([`v 0 0 0\nv 1 0 0\nv 0 1 ${z}\nf 1 2 3\n`], `${z}.obj`),
]);
const open = (files = FRAMES) =>
  openJob(
    { files, paths: files.map(([path]) => path) },
    { onProgress: () => {}, signal: new AbortController().signal },
  );

it('reads all frames', async () => {
  const { sequences } = await open();
  expect(sequences[0].frames).toHaveLength(2 * 9);
});

it('refuses a cache without its mesh', async () => {
  const cache = new File([new Uint8Array(pc2File([[0, 0, 0, 1, 0, 0, 0, 1, 0]]))], 'fold.pc2');
  await expect(open([['fold.pc2', cache]])).rejects.toMatchObject({
    code: 'bad-input',
    message: expect.stringContaining('a cache needs the mesh that it moves'),
  });
  const mesh: [string, File] = ['fold.obj', FRAMES[0][1]];
  expect((await open([['fold.pc2', cache], mesh])).sequences).toHaveLength(1);
});

it('reports how much memory frames need when none is left', async () => {
  vi.stubGlobal('crossOriginIsolated', true);
  vi.stubGlobal(
    'SharedArrayBuffer',
    class {
      constructor() {
        throw new RangeError('Array buffer allocation failed');
      }
    },
  );
  // Nothing is wrong with the file: it can be tried again.
  await expect(open()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringMatching(/not enough memory for \d+ MB of frames: close other tabs/),
  });
});
