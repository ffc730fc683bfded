import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { glbOf } from './studio-files.ts';
import { studioOpener } from './studio-page.ts';

const tube = () => glbOf('tube', 400, 8);

/** Middle and radius on the page of the ring about the line of sight, a circle around the joint that is selected. */
async function viewRing(page: Page): Promise<{ x: number; y: number; radius: number }> {
  await pictureShown(page);
  const ring = page.getByRole('slider', { name: 'Ring about the line of sight' }).locator('.grip');
  return ring.evaluate((path) => {
    const { x, y, width, height } = (path as SVGPathElement).getBBox();
    const { left, top } = (path as SVGPathElement).ownerSVGElement!.getBoundingClientRect();
    return { x: left + x + width / 2, y: top + y + height / 2, radius: width / 2 };
  });
}

/** Drags along a circle with the mouse, from one angle to another, in degrees. */
async function dragAround(
  page: Page,
  { x, y, radius }: { x: number; y: number; radius: number },
  from: number,
  to: number,
): Promise<void> {
  for (let step = 0; step <= 12; step++) {
    const angle = ((from + ((to - from) * step) / 12) * Math.PI) / 180;
    await page.mouse.move(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    if (step === 0) await page.mouse.down();
  }
}

describeInBrowser('the rig in the studio', (harness) => {
  const open = studioOpener(harness);

  it('turns the clicked joint by dragging a ring, with one undo', async () => {
    const { page, drop, press, done } = await open({ looks: true });
    await drop({ 'tube.glb': await tube() });
    await press('Pause');
    await page.locator('#clip').selectOption('');
    const joint = page.locator('#joint');
    const placeOf = async (index: number) => {
      await joint.selectOption(String(index));
      const { x, y } = await viewRing(page);
      return { x, y };
    };
    const [parent, child] = [await placeOf(1), await placeOf(2)];
    await page.mouse.click(parent.x, parent.y);
    await expect.poll(() => joint.inputValue()).toBe('1');
    // Its name lies over its rings.
    await page.locator('.gizmo ~ .tip span').waitFor();

    const ring = await viewRing(page);
    const before = await page.locator('canvas').screenshot();
    await dragAround(page, ring, 200, 260);
    await page.locator('.gizmo .reading', { hasText: /^−(5[89]|6[0-3])°$/ }).waitFor();
    await page.mouse.up();
    await pictureShown(page);
    expect((await page.locator('canvas').screenshot()).equals(before)).toBe(false);
    const moved = await placeOf(2);
    const angleOf = (place: { x: number; y: number }) => Math.atan2(place.y - parent.y, place.x - parent.x);
    expect(((angleOf(moved) - angleOf(child)) * 180) / Math.PI).toBeCloseTo(60, -1);

    await press('Undo');
    const back = await placeOf(2);
    expect(Math.hypot(back.x - child.x, back.y - child.y)).toBeLessThan(1);
    await done();
  });

  it('turns about one axis, in steps with Shift, and updates the slider', async () => {
    const { page, drop, press, done } = await open();
    await drop({ 'tube.glb': await tube() });
    await press('Pause');
    const ring = page.getByRole('slider', { name: 'Ring z' });
    await ring.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowRight');
    const slider = page.getByRole('slider', { name: 'Turn z' });
    await expect.poll(() => slider.inputValue()).toBe('16');
    await pictureShown(page);
    const start = await ring.locator('.grip').evaluate((path) => {
      const { x, y } = (path as SVGPathElement).getPointAtLength((path as SVGPathElement).getTotalLength() * 0.4);
      const { left, top } = (path as SVGPathElement).ownerSVGElement!.getBoundingClientRect();
      return { x: left + x, y: top + y };
    });
    await page.keyboard.down('Shift');
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + 25, start.y + 40, { steps: 6 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const turned = Number(await slider.inputValue()) - 16;
    expect(turned).not.toBe(0);
    expect(turned % 15).toBeCloseTo(0);
    for (const axis of ['x', 'y']) {
      await expect.poll(() => page.getByRole('slider', { name: `Turn ${axis}` }).inputValue()).toBe('0');
    }
    await done();
  });

  it('turns a joint by touch', async () => {
    const { page, drop, press, done } = await open({ context: { hasTouch: true } });
    await drop({ 'tube.glb': await tube() });
    await press('Pause');
    await page.locator('#clip').selectOption('');
    const { x, y, radius } = await viewRing(page);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', degrees: number) => {
      const angle = (degrees * Math.PI) / 180;
      const point = { x: x + (radius + 5) * Math.cos(angle), y: y + (radius + 5) * Math.sin(angle) };
      return finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [point] });
    };
    await touch('touchStart', 180);
    for (const degrees of [190, 200, 215, 230]) await touch('touchMove', degrees);
    await page.locator('.gizmo .reading', { hasText: /^−(49|50|51)°$/ }).waitFor();
    await touch('touchEnd', 230);
    await page.getByRole('button', { name: 'Back to the clip' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Back to the clip' }).isEnabled()).toBe(true);
    await done();
  });

  it('linearizes, shows the error, paints blend bones; a click on the curves sets the angle', async () => {
    const { page, drop, press, choose, paint, saved, done } = await open();
    await drop({ 'tube.glb': await tube() });
    await press('Pause');
    await page.locator('#option-blendBones').fill('3');
    await press('Linearize');
    const table = page.getByRole('table', { name: /Distance from DQS/ });
    await table.waitFor();
    const rms = async (name: string) =>
      Number(
        await table
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .getByRole('cell')
          .first()
          .textContent(),
      );
    await page.getByRole('slider', { name: 'Turn x' }).fill('80');
    await expect.poll(() => rms('LBS')).toBeGreaterThan(0.5);
    expect(await rms('Linearized')).toBeLessThan(0.8 * (await rms('LBS')));
    await page.getByText('Computed on the GPU').waitFor();
    await press(/^1/);
    await page.getByRole('figure', { name: /Weight of blend 1/ }).waitFor();
    await press('Show all');
    await page.getByRole('figure', { name: /Weight of blend bones/ }).waitFor();

    await page.getByText('Area and volume over an angle').click();
    const chart = page.getByRole('slider', { name: /^volume while/ });
    const keys = page.getByRole('list', { name: /^Values at/ });
    await expect.poll(() => keys.getByRole('listitem').count()).toBe(6);
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('80');
    await choose('Measure', 'Area');
    await page.getByRole('slider', { name: /^area while/ }).press('Shift+ArrowRight');
    await expect.poll(() => page.getByRole('slider', { name: 'Turn x' }).inputValue()).toBe('95');
    await press('Undo');
    await expect.poll(() => page.getByRole('slider', { name: 'Turn x' }).inputValue()).toBe('80');

    // How far it is off can be looked at in every panel.
    await page.getByRole('tab', { name: 'Inspect' }).click();
    await paint('Linear error');
    await page.getByRole('figure', { name: /Distance from the operator/ }).waitFor();

    // The file that comes of it is linearized when it is opened.
    await page.getByRole('tab', { name: 'Export' }).click();
    const { bytes } = await saved(() => press('Linearized GLB'));
    await drop({ 'linear.glb': bytes });
    await page.getByText('This file has blend bones', { exact: false }).waitFor();
    await page.getByRole('heading', { name: '3 blend bones' }).waitFor();
    await choose('Skinning operator', 'DQS');
    await done();
  });

  it('bends the bar in the lab by dragging, with every operator', async () => {
    const { page, press, choose, done } = await open();
    await press(/Bending bar/);
    const bar = page.getByRole('figure', { name: /^LBS at/ });
    await bar.waitFor();
    const box = (await bar.boundingBox())!;
    // From the end that points up, around the joint.
    const scale = Math.min(box.width / 11.8, box.height / 10.6);
    const joint = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 2.1 * scale };
    await page.mouse.move(joint.x, joint.y - 5 * scale);
    await page.mouse.down();
    await page.mouse.move(joint.x - 4 * scale, joint.y - 4 * scale, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => page.getByRole('slider', { name: 'Angle', exact: true }).inputValue()).toBe('135');
    await page.getByRole('figure', { name: /^LBS at 135°: area −[56]/ }).waitFor();
    await page.getByRole('figure', { name: /^DQS at 135°: area −0/ }).waitFor();
    await page.getByRole('slider', { name: 'At joint' }).fill('0');
    await page.getByRole('slider', { name: 'Away' }).fill('0');
    const areaOf = async (name: string) =>
      /area (.*)/.exec(
        (await page.getByRole('figure', { name: new RegExp(`^${name} at`) }).getAttribute('aria-label'))!,
      )?.[1];
    await expect.poll(async () => (await areaOf('Mix')) === (await areaOf('LBS'))).toBe(true);
    await choose('Bones', 'Points');
    await page.getByRole('figure', { name: /^LBS at 135°: area −6/ }).waitFor();
    // Bones, both ends of the mix, and the drag as one.
    for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z');
    await page.getByRole('figure', { name: /^LBS at 90°/ }).waitFor();
    await expect.poll(() => page.getByRole('slider', { name: 'Away' }).inputValue()).toBe('1');
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await press('Redo');
    await page.getByRole('figure', { name: /^LBS at 135°: area −[56]/ }).waitFor();
    await press('Close Bending bar');
    await page.getByText('Or start with a sample').waitFor();
    await done();
  });
});
