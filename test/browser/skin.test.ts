import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';

interface SkinPage {
  poseWithPool(threads: number): Promise<{ threads: number; kernel: string; error: number }>;
}

describeInBrowser('skinning in a browser', (harness) => {
  it.each([
    { isolated: true, asked: 2, threads: 2 },
    { isolated: false, asked: 2, threads: 1 },
  ])(
    'runs the WebAssembly kernels on $threads thread(s), isolated: $isolated',
    async ({ isolated, asked, threads }) => {
      const { page, errors } = await harness.open('skin.ts', { isolated });
      const answer = await page.evaluate((count) => (globalThis as unknown as SkinPage).poseWithPool(count), asked);
      expect(answer).toMatchObject({ threads, kernel: 'wasm' });
      expect(answer.error).toBeLessThan(1e-5);
      expect(errors).toEqual([]);
    },
  );
});
