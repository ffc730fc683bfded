import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { findOrange } from './find-orange.ts';
import { dragFingers, type Spot } from './fingers.ts';
import { pictureShown } from './picture-shown.ts';
import { drawsDuring, listenToDraws } from './read-back.ts';
import { glbOf, smallFlag } from './studio-files.ts';
import { studioOpener } from './studio-page.ts';

const SCREENS = {
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
  'phone on its side': { width: 844, height: 390 },
};

/** What a finger has to hit, in CSS pixels. */
const FINGER = 32;

/** Controls that are seen and too small for a finger, with their sizes; what labels a control counts as the control. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>('button, input, select, summary, .button, [role=slider]');
    return [...controls].flatMap((control) => {
      const labels = [...((control as HTMLInputElement).labels ?? [])];
      const boxes = [control, ...labels].map((element) => element.getBoundingClientRect());
      const seen = control.checkVisibility() && boxes.some(({ width, height }) => width > 1 && height > 1);
      // What is drawn is hit along its stroke, which is no part of its box.
      const grip = control.querySelector('.grip');
      const stroke = grip ? Number.parseFloat(getComputedStyle(grip).strokeWidth) : 0;
      const large = stroke >= least || boxes.some(({ width, height }) => width >= least && height >= least);
      const { width, height } = boxes[0];
      return seen && !large ? [`${control.outerHTML.slice(0, 120)} ${width} × ${height}`] : [];
    });
  }, FINGER);

/** The middle of the picture, and a place beside it. */
async function middleOf(page: Page): Promise<(dx: number, dy: number) => Spot> {
  const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
  return (dx, dy) => ({ x: x + width / 2 + dx, y: y + height * 0.6 + dy });
}

/** A tap that comes while the page is at work may count as a long press: another one follows. */
const openPanel = (tab: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await tab.tap();
      return tab.getAttribute('aria-selected');
    })
    .toBe('true');

/** Every panel opens, has no control that a finger misses, and is no wider than the screen. */
async function expectPanelsUsable(page: Page): Promise<void> {
  for (const panel of await page.getByRole('tab').all()) {
    await openPanel(panel);
    const folded = page.locator('details:not([open]) > summary');
    while ((await folded.count()) > 0) await folded.first().tap();
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
}

describeInBrowser('touch in the studio', (harness) => {
  const open = studioOpener(harness);
  const openOn = (screen: keyof typeof SCREENS, looks = false) =>
    open({ prepare: listenToDraws, looks, context: { viewport: SCREENS[screen], hasTouch: true, isMobile: true } });

  it.each(['tablet', 'phone', 'phone on its side'] as const)(
    'orbits, pans and zooms on a %s; every control is large enough',
    async (screen) => {
      const { page, drop, done } = await openOn(screen);
      expect(await smallTargets(page)).toEqual([]);
      await drop({ 'flag.glb': await smallFlag() });
      await page.getByRole('button', { name: 'Pause' }).tap();
      // The view has its share.
      expect((await page.locator('canvas').boundingBox())!.height).toBeGreaterThan(0.35 * SCREENS[screen].height);
      const at = await middleOf(page);
      const eye = async (paths: { from: Spot; to: Spot }[]) =>
        (await drawsDuring(page, () => dragFingers(page, paths))).at(-1)!.modelView;
      const turned = (a: number[], b: number[]) => Math.hypot(...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((c) => a[c] - b[c]));
      const start = await eye([{ from: at(0, 0), to: at(1, 0) }]);
      const left = await eye([{ from: at(0, 0), to: at(60, 20) }]);
      expect(turned(start, left)).toBeGreaterThan(0.1);
      const closer = await eye([
        { from: at(-20, 0), to: at(-80, 0) },
        { from: at(20, 0), to: at(80, 0) },
      ]);
      expect(Math.abs(closer[14])).toBeLessThan(0.6 * Math.abs(left[14]));
      expect(turned(closer, left)).toBeLessThan(1e-3);
      const moved = await eye([
        { from: at(-20, 0), to: at(20, 30) },
        { from: at(20, 0), to: at(60, 30) },
      ]);
      expect(turned(moved, closer)).toBeLessThan(1e-3);
      expect(Math.hypot(moved[12] - closer[12], moved[13] - closer[13])).toBeGreaterThan(0.01 * Math.abs(closer[14]));

      await expectPanelsUsable(page);
      await done();
    },
  );

  it('fits, wipes and drags a control point on a phone', async () => {
    const { page, drop, done } = await openOn('phone', true);
    await drop({ 'flag.glb': await smallFlag() });
    await page.getByRole('button', { name: 'Pause' }).tap();
    const choose = (group: string, choice: string) =>
      page.getByRole('group', { name: group }).getByText(choice, { exact: true }).tap();
    await choose('Preset', 'fast');
    await page.locator('#target').fill('4');
    await page.getByRole('button', { name: 'Fit', exact: true }).tap();
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    // Scales, tools and names of panes: each has a place of its own, on the phone, on a tablet and in between.
    await page.getByRole('combobox', { name: 'Colours' }).selectOption({ label: 'Rotation' });
    await expect.poll(() => page.getByRole('figure', { name: /^Scale of colours/ }).count()).toBe(2);
    const phone = page.viewportSize()!;
    for (const [size, panes] of [
      [phone, 2],
      [{ width: 320, height: 640 }, 2],
      [{ width: 820, height: 1100 }, 3],
      [{ width: 1000, height: 700 }, 3],
    ] as const) {
      await page.setViewportSize(size);
      await expect.poll(() => page.locator('.pane-label').count()).toBe(panes);
      const boxes = await page.locator('.legend, .view-bar > *, .pane-label').evaluateAll((over) =>
        over.map((each) => {
          const { x, y, right, bottom } = each.getBoundingClientRect();
          return { what: each.textContent, x, y, right, bottom };
        }),
      );
      expect(boxes.length).toBe(5 + panes);
      boxes.forEach((a, at) => {
        for (const b of boxes.slice(at + 1)) {
          const apart = a.right <= b.x || b.right <= a.x || a.bottom <= b.y || b.bottom <= a.y;
          expect(apart, JSON.stringify([size, a, b])).toBe(true);
        }
      });
    }
    await page.setViewportSize(phone);
    // The menu of the view stays within it, also with two scales.
    await page.locator('.look-menu summary').tap();
    const [fields, view] = await Promise.all(
      ['.look-fields', 'main.view'].map(async (of) => (await page.locator(of).boundingBox())!),
    );
    expect(fields.y).toBeGreaterThanOrEqual(view.y);
    expect(fields.height).toBeGreaterThan(0.4 * view.height);
    await page.keyboard.press('Escape');
    // The errors of a frame are read whole: of the one shown, and of one that is pointed at.
    const read = page.locator('.values');
    const cut = () => read.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(await cut()).toBe(0);
    const chart = (await page.locator('.chart-host').boundingBox())!;
    await page.mouse.move(chart.x + chart.width - 60, chart.y + 30);
    await read.getByText(/^frame \d+$/).waitFor();
    expect(await cut()).toBe(0);
    await page.mouse.move(0, 0);
    // The panel is as high as a finger makes it.
    const panel = page.locator('.side');
    const before = (await panel.boundingBox())!;
    const grip = { x: before.x + before.width / 2, y: before.y };
    await dragFingers(page, [{ from: grip, to: { x: grip.x, y: grip.y - 40 } }]);
    const height = async () => Math.round((await panel.boundingBox())!.height - before.height);
    await expect.poll(height).toBe(40);
    await dragFingers(page, [{ from: { ...grip, y: grip.y - 40 }, to: grip }]);
    await expect.poll(height).toBe(0);
    // Chromium takes the first tap after a quick drag as what stops it.
    const wipe = page.getByRole('radio', { name: 'Wipe' });
    await expect
      .poll(async () => {
        await choose('Comparison', 'Wipe');
        return wipe.isChecked();
      })
      .toBe(true);
    expect(await smallTargets(page)).toEqual([]);
    const border = page.getByRole('slider', { name: 'Border between original and fitted' });
    const box = (await border.boundingBox())!;
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await dragFingers(page, [{ from, to: { x: from.x + 80, y: from.y } }]);
    expect(Number(await border.getAttribute('aria-valuenow'))).toBeGreaterThan(65);

    await openPanel(page.getByRole('tab', { name: 'Learn' }));
    await page.getByRole('spinbutton', { name: 'Points' }).fill('2');
    await page.getByRole('spinbutton', { name: 'Bones' }).fill('6');
    await page.getByRole('button', { name: 'Learn', exact: true }).tap();
    const back = page.getByRole('button', { name: 'Back to the motion' });
    await back.waitFor();
    await pictureShown(page);
    const point = await page.locator('canvas').evaluate(findOrange);
    await pictureShown(page);
    await dragFingers(page, [{ from: point, to: { x: point.x + 30, y: point.y + 20 } }]);
    await expect.poll(() => back.isEnabled()).toBe(true);
    await expectPanelsUsable(page);

    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await page.getByRole('img', { name: /tube/ }).waitFor();
    await expectPanelsUsable(page);

    // What is offered and what is said together leave the end of a panel free.
    await page.getByRole('button', { name: 'flag.glb', exact: true }).tap();
    await page.getByRole('button', { name: 'Close flag.glb' }).tap();
    await openPanel(page.getByRole('tab', { name: 'Export' }));
    await page.getByRole('button', { name: 'Picture (PNG)' }).tap();
    await page.locator('.notice + .notice').waitFor();
    const [end, said] = await page.evaluate(() => {
      const panel = document.querySelector('.panel')!;
      panel.scrollTop = panel.scrollHeight;
      const below = panel.lastElementChild!.getBoundingClientRect().bottom;
      return [below, document.querySelector('.notices')!.getBoundingClientRect().top];
    });
    expect(end).toBeLessThan(said + 2);
    await done();
  });

  it('bends every bar of the lab on the smallest phone', async () => {
    const { page, done } = await open({
      query: '?lab',
      context: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
    });
    const angle = page.getByRole('slider', { name: 'Angle', exact: true });
    await angle.waitFor();
    const { bottom } = await page.locator('.bars').evaluate((bars) => bars.getBoundingClientRect());
    const last = (await page.locator('.bar canvas').last().boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(bottom + 1);
    const at = (x: number, y: number) => ({ x: last.x + x * last.width, y: last.y + y * last.height });
    await dragFingers(page, [{ from: at(0.5, 0.3), to: at(0.85, 0.6) }]);
    await expect.poll(() => angle.inputValue().then(Number)).toBeLessThan(40);
    await done();
  });
});
