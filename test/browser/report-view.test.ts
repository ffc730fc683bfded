import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { fitPage } from '../../src/report/fit-page.ts';
import { lodPage } from '../../src/report/lod-page.ts';
import { mixPage } from '../../src/report/mix-page.ts';
import { mix } from '../../src/rig/mix/mix.ts';
import { lod } from '../../src/verbs/lod.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { tubeModel } from '../io/gltf/fixtures.ts';
import { describeInBrowser } from './chromium.ts';

const folder = await mkdtemp(join(tmpdir(), 'pliant-view-'));
afterAll(() => rm(folder, { recursive: true }));

let fitted: ReturnType<typeof fit> | undefined;
const fittedSheet = () => (fitted ??= fit(bendingSheet(), { preset: 'fast', bones: 5 }));

/** How many colours the canvas shows. */
async function colours(page: Page): Promise<number> {
  const picture = await page.locator('#view canvas').screenshot();
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const { width, height } = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size;
  }, picture.toString('base64'));
}

describeInBrowser('the interactive view of a report, opened from disk', (harness) => {
  /** The page; errors of its console, and what it asked of the network. */
  async function open(html: string, options = {}) {
    // Few pixels: they are what costs time here.
    const small = { viewport: { width: 800, height: 600 }, deviceScaleFactor: 0.5 };
    const file = join(folder, 'report.html');
    await writeFile(file, html);
    const { page, errors } = await harness.newPage({ ...small, ...options });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    return { page, complaints: () => [...errors, ...requests.slice(1)] };
  }

  it('plays a fit and its original, shows errors, turns and zooms', async () => {
    const html = await fitPage(await fittedSheet());
    const { page, complaints } = await open(html);
    const looks = page.locator('#view .looks button');
    await looks.first().waitFor();
    expect(await looks.allTextContents()).toEqual(['Fitted', 'Original', 'Errors']);
    const [play, slider] = [page.getByRole('button', { name: 'Pause' }), page.getByRole('slider')];
    const first = await slider.inputValue();
    await expect.poll(() => slider.inputValue()).not.toBe(first);
    await play.click();
    await slider.fill('0.25');
    const picture = () => page.locator('#view canvas').screenshot();
    const clay = await picture();
    expect(await colours(page)).toBeGreaterThan(20);
    await slider.fill('0.5');
    expect(clay.equals(await picture()), 'another moment').toBe(false);
    await slider.fill('0.25');
    expect(clay.equals(await picture()), 'the same moment').toBe(true);

    await page.getByRole('button', { name: 'Errors' }).click();
    expect(clay.equals(await picture()), 'colours of errors').toBe(false);
    expect(await page.locator('#view .legend').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Original' }).click();
    expect(await colours(page)).toBeGreaterThan(20);

    const box = (await page.locator('#view canvas').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = await picture();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y + 30);
    await page.mouse.up();
    const turned = await picture();
    expect(before.equals(turned), 'turned').toBe(false);
    await page.mouse.wheel(0, 240);
    expect(turned.equals(await picture()), 'zoomed').toBe(false);
    expect(complaints()).toEqual([]);
  });

  it('shows a mix by its operator, and levels of detail', async () => {
    const mixed = await mix(tubeModel());
    const { levels, poses, report } = await lod(tubeModel(), { levels: 1, poses: 2 });
    const pages = [
      [await mixPage([mixed]), ['Mix', 'Linear blending', 'Dual quaternions']],
      [await lodPage({ levels, poses, ...report }), ['Original', 'Level 1']],
    ] as const;
    for (const [html, names] of pages) {
      const { page, complaints } = await open(html);
      const looks = page.locator('#view .looks button');
      await looks.first().waitFor();
      expect(await looks.allTextContents()).toEqual(names);
      await looks.last().click();
      expect(await colours(page)).toBeGreaterThan(10);
      expect(complaints()).toEqual([]);
    }
  });

  it('leaves the page as it was without scripts, on paper, and where it is not wanted', async () => {
    const result = await fittedSheet();
    const html = await fitPage(result);
    const { page } = await open(html, { javaScriptEnabled: false });
    expect(await page.locator('#view').isVisible()).toBe(false);
    const shown = await open(html);
    await shown.page.locator('#view canvas').waitFor();
    await shown.page.emulateMedia({ media: 'print' });
    expect(await shown.page.locator('#view').isVisible()).toBe(false);
    expect(await fitPage(result, { view: 'never' })).not.toContain('<script');
  });
});
