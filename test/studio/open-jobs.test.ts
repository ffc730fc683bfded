import { afterEach, expect, it, vi } from 'vitest';
import { openJob } from '../../studio/src/worker/open-jobs.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Two frames of a triangle. */
const FRAMES: [string, File][] = [0, 1].map((z) => [
  `fold/${z}.obj`,
  new File([`v 0 0 0\nv 1 0 0\nv 0 1 ${z}\nf 1 2 3\n`], `${z}.obj`),
]);
const open = () =>
  openJob(
    { files: FRAMES, paths: FRAMES.map(([path]) => path) },
    { onProgress: () => {}, signal: new AbortController().signal },
  );

it('reads all frames', async () => {
  const { sequences } = await open();
  expect(sequences[0].frames).toHaveLength(2 * 9);
});

it('says how much memory frames would take, where the browser has none left', async () => {
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
    explanation: expect.stringMatching(/^not enough memory for \d+ MB of frames: close other tabs/),
  });
});
