import { expect, it } from 'vitest';
import { openGlb } from '../../bench/engines/verbs.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { rigNamed, splitClips, uprightBox } from '../studio/own-file.ts';
import { describeInBrowser } from './chromium.ts';
import { studioOpener } from './studio-page.ts';

describeInBrowser("the user's own file in the studio", (harness) => {
  const open = studioOpener(harness);

  it('is edited when a rig is exported, and the changes are listed', async () => {
    const { page, drop, press, saved, done } = await open();
    const glb = rigNamed('sword, socket, leaves and extras');
    await drop({ 'rig.glb': glb });
    await press('Pause');
    await press('Linearize');
    await page
      .getByRole('group', { name: 'Skinning operator' })
      .getByLabel('Linearized')
      .waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Export' }).click();
    const linear = await saved(() => press('Linearized GLB'));
    const asset = await openGlb(glb);
    const expected = (await linearize(asset, { measure: false, glb: {} })).file!;
    expect([linear.name, Buffer.compare(linear.bytes, expected)]).toEqual(['rig-linear.glb', 0]);
    const lines = page.getByRole('list', { name: 'Changes in rig-linear.glb' }).getByRole('listitem');
    expect(await lines.count()).toBeGreaterThan(2);
    expect((await lines.allTextContents()).join()).toMatch(/joints added below/);

    // The file as it was opened, and a small one, which is new.
    await saved(() => press(/^GLB/));
    expect(await page.getByRole('list', { name: 'Changes in rig.glb' }).getByRole('listitem').count()).toBe(1);
    await saved(() => press('Small GLB'));
    await page
      .getByRole('list', { name: 'Notes on rig-small.glb' })
      .getByText(/extras/)
      .waitFor();
    await done();
  });

  it('stands up when its axis is chosen, and in sessions', async () => {
    const { page, drop, press, saved, done } = await open();
    await drop({ 'box.obj': uprightBox() });
    await page.getByRole('status').getByRole('button', { name: 'Z up' }).click();
    const toggle = page.getByRole('button', { name: 'z up', exact: true });
    await toggle.waitFor();
    await expect.poll(() => page.getByRole('status').getByRole('button').count()).toBe(0);
    await page.getByRole('tab', { name: 'Info' }).click();
    await page.getByLabel('Unit of the file').selectOption('centimetre');
    await page.getByText('z up, 1 unit = 0.01 m').waitFor();
    const session = await saved(() => press('Save session'));
    await press('Close box.obj');
    await drop({ [session.name]: session.bytes });
    await toggle.click();
    await page.getByText('y up, 1 unit = 0.01 m').waitFor();
    await done();
  });

  it('plays clips at once that belong together', async () => {
    const { page, drop, done } = await open();
    await drop({ 'rig.glb': splitClips() });
    const clip = page.getByLabel('Clip', { exact: true });
    await clip.selectOption('hips+rest');
    expect(await clip.locator('option').count()).toBe(4);
    await done();
  });
});
