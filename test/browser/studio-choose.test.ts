import { expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { blobFiles } from '../../src/platform/browser/files.ts';
import { describeInBrowser } from './chromium.ts';
import { glbOf } from './studio-files.ts';
import { CALM, studioOpener } from './studio-page.ts';

describeInBrowser('choosing in the studio', (harness) => {
  const open = studioOpener(harness);

  it('fits the clips of a rig in a tab of their own', async () => {
    const { page, drop, press, done } = await open({ context: CALM });
    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await page.getByRole('tab', { name: 'Fit' }).click();
    await page.locator('#target').fill('3');
    await press(/^Fit 1 clip/);
    await page.getByRole('button', { name: /3 bones.*RMSE/ }).waitFor();
    await page.getByRole('button', { name: /^tube \(/ }).waitFor();
    await done();
  });

  it('shows two operators side by side, and plays clips in a row', async () => {
    const { page, drop, press, done } = await open();
    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await press('Pause');
    await page.getByLabel('Compare with').selectOption({ label: 'DQS' });
    const panes = page.locator('.pane-label');
    await expect.poll(() => panes.allTextContents()).toEqual(['LBS', 'DQS']);
    await page.keyboard.press('End');
    await page.getByLabel('Play all clips in a row').check();
    const clip = page.getByLabel('Clip', { exact: true });
    const first = await clip.inputValue();
    await press('Play');
    await expect.poll(() => clip.inputValue()).not.toBe(first);
    await page.getByLabel('Compare with').selectOption({ label: 'Nothing' });
    await expect.poll(() => panes.count()).toBe(0);
    await done();
  });

  it('draws error against bones while it is computed, and fits what is clicked', async () => {
    const { page, drop, press, saved, done } = await open();
    await drop({ 'flag.glb': await glbOf('flag', 80, 6) });
    await press('Pause');
    await press('Compute the curve');
    const point = page.getByRole('button', { name: /^Fit 8 bones: error/ });
    await point.waitFor();
    await page.getByRole('button', { name: 'Complete the curve' }).waitFor();
    await page.getByText('Size', { exact: true }).last().click();
    await point.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /8 bones.*RMSE/ }).waitFor();

    // What it plays can be saved as a motion, and read again.
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByRole('group', { name: 'Motion of' }).getByText('Fitted', { exact: true }).click();
    for (const [button, ending] of [
      ['Morph targets (GLB)', '-morphs.glb'],
      ['Alembic (.abc)', '.abc'],
    ]) {
      const { name, bytes } = await saved(() => press(button));
      expect(name).toBe(`flag-8-bones${ending}`);
      const { sequences } = await readAsset(blobFiles([[name, new Blob([new Uint8Array(bytes)])]]), [name]);
      expect(sequences[0].frameCount).toBe(6);
    }
    await done();
  });

  it('shows the samples as they move, and an example in three steps', async () => {
    const { page, press, done } = await open({ thumbs: true });
    const flag = page.getByRole('button', { name: /^flag/i }).locator('canvas');
    const painted = () =>
      flag.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, at) => at % 4 === 3 && value > 0).length;
      });
    await expect.poll(painted).toBeGreaterThan(1000);
    await press('Show me');
    await page
      .getByRole('status')
      .getByText(/^2 of 3/)
      .or(page.getByRole('status').getByText(/^3 of 3/))
      .waitFor();
    await page.getByRole('tab', { name: 'Export', selected: true }).waitFor();
    await page.getByRole('button', { name: /^GLB/ }).waitFor();
    await done();
  });

  it('says how to convert what it cannot read, and leaves no tab', async () => {
    const { page, drop, press, done } = await open();
    await drop({ 'old.fbx': 'Kaydara FBX Binary' });
    await page
      .getByRole('alert')
      .getByText(/File › Import › FBX/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Close old.fbx' }).count()).toBe(0);
    await press('Close');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await done();
  });
});
