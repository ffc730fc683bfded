import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { learn } from '../../src/learn/learn.ts';
import { predictorModel } from '../../src/learn/predictor-model.ts';
import { bendingTube } from '../learn/bending-tube.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { smallFlag } from './studio-files.ts';
import { still, studioOpener } from './studio-page.ts';

/** Drags a handle by its letter. */
async function dragLetter(page: Page, name: string, by: [number, number]): Promise<void> {
  await still(page); // The arrows move while the camera does.
  const box = (await page.getByRole('slider', { name }).locator('.letter').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by[0], y + by[1], { steps: 8 });
  await page.mouse.up();
}

/** Where the arrows of a point begin, on the page: beside the point. */
async function placeOf(page: Page, point: number): Promise<{ x: number; y: number }> {
  const select = page.getByRole('button', { name: String(point), exact: true });
  if ((await select.getAttribute('aria-pressed')) !== 'true') await select.click();
  await pictureShown(page);
  return page
    .getByRole('slider', { name: 'Move along x' })
    .locator('.front')
    .evaluate((path) => {
      const { x, y } = (path as SVGPathElement).getPointAtLength(0);
      return { x, y };
    });
}

/** A tube that bends, with names for the points at its ends and in between. */
async function namedTube(): Promise<Uint8Array> {
  const given = { points: [6, 198, 390], names: ['root', 'middle', 'tip'] };
  const { predictor } = await learn([bendingTube([0, 0.5, 1, 1.5])], { bones: 8, kernel: 'linear-gaussian', given });
  return (await writeModelGlb(predictorModel(predictor), { predictor })).bytes;
}

describeInBrowser('learning in the studio', (harness) => {
  const open = studioOpener(harness);

  it('points have names and stop before the surface tears, unless switched off', async () => {
    const { page, drop, press, done } = await open();
    await drop({ 'tube.glb': await namedTube() });
    await press('middle');
    const surface = page.locator('.facts div', { has: page.getByText('Surface', { exact: true }) }).locator('dd');
    const ring = page.getByText(/^stretched [\d.]+ ×$/);
    const held = page.getByRole('status').getByText(/Stopped: any farther/);
    expect(await surface.textContent()).toBe('intact');
    await expect.poll(() => ring.count()).toBe(0);
    await dragLetter(page, 'Move along z', [-300, 200]);
    await held.waitFor();
    // It is said beside the point as well.
    const hint = page.locator('.gizmo').getByText('stopped', { exact: false });
    await hint.waitFor();
    expect(await ring.textContent()).toMatch(/^stretched (2\.\d|3\.0) ×$/);
    // Nobody holds back once that is not wanted, which is an edit.
    const whole = page.getByLabel('Prevent tearing');
    await whole.uncheck();
    await expect.poll(() => held.count()).toBe(0);
    await expect.poll(() => hint.count()).toBe(0);
    await press('Undo');
    await expect.poll(() => whole.isChecked()).toBe(true);
    await held.waitFor();
    await press('Undo');
    await expect.poll(() => held.count()).toBe(0);
    await whole.uncheck();
    await dragLetter(page, 'Move along z', [-300, 200]);
    await expect.poll(async () => Number(/[\d.]+/.exec((await ring.textContent())!)![0])).toBeGreaterThan(3);
    await expect.poll(() => held.count()).toBe(0);
    await press('Pin tip');
    await page.getByRole('button', { name: 'Pin tip', pressed: true }).waitFor();
    await done();
  });

  it('points follow unless pinned; examples are applied; recordings are played and saved', async () => {
    const { page, drop, press, saved, done } = await open();
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill('12');
    await page.getByRole('tab', { name: 'Learn' }).click();
    await page.locator('#option-points').fill('3');
    await page.locator('#option-bones').fill('6');
    await press('Learn');
    await page.getByRole('button', { name: 'Back to the motion' }).waitFor();

    // An eye that is so near that points are out of its sight stands back when they come: here, all are in the view.
    await page.getByRole('tab', { name: 'Info' }).click();
    const view = (await page.locator('main.view').boundingBox())!;
    await page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);
    for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, -400);
    await page.getByRole('tab', { name: 'Learn' }).click();
    for (const point of [1, 2, 3]) {
      const { x, y } = await placeOf(page, point);
      expect(Math.min(x, y, view.width - x, view.height - y)).toBeGreaterThan(0);
    }

    const far = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);
    const places = async () => [await placeOf(page, 1), await placeOf(page, 2), await placeOf(page, 3)];
    await press('Pin point 2');
    const before = await places();
    await placeOf(page, 1);
    await dragLetter(page, 'Move along z', [-20, 16]);
    const after = await places();
    expect(far(after[0], before[0])).toBeGreaterThan(8);
    expect(far(after[1], before[1])).toBeLessThan(0.5);
    expect(far(after[2], before[2])).toBeGreaterThan(0.5);
    await press('Undo');
    await expect.poll(async () => far(await placeOf(page, 1), before[0])).toBeLessThan(0.5);
    await press('Pin none');

    await press('Example 3');
    await expect.poll(async () => far(await placeOf(page, 1), before[0])).toBeGreaterThan(1);
    const example = await placeOf(page, 1);

    await press('Record');
    await dragLetter(page, 'Move along y', [0, -30]);
    await press(/^Stop/);
    const last = await placeOf(page, 1);
    const clock = page.getByLabel('Frame and time');
    await press('Play the recording');
    await expect.poll(async () => (await clock.textContent())?.startsWith('0 /')).toBe(false);
    await press('Pause the recording');
    await page.keyboard.press('End');
    await expect.poll(async () => far(await placeOf(page, 1), last)).toBeLessThan(1);
    await page.keyboard.press('Home');
    await expect.poll(async () => far(await placeOf(page, 1), example)).toBeLessThan(1);
    const { name, bytes } = await saved(() => press('Save as GLB'));
    expect(name).toBe('flag-take.glb');
    await expectValidGlb(bytes);
    await press('Back to the motion');
    expect(await clock.textContent()).toContain('/ 15');
    // Whoever leaves the panel has finished: the absence is not recorded.
    await press('Record again');
    await page.getByRole('button', { name: /^Stop, (?!0\.0)/ }).waitFor();
    await page.getByRole('tab', { name: 'Info' }).click();
    await page.getByRole('tab', { name: 'Learn' }).click();
    await page.getByRole('button', { name: 'Record again' }).waitFor();
    await press('Undo');
    await press('Discard the recording');
    await expect.poll(() => page.getByRole('button', { name: 'Save as GLB' }).count()).toBe(0);
    await drop({ 'take.glb': bytes });
    await page.getByRole('img', { name: /take\.glb/ }).waitFor();
    await done();
  });
});
