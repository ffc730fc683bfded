import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';

interface Smoke {
  smoke(): { message: string; isolated: boolean; webgl2: boolean };
}

describeInBrowser('the library in a browser', (harness) => {
  it.each([true, false])('loads; cross-origin isolated: %s', async (isolated) => {
    const { page, errors } = await harness.open('smoke.ts', { isolated });
    const answer = await page.evaluate(() => (globalThis as unknown as Smoke).smoke());
    expect(answer).toEqual({ message: 'smoke: a.obj:3: works', isolated, webgl2: true });
    expect(errors).toEqual([]);
  });
});
