import { expect, it } from 'vitest';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { smallFlag } from './studio-files.ts';
import { studioOpener } from './studio-page.ts';

describeInBrowser('the studio on a plain static host', (harness) => {
  const open = studioOpener(harness);

  it('works from any folder, on one thread, without shared memory', async () => {
    const { page, drop, press, choose, saved, done } = await open({ below: '/some/folder/' });
    expect(await page.evaluate(() => [crossOriginIsolated, 'SharedArrayBuffer' in globalThis])).toEqual([false, false]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    await choose('Preset', 'fast');
    await page.locator('#target').fill('6');
    await press('Fit');
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    await page.getByRole('tab', { name: 'Export' }).click();
    const { bytes } = await saved(() => press(/^GLB/));
    await expectValidGlb(bytes, []);
    // A sample comes from a file that is loaded when it is asked for.
    await press('Open another');
    await page.getByRole('button', { name: /^tube/ }).click();
    await page.getByRole('img', { name: /^tube/ }).waitFor();
    // Nothing is asked of anyone else, nor from outside the folder.
    const { origin } = new URL(page.url());
    expect(asked.filter((url) => !url.startsWith(`${origin}/some/folder/`) && !url.startsWith('blob:'))).toEqual([]);
    await done();
  });
});
