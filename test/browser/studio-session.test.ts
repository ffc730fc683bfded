import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { glbOf } from './studio-files.ts';
import { holdWorkers, quiet, still, studioOpener } from './studio-page.ts';

describeInBrowser('a session of the studio', (harness) => {
  const open = studioOpener(harness);

  it('is saved as one file and restored', async () => {
    const before = await open({ looks: true, context: { viewport: { width: 900, height: 560 } } });
    await before.drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await before.press('Pause');
    await before.page.getByRole('slider', { name: 'Turn x' }).fill('40');
    await before.press('Open another');
    await before.press(/bending bar/i);
    await before.page.getByLabel('Angle', { exact: true }).fill('35');
    await before.drop({ 'flag.glb': await glbOf('flag', 200, 16) });
    await before.press('Pause');
    await before.choose('Preset', 'fast');
    await before.page.locator('#target').fill('4');
    await before.press('Fit');
    const result = before.page.getByRole('button', { name: /RMSE/ });
    await result.waitFor();
    await before.paint('Error');
    await before.choose('Comparison', 'Wipe');
    await before.page.getByRole('slider', { name: 'Frame', exact: true }).fill('9');
    await turn(before.page);
    const figures = await result.textContent();
    await quiet(before.page);
    const view = await picture(before.page);
    const { name, bytes } = await before.saved(() => before.page.keyboard.press('Control+s'));
    expect(name).toBe('flag.pliant');
    await before.page
      .getByRole('status')
      .getByText(/flag\.pliant: [\d.]+ kB/)
      .waitFor();
    await before.done();

    const after = await open({ looks: true, context: { viewport: { width: 900, height: 560 } } });
    await after.drop({ 'renamed.pliant': bytes });
    await after.page.getByRole('img', { name: /flag\.glb/ }).waitFor();
    expect(await after.page.getByRole('button', { name: /RMSE/ }).textContent()).toBe(figures);
    expect(await after.frame()).toBe(9);
    await after.page.getByRole('figure', { name: /Scale of colours/ }).waitFor();
    await expect.poll(() => after.page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    // The same picture: model, frame, colours, border and camera.
    expect(Buffer.compare(await picture(after.page), view)).toBe(0);
    await after.page.getByRole('button', { name: 'tube.glb', exact: true }).click();
    await expect.poll(() => after.page.getByRole('slider', { name: 'Turn x' }).inputValue()).toBe('40');
    await after.page.getByRole('button', { name: 'Bending bar', exact: true }).click();
    await expect.poll(() => after.page.getByLabel('Angle', { exact: true }).inputValue()).toBe('35');
    // Work goes on from there, and can be taken back.
    await after.page.getByRole('button', { name: 'flag.glb', exact: true }).click();
    await after.choose('Preset', 'best');
    const undo = after.page.getByRole('button', { name: 'Undo' });
    await expect.poll(() => undo.getAttribute('title')).toBe('Undo: Preset (Ctrl Z)');
    await undo.click();
    await expect.poll(() => after.page.getByRole('radio', { name: 'fast' }).isChecked()).toBe(true);
    await after.press('Remove result 1');
    await expect.poll(() => after.page.getByRole('button', { name: /RMSE/ }).count()).toBe(0);
    await after.page.keyboard.press('Control+z');
    await after.page.getByRole('button', { name: /RMSE/ }).waitFor();
    await after.drop({ 'half.pliant': bytes.subarray(0, bytes.length / 2) });
    await after.page
      .getByRole('alert')
      .getByText(/half\.pliant: damaged: the file is cut off or changed/)
      .waitFor();
    // A save that is cancelled is no failure.
    const release = await holdWorkers(after.page);
    await after.press('Save session');
    await after.press('Cancel');
    await release();
    await after.page
      .getByRole('button', { name: 'Save session' })
      .and(after.page.locator(':not([aria-disabled])'))
      .waitFor();
    await expect.poll(() => after.page.locator('.notice').count()).toBe(0);
    await after.done();
  });
});

/** Turns the view a little. */
async function turn(page: Page): Promise<void> {
  const { x, y, height } = (await page.locator('canvas').first().boundingBox())!;
  await page.mouse.move(x + 80, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 140, y + height / 2 + 20, { steps: 3 });
  await page.mouse.up();
}

/** The view with what lies over it, once nothing moves. */
async function picture(page: Page): Promise<Buffer> {
  await page.mouse.move(2, 2);
  return still(page);
}
