import { expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { writeMeshGlb, writeModelGlb } from '../../src/io/write-glb.ts';
import { makeSample } from '../../src/samples.ts';
import { describeInBrowser } from './chromium.ts';
import { smallFlag } from './studio-files.ts';
import { CALM, studioOpener } from './studio-page.ts';

const fittedFlag = async () => {
  const { sequence } = await makeSample('flag', { resolution: 200, frames: 16 });
  const { model } = await fit(sequence!, { preset: 'fast', bones: 4 });
  return (await writeModelGlb(model)).bytes;
};

describeInBrowser('first look at the studio', (harness) => {
  const open = studioOpener(harness);

  it('shows no rings on fitted bones until one is picked; Esc deselects it', async () => {
    const { page, drop, press, choose, done } = await open();
    await drop({ 'fitted.glb': await fittedFlag() });
    await press('Pause');
    const joint = page.getByLabel('Joint', { exact: true });
    const rings = page.getByRole('slider', { name: /^Ring/ });
    expect([await joint.inputValue(), await rings.count()]).toEqual(['-1', 0]);
    await page.getByText('Area and volume over an angle').click();
    await page.getByText('Choose a joint above').waitFor();
    await joint.selectOption('2');
    await rings.first().waitFor();
    await page.getByRole('slider', { name: 'Turn x' }).fill('30');
    await page.getByRole('list', { name: /^Values at 30°/ }).waitFor();
    await choose('Axis', 'y');
    // In a field or a select Esc is the browser's own.
    await joint.focus();
    await page.keyboard.press('Escape');
    expect([await joint.inputValue(), await rings.count()]).toEqual(['2', 4]);
    await joint.blur();
    await page.keyboard.press('Escape');
    await rings.first().waitFor({ state: 'detached' });
    await expect.poll(() => joint.inputValue()).toBe('-1');
    // The axis of the curves is kept.
    await joint.selectOption('1');
    await page.getByText('turns about y while all other joints rest').waitFor();
    // The turn stays until it is taken back.
    await press('Back to the clip');
    await done();
  });

  it('draws visible edges of white and black surfaces on light and dark backgrounds', async () => {
    const { page, drop, press, saved, done } = await open({ looks: true });
    const colours = { white: [1, 1, 1, 1], black: [0, 0, 0, 1] } as const;
    for (const [name, baseColor] of Object.entries(colours)) {
      const square = {
        positions: Float32Array.of(0, 0, 0, 3, 0, 0, 3, 4, 0, 0, 4, 0),
        triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
        groups: [{ name, start: 0, count: 2, material: 0 }],
        materials: [{ name, baseColor, metallic: 0, roughness: 1, doubleSided: true }],
      };
      await drop({ [`${name}.glb`]: (await writeMeshGlb(square)).bytes });
      await page.getByRole('img', { name: new RegExp(name) }).waitFor();
      await press('Wireframe');
      await page.getByRole('tab', { name: 'Export' }).click();
      await page.getByLabel('Background').uncheck();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForFunction((scheme) => document.documentElement.dataset.theme === scheme, colorScheme);
        const { bytes } = await saved(() => press('Picture (PNG)'));
        const contrast = await page.evaluate(contrastOf, Buffer.from(bytes).toString('base64'));
        expect(contrast, `${name}, ${colorScheme}`).toBeGreaterThan(2);
      }
    }
    await done();
  });

  it('shows facts about a file; opens Info first if nothing moves', async () => {
    const { page, drop, press, done } = await open();
    await drop({ 'flag.glb': await smallFlag() });
    await page.getByRole('tab', { name: 'Info' }).click();
    const fact = (name: string) => page.locator('.facts div', { hasText: name }).locator('dd').textContent();
    expect(await fact('Motion')).toMatch(/^16 frames, 24 per second, 0\.625 s$/);
    expect(await fact('Diagonal')).toMatch(/^[\d.]+ m$/);
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    expect(await fact('File size')).toMatch(/^[\d.]+ kB$/);
    expect(await page.title()).toBe('flag.glb · Pliant Studio');
    await drop({ 'still.obj': 'v 0 0 0\nv 3 0 0\nv 3 4 0\nf 1 2 3\n' });
    await page.getByText('Nothing to fit or pose').waitFor();
    expect(await fact('Diagonal')).toBe('5 units');
    await press('Close still.obj');
    await done();
  });

  it('offers to reopen every closed file with results', async () => {
    const { page, drop, press, choose, done } = await open({ context: CALM });
    for (const name of ['one.glb', 'two.glb']) {
      await drop({ [name]: await smallFlag() });
      await page.getByRole('img', { name: new RegExp(name) }).waitFor();
      await choose('Preset', 'fast');
      await page.locator('#target').fill('3');
      await press('Fit');
      await page.getByRole('button', { name: /3 bones/ }).waitFor();
    }
    await page.getByRole('tab', { name: 'Inspect' }).click();
    await page.getByRole('columnheader', { name: 'RMSE %' }).waitFor();
    await press('Close one.glb');
    await press('Close two.glb');
    const offer = (name: string) => page.locator('.notice', { hasText: `Closed ${name}` });
    await offer('two.glb').waitFor();
    // On a phone the newest does not share its place.
    const wide = page.viewportSize()!;
    expect(await offer('one.glb').isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await offer('one.glb').isVisible(), await offer('two.glb').isVisible()]).toEqual([false, true]);
    await page.setViewportSize(wide);
    await offer('two.glb').getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('columnheader', { name: 'RMSE %' }).waitFor();
    await offer('one.glb').getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Open files' }).locator('.tab');
    await expect.poll(() => tabs.allTextContents()).toEqual(['one.glb', 'two.glb']);
    await done();
  });
});

/** The contrast between the ground of the view and what a picture (PNG, base64) shows where it shows something: 1…21. */
async function contrastOf(base64: string): Promise<number> {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const lightness = (rgb: ArrayLike<number>): number =>
    Array.from(rgb).reduce((sum, value, c) => sum + [0.2126, 0.7152, 0.0722][c] * (value / 255) ** 2.2, 0.05);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const edges: number[] = [];
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) edges.push(lightness(data.subarray(i, i + 3)));
  // As the page has it below the canvas.
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--view');
  context.fillRect(0, 0, 1, 1);
  const ground = lightness(context.getImageData(0, 0, 1, 1).data.subarray(0, 3));
  const middle = edges.sort((a, b) => a - b)[edges.length >> 1];
  return Math.max(middle / ground, ground / middle);
}
