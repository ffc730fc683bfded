import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { studioFiles } from '../../scripts/studio.mjs';
import { expectValidGlb } from '../validate-glb.ts';
import { namelessControls } from './accessibility.ts';
import { describeInBrowser } from './chromium.ts';
import { findOrange } from './find-orange.ts';
import { pictureShown } from './picture-shown.ts';
import { glbOf, smallFlag } from './studio-files.ts';
import { ENDLESS, type StudioPage, studioOpener } from './studio-page.ts';

/** An OBJ of one triangle whose tip is at height y. */
const triangle = (y: number) => `v 0 0 0\nv 1 0 0\nv 0 ${y} 0\nf 1 2 3\n`;

/** Drops a flag, stops the clock and fits it. */
async function fitFlag(
  { page, drop, press, choose }: StudioPage,
  target: [kind: string, value: string],
): Promise<void> {
  await drop({ 'flag.glb': await smallFlag() });
  await press('Pause');
  // Where it stopped depends on the machine.
  await page.keyboard.press('End');
  await choose('Preset', 'fast');
  await choose('Target', target[0]);
  await page.locator('#target').fill(target[1]);
  await press('Fit');
  await page.getByRole('button', { name: /RMSE/ }).waitFor();
}

describeInBrowser('the studio', (harness) => {
  const open = studioOpener(harness);

  it('loads at most 150 kB gzipped for the start page, and 450 kB before the first picture', async () => {
    const files = studioFiles();
    const sum = (some: typeof files) => some.reduce((total, { gzipped }) => total + gzipped, 0);
    expect(sum(files.filter(({ welcome }) => welcome))).toBeLessThanOrEqual(150_000);
    expect(sum(files.filter(({ first }) => first))).toBeLessThanOrEqual(450_000);
    const asked = new Set<string>();
    const { page, drop, press, done } = await open({
      prepare: async (page) => {
        // What is kept for later is packed after the first picture, but a slow machine may be slower than that.
        await page.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException('denied', 'SecurityError');
          };
        });
        page.on('request', (request) => asked.add(new URL(request.url()).pathname.slice(1)));
      },
    });
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    await pictureShown(page);
    const loaded = files.filter(({ path }) => asked.has(path));
    expect(sum(loaded)).toBeGreaterThan(300_000);
    expect(loaded.filter(({ first }) => !first)).toEqual([]);
    await done();
  });

  it('opens dropped files, scrubs, steps and closes', async () => {
    const { page, drop, frame, press, done } = await open();
    await drop({ 'flag.glb': await smallFlag() });
    await page.getByRole('img', { name: /flag\.glb/ }).waitFor();
    await press('Pause');
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill('7');
    expect(await frame()).toBe(7);
    await press('Frame forward');
    expect(await frame()).toBe(8);
    await page.getByRole('tab', { name: 'Info' }).click();
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await frame()).toBe(0);
    await page.keyboard.press('End');
    expect(await frame()).toBe(15);
    await page.keyboard.press('1');
    await expect.poll(() => page.getByRole('tab', { name: 'Fit' }).getAttribute('aria-selected')).toBe('true');
    await press('Close flag.glb');
    await page.getByText('Or start with a sample').waitFor();
    await done();
  });

  it('opens frames as one sequence, several files in tabs, and files from the command line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pliant-studio-'));
    await writeFile(join(folder, 'tube.glb'), await glbOf('tube', 200, 8));
    const { page, drop, done } = await open({ files: [{ path: 'tube.glb', file: join(folder, 'tube.glb') }] });
    await page.getByRole('img', { name: /tube\.glb/ }).waitFor();
    await drop({ 'wave1.obj': triangle(1), 'wave2.obj': triangle(2), 'wave3.obj': triangle(3) });
    await page.getByText('/ 2', { exact: false }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Open files' }).getByRole('button').allTextContents()).toContain(
      'tube.glb',
    );
    await done();
  });

  it('explains why a file cannot be read', async () => {
    const { page, drop, done } = await open();
    await drop({ 'broken.glb': (await smallFlag()).subarray(0, 2000) });
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'broken.glb cannot be opened' }).waitFor();
    expect(await alert.textContent()).toMatch(/broken\.glb.*(ends|length|bytes)/);
    await drop({ 'scene.fbx': 'Kaydara FBX Binary' });
    await page.getByRole('heading', { name: 'scene.fbx cannot be opened' }).waitFor();
    await done();
  });

  it('fits to an error, compares, names every control, and writes GLB, report and picture', async () => {
    const studio = await open();
    const { page, press, choose, paint, saved, frame, done } = studio;
    await fitFlag(studio, ['Error', '1.5']);
    const result = await page.getByRole('button', { name: /RMSE/ }).textContent();
    expect(Number(/RMSE\s*([\d.]+)/.exec(result ?? '')?.[1])).toBeLessThanOrEqual(1.5);
    await paint('Error');
    await page.getByRole('figure', { name: /Scale of colours/ }).waitFor();
    await page.getByText(/^worst [\d.e-]+ %$/).waitFor();
    // Choices stay where they are, whichever is taken.
    const places = () =>
      page
        .getByRole('group', { name: 'Comparison' })
        .locator('label')
        .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().x));
    const before = await places();
    for (const comparison of ['Fitted', 'Overlay', 'Wipe', 'Side by side']) {
      await choose('Comparison', comparison);
      expect(await places()).toEqual(before);
    }
    await page.keyboard.press('Home');
    const chart = page.getByRole('slider', { name: /Error per frame/ });
    const box = (await chart.boundingBox())!;
    await page.mouse.click(box.x + box.width - 28, box.y + 30);
    expect(await frame()).toBe(15);

    await page.getByText('Advanced options').click();
    for (const panel of ['Fit', 'Learn', 'Info', 'Export']) {
      await page.getByRole('tab', { name: panel }).click();
      expect(await namelessControls(page)).toEqual([]);
    }
    for (const name of [/^GLB/, 'Small GLB']) {
      const { bytes } = await saved(() => press(name));
      // The validator does not look into compressed data.
      await expectValidGlb(bytes, ['/buffers/0']);
    }
    const report = await saved(() => press('Report page (HTML)'));
    expect(report.name).toMatch(/^flag-\d+-bones\.report\.html$/);
    expect(Buffer.from(report.bytes).toString()).toContain('Error per frame');
    const picture = await saved(() => press('Picture (PNG)'));
    expect([...picture.bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    await done();
  });

  it('cancels a fit and can start another', async () => {
    const { page, press, done } = await open({ query: `?sample=flag&${ENDLESS}` });
    await page.getByRole('img', { name: /flag/ }).waitFor();
    await press('Cancel');
    await page.getByRole('button', { name: 'Fit', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: /RMSE/ }).count()).toBe(0);
    await done();
  });

  it('turns joints with every operator and undo', async () => {
    const { page, drop, press, choose, paint, done } = await open();
    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await press('Pause');
    const turn = page.getByRole('slider', { name: 'Turn x' });
    await turn.fill('40');
    await press('Undo');
    await expect.poll(() => turn.inputValue()).toBe('0');
    await press('Redo');
    await expect.poll(() => turn.inputValue()).toBe('40');
    for (const operator of ['Rigid', 'DQS', 'SDQS', 'DIB', 'LBS']) {
      await choose('Skinning operator', operator);
      await page.getByText(`Computed on the ${['Rigid', 'DIB'].includes(operator) ? 'CPU' : 'GPU'}`).waitFor();
    }
    // An operator is an edit as a turn is.
    await page.keyboard.press('Control+z');
    await page.getByText('Computed on the CPU').waitFor();
    await page.keyboard.press('Control+y');
    await page.getByText('Computed on the GPU').waitFor();
    await paint('Bones');
    await press('Joints');
    await done();
  });

  it('learns and drags a control point without shared memory', async () => {
    const { page, drop, press, done } = await open({ below: '/', looks: true });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    await page.getByRole('tab', { name: 'Learn' }).click();
    await page.getByLabel('Points', { exact: true }).fill('2');
    await page.getByLabel('Bones', { exact: true }).fill('6');
    await press('Learn');
    const back = page.getByRole('button', { name: 'Back to the motion' });
    await back.waitFor();
    // A control point is orange, and nothing else is.
    const point = await page.locator('canvas').evaluate(findOrange);
    await page.mouse.move(point.x, point.y);
    await page.mouse.down();
    await page.mouse.move(point.x + 40, point.y - 30, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => back.isEnabled()).toBe(true);
    await press('Undo');
    await expect.poll(() => back.isEnabled()).toBe(false);
    await done();
  });

  it('reports an unknown sample in the address', async () => {
    const { page, done } = await open({ query: '?sample=banner' });
    await page.getByText(/there is no sample "banner"/).waitFor();
    // There is nothing to save.
    expect(await page.getByRole('button', { name: 'Save session' }).count()).toBe(0);
    await done();
  });
});
