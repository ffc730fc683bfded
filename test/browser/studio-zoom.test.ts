import { expect, it } from 'vitest';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { makeSample } from '../../src/samples.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { CALM, studioOpener } from './studio-page.ts';

describeInBrowser('zooming in the studio', (harness) => {
  const open = studioOpener(harness);

  it('zooms towards the pointer in every pane', async () => {
    const { page, drop, press, choose, done } = await open({ context: CALM });
    const { sequence } = await makeSample('flag', { resolution: 100, frames: 6 });
    await drop({ 'flag.glb': (await writeSequenceGlb(sequence!)).bytes });
    await choose('Preset', 'fast');
    await page.locator('#target').fill('3');
    await press('Fit');
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    await choose('Comparison', 'Side by side');
    await page.getByText(/^worst (< )?[\d.]+ %$/).waitFor();
    const view = (await page.locator('.picture').boundingBox())!;
    /** Where the worst place is ringed, in the last pane, in pixels of the window. */
    const ringed = async (): Promise<[number, number]> => {
      const place = await page.locator('.ring').evaluate((ring) => (ring as HTMLElement).style.transform);
      const [x, y] = place.match(/-?[\d.]+(?=px)/g)!.map(Number);
      return [view.x + x, view.y + y];
    };
    await pictureShown(page);
    const [x, y] = await ringed();
    // What is ringed in the last pane is seen at the same place of the others.
    for (const pane of [0, 1, 2]) {
      const pointer = [x - ((2 - pane) * view.width) / 3, y] as const;
      await page.mouse.move(...pointer);
      await page.mouse.wheel(0, pane === 1 ? 400 : -200);
      await pictureShown(page);
      const [u, v] = await ringed();
      expect(Math.hypot(u - x, v - y), `pane ${pane}`).toBeLessThan(1);
    }
    // Zoomed at another place, it goes away from there.
    await page.mouse.move(x - 40, y);
    await page.mouse.wheel(0, -300);
    await expect.poll(async () => (await ringed())[0]).toBeGreaterThan(x + 5);
    await done();
  });
});
