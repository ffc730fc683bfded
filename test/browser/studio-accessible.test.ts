import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults, faintTexts, namelessControls, tabFaults } from './accessibility.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { glbOf, smallFlag } from './studio-files.ts';
import { holdWorkers, pictures, quiet, studioOpener } from './studio-page.ts';

/** A window with few pixels to draw. */
const SMALL = { context: { viewport: { width: 900, height: 480 } } };

/** Names, contrast by day and by night, and the rules of axe: only colours change at night. */
async function expectReadable(page: Page, state: string): Promise<void> {
  expect(await namelessControls(page), state).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((scheme) => document.documentElement.dataset.theme === scheme, colorScheme);
    expect(await faintTexts(page), `${state}, ${colorScheme}`).toEqual([]);
  }
  expect(await axeFaults(page), state).toEqual([]);
}

/** The same for every panel of what is open, with all that can be folded out; and the way that the Tab key takes, if asked for. */
async function expectPanelsReadable(page: Page, state: string, { tabs }: { tabs: boolean }): Promise<void> {
  for (const panel of await page.getByRole('tab').all()) {
    await panel.click();
    const name = `${state}, ${await panel.textContent()}`;
    const folded = page.locator('details:not([open]) > summary');
    while ((await folded.count()) > 0) await folded.first().click();
    await expectReadable(page, name);
    if (!tabs) continue;
    // Rings are reached once they are drawn, and curves that are computed meanwhile may come on the way.
    await pictureShown(page);
    await expect.poll(() => tabFaults(page), { message: name }).toEqual([]);
  }
  await page.getByRole('tab').first().click();
}

describeInBrowser('accessibility of the studio', (harness) => {
  const open = studioOpener(harness);

  it('names, contrast and keyboard: start page, loading, errors', async () => {
    const { page, drop, done } = await open();
    await expectReadable(page, 'welcome');
    expect(await tabFaults(page)).toEqual([]);
    await drop({ 'broken.glb': 'glTF' });
    await page.getByRole('alert').waitFor();
    await expectReadable(page, 'failed');
    expect(await tabFaults(page)).toEqual([]);
    const release = await holdWorkers(page);
    await page.getByRole('button', { name: /^tablecloth/ }).click();
    await page.getByRole('heading', { name: 'Opening tablecloth' }).waitFor();
    await expectReadable(page, 'loading');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await release();
    await done();
  });

  it('names, contrast and keyboard: a motion, its fit, errors', async () => {
    const { page, drop, press, choose, frame, saved, done } = await open(SMALL);
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    await expectPanelsReadable(page, 'motion', { tabs: false });
    await page.keyboard.press('Home');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Shortcuts' });
    await keys.waitFor();
    await expectReadable(page, 'keys');
    // They are read, not pressed, but for what saves.
    await keys.press('End');
    expect((await saved(() => keys.press('Control+s'))).name).toBe('flag.pliant');
    await page.keyboard.press('?');
    await keys.waitFor({ state: 'hidden' });
    expect(await frame()).toBe(0);
    await page.keyboard.press('End');
    expect(await frame()).toBe(15);
    await choose('Preset', 'fast');
    await choose('Target', 'Size');
    const size = page.getByLabel('GLB size, kB');
    await size.fill('0.01');
    await size.blur();
    await page.getByRole('alert').waitFor();
    await expectReadable(page, 'a field that is wrong');
    await size.fill('1');
    await press('Fit');
    await page.locator('.failure').waitFor();
    await expectReadable(page, 'a fit that failed');
    await choose('Target', 'Bones');
    await page.getByLabel('Number of bones').fill('4');
    const release = await holdWorkers(page);
    await press('Fit');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await expectReadable(page, 'fitting');
    await release();
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    await expectReadable(page, 'fitted');
    await quiet(page);
    await expectPanelsReadable(page, 'fit', { tabs: true });
    for (const comparison of ['Fitted', 'Overlay', 'Wipe', 'Side by side']) {
      await choose('Comparison', comparison);
      await expectReadable(page, comparison);
    }
    await done();
  });

  it('names, contrast and keyboard: a rig', async () => {
    const { page, drop, press, done } = await open(SMALL);
    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await press('Pause');
    await expectPanelsReadable(page, 'rig', { tabs: true });
    await page.getByRole('tab', { name: 'Cloth' }).click();
    await press('Put on');
    await page.getByText('Vertices simulated').waitFor();
    await expectReadable(page, 'a garment that is worn');
    await pictureShown(page);
    expect(await tabFaults(page)).toEqual([]);
    await done();
  });

  it('names, contrast and keyboard: the bending bar', async () => {
    const { page, done } = await open({ ...SMALL, query: '?lab' });
    await page.getByRole('slider', { name: 'Angle', exact: true }).waitFor();
    await expectReadable(page, 'lab');
    expect(await tabFaults(page)).toEqual([]);
    await done();
  });

  it('does not start playing if reduced motion is preferred', async () => {
    const { page, drop, frame, done } = await open({ context: { reducedMotion: 'reduce' } });
    await drop({ 'flag.glb': await smallFlag() });
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await pictures(page, 20);
    expect(await frame()).toBe(0);
    await done();
  });
});
