import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { smallFlag } from './studio-files.ts';
import { CALM, ENDLESS, quiet, studioOpener } from './studio-page.ts';

const sizeOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!;

describeInBrowser('panes and help of the studio', (harness) => {
  const open = studioOpener(harness);

  it('shows the best so far while a fit goes on, in its panel', async () => {
    const { page, press, done } = await open({ query: `?sample=flag&${ENDLESS}`, context: CALM });
    const panes = page.locator('.pane-label');
    await panes.getByText(/^So far: 60 bones, error [\d.]+ %$/).waitFor();
    expect(await panes.allTextContents()).toHaveLength(2);
    await page.getByRole('tab', { name: 'Info' }).click();
    await expect.poll(() => panes.count()).toBe(0);
    await page.getByRole('tab', { name: 'Fit' }).click();
    await panes.getByText(/^So far/).waitFor();
    await press('Cancel');
    await expect.poll(() => panes.count()).toBe(0);
    await done();
  });

  it('shows the best so far while blend bones are added, and while it learns', async () => {
    const rig = await open({ query: '?sample=tube' });
    await rig.page.locator('#option-blendBones').fill('500');
    await rig.press('Linearize');
    const panes = rig.page.locator('.pane-label');
    await panes.getByText(/^So far: \d+ blend bones?, error [\d.]+ %$/).waitFor();
    expect(await panes.allTextContents()).toHaveLength(2);
    await rig.press('Cancel');
    await expect.poll(() => panes.count()).toBe(0);
    await rig.done();

    const { page, press, done } = await open({ query: '?sample=flag' });
    await page.getByRole('tab', { name: 'Learn' }).click();
    await press('Learn');
    await page
      .locator('.pane-label')
      .getByText(/^So far: 80 bones, error [\d.]+ %$/)
      .waitFor();
    await press('Cancel');
    await expect.poll(() => page.locator('.pane-label').count()).toBe(0);
    await done();
  });

  it('resizes chart and panel by mouse and keys, and remembers it', async () => {
    const { page, drop, press, choose, done } = await open({ context: CALM });
    const flag = { 'flag.glb': await smallFlag() };
    await drop(flag);
    await choose('Preset', 'fast');
    await page.locator('#target').fill('4');
    await press('Fit');
    const chart = page.getByRole('separator', { name: 'Height of the chart' });
    await chart.waitFor();
    const before = (await sizeOf(page, '.chart-host')).height;
    expect(before).toBeGreaterThanOrEqual(120);
    await chart.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect((await sizeOf(page, '.chart-host')).height).toBe(before + 32);
    expect(await chart.getAttribute('aria-valuenow')).toBe(String(before + 32));
    await chart.dblclick();
    expect((await sizeOf(page, '.chart-host')).height).toBe(before);

    const { x, y, height, width } = await sizeOf(page, '.side');
    await page.mouse.move(x, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x - 30, y + height / 2);
    await page.mouse.move(x - 80, y + height / 2);
    await page.mouse.up();
    expect((await sizeOf(page, '.side')).width).toBe(width + 80);
    await page.reload();
    await drop({ ...flag });
    await page.locator('.side').waitFor();
    expect((await sizeOf(page, '.side')).width).toBe(width + 80);
    await done();
  });

  it('says what each panel is for, and shows around', async () => {
    const { page, press, done } = await open();
    await press('Take a tour');
    for (const title of ['The view', 'What it shows', 'Time', 'The panels']) {
      await page.getByRole('dialog', { name: `: ${title}` }).waitFor();
      await press('Next');
    }
    await press('Done');
    await expect.poll(() => page.locator('.tour').count()).toBe(0);
    await quiet(page);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await press('What this panel is for');
      await page.locator('.panel-help svg').waitFor();
      expect((await page.locator('.panel-help').textContent())!.match(/[.]/g)!.length).toBeGreaterThanOrEqual(2);
    }
    // It can be skipped, by a key too.
    await page.keyboard.press('?');
    await press('Take the tour');
    await page.getByRole('dialog', { name: 'Tour, 1 of 5' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.tour').count()).toBe(0);
    await done();
  });
});
