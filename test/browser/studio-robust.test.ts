import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { heldBytes } from '../../bench/studio-probe.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { drawnSurfaces, listenToDraws } from './read-back.ts';
import { glbOf, smallFlag, wavingSheet } from './studio-files.ts';
import { ENDLESS, SHARP, type StudioOptions, type StudioPage, studioOpener } from './studio-page.ts';

/** A window with few pixels to draw. */
const SMALL = { context: { viewport: { width: 900, height: 480 } } };

/** The same, where nothing moves by itself. */
const CALM: StudioOptions = { context: { ...SMALL.context, reducedMotion: 'reduce' } };

type Shared = typeof globalThis & { sharedArrays?: number };

/** Counts the shared arrays that workers hand to the page and that it still holds: no figure of the heap has them. */
const countShared = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const counted = globalThis as Shared;
    counted.sharedArrays = 0;
    const gone = new FinalizationRegistry(() => counted.sharedArrays!--);
    const count = (value: unknown): void => {
      if (ArrayBuffer.isView(value)) {
        if (value.buffer instanceof ArrayBuffer) return;
        counted.sharedArrays!++;
        gone.register(value.buffer, undefined);
      } else if (value && typeof value === 'object') Object.values(value).forEach(count);
    };
    globalThis.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        this.addEventListener('message', ({ data }) => count(data.done));
      }
    };
  });

type Counted = typeof globalThis & { contexts?: WebGL2RenderingContext[] };

const contexts = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as Counted).contexts?.filter((context) => !context.isContextLost()).length ?? 0);

/** Counts the contexts of WebGL that the page asks for and does not give back. */
const countContexts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    const counted = globalThis as Counted;
    HTMLCanvasElement.prototype.getContext = function get(this: HTMLCanvasElement, ...args: [string]) {
      const context = getContext.apply(this, args);
      if (context instanceof WebGL2RenderingContext) counted.contexts = [...(counted.contexts ?? []), context];
      return context;
    } as typeof getContext;
  });

/** Takes the time from a drop to the first draw of what was dropped. */
const timeDrops = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const timed = globalThis as typeof globalThis & { took?: number };
    let began = Number.NaN;
    addEventListener(
      'drop',
      () => {
        began = performance.now();
        timed.took = undefined;
      },
      true,
    );
    const { drawElements } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.drawElements = function draw(mode, count, ...rest) {
      drawElements.call(this, mode, count, ...rest);
      // The ground has two triangles.
      if (mode === this.TRIANGLES && count > 300) timed.took ??= performance.now() - began;
    };
  });

type Hideable = typeof globalThis & { hide?(): void; show?(): void };

/** Lets the page be as a browser has it behind another one: nobody asks it for pictures. Headless, none is ever behind. */
const canHide = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const ask = requestAnimationFrame.bind(globalThis);
    const hideable = globalThis as Hideable;
    let waiting: FrameRequestCallback[] | undefined;
    globalThis.requestAnimationFrame = (step) => (waiting ? -waiting.push(step) : ask(step));
    hideable.hide = () => {
      waiting ??= [];
    };
    hideable.show = () => {
      for (const step of waiting ?? []) ask(step);
      waiting = undefined;
    };
  });

/** Lets every picture take as long as a slow graphics card does: 120 ms for a sharp one, less for fewer pixels. */
const slowPixels = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const ask = requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (step) => {
      const canvas = document.querySelector('canvas');
      const share = canvas ? (canvas.width / canvas.clientWidth) ** 2 : 0;
      return setTimeout(() => ask(step), 120 * share) as unknown as number;
    };
    globalThis.cancelAnimationFrame = (request) => clearTimeout(request);
  });

const close = async ({ page, press }: StudioPage, name: string): Promise<void> => {
  await press(`Close ${name}`);
  await page.getByText('Or start with a sample').waitFor();
};

describeInBrowser('robustness of the studio', (harness) => {
  const open = studioOpener(harness);

  it('releases the memory of closed files over ten opens', async () => {
    const studio = await open({ ...CALM, prepare: countContexts });
    const { page, drop } = studio;
    // 1 MB of frames each, besides what is made of them to be drawn.
    const files = { 'flag.glb': (await writeSequenceGlb(wavingSheet(46, 40))).bytes };
    const held: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      await drop(files);
      await page.getByRole('img', { name: /flag/ }).waitFor();
      await close(studio, 'flag.glb');
      if (turn === 3 || turn === 9) held.push(await heldBytes(page));
    }
    expect(held[1] - held[0]).toBeLessThan(2e6);
    expect(await contexts(page)).toBe(1);
    await studio.done();
  });

  // Garbage is collected on purpose here: that nothing holds the frames is what it shows, not when they go.
  it('keeps no shared frames of closed files', async () => {
    const studio = await open({ ...CALM, prepare: countShared });
    const { page, drop } = studio;
    const shared = () => page.evaluate(() => (globalThis as Shared).sharedArrays);
    const flag = await smallFlag();
    for (const name of ['first.glb', 'second.glb']) {
      await drop({ [name]: flag });
      await page.getByRole('img', { name: new RegExp(name) }).waitFor();
      expect(await shared()).toBeGreaterThan(0);
      await close(studio, name);
    }
    await expect
      .poll(async () => {
        await heldBytes(page);
        return shared();
      })
      .toBe(0);
    await studio.done();
  });

  it('opens 4 MB', async () => {
    const studio = await open({ ...SMALL, prepare: timeDrops });
    const { page, drop, done } = studio;
    const { bytes } = await writeSequenceGlb(wavingSheet(90, 40));
    expect(bytes.length).toBeGreaterThan(3.9e6);
    await drop({ 'sheet.glb': bytes });
    // bench/studio.ts measures how long; here it shall not hang.
    await page.waitForFunction(() => (globalThis as typeof globalThis & { took?: number }).took);
    await close(studio, 'sheet.glb');
    await done();
  });

  it('keeps eight tabs with one WebGL context, and closes them all', async () => {
    const { page, drop, press, done } = await open({ ...CALM, prepare: countContexts });
    const tube = await glbOf('tube', 60, 4);
    const tabs = page.getByRole('navigation', { name: 'Open files' });
    const tabOf = (tab: number) => tabs.getByRole('button', { name: `tube${tab}.glb`, exact: true });
    for (let tab = 1; tab <= 8; tab++) {
      await drop({ [`tube${tab}.glb`]: tube });
      await tabOf(tab).waitFor(); // a tab that comes later would be in front
    }
    for (const tab of [1, 5, 8]) {
      await tabOf(tab).click();
      await page.getByRole('img', { name: `tube${tab}.glb in three dimensions` }).waitFor();
    }
    expect(await contexts(page)).toBe(1);
    for (let tab = 8; tab >= 1; tab--) await press(`Close tube${tab}.glb`);
    await page.getByText('Or start with a sample').waitFor();
    await done();
  });

  it('redraws after a lost context, and follows the size and pixel ratio of the window', async () => {
    const { page, drop, press, done } = await open({
      ...SMALL,
      prepare: async (page) => [await listenToDraws(page), await countContexts(page)],
    });
    await drop({ 'tube.glb': await glbOf('tube', 200, 8) });
    await press('Pause');
    const [before] = await drawnSurfaces(page);
    await page.evaluate(async () => {
      const gl = (globalThis as Counted).contexts!.at(-1)!;
      const loss = gl.getExtension('WEBGL_lose_context')!;
      const lost = new Promise((done) => gl.canvas.addEventListener('webglcontextlost', done, { once: true }));
      loss.loseContext();
      await lost;
      const back = new Promise((done) => gl.canvas.addEventListener('webglcontextrestored', done, { once: true }));
      setTimeout(() => loss.restoreContext(), 50);
      await back;
    });
    const [after] = await drawnSurfaces(page);
    expect(after.positions).toEqual(before.positions);

    await page.setViewportSize({ width: 1000, height: 600 });
    await page.waitForFunction(() => {
      const canvas = document.querySelector('canvas')!;
      const { width, height } = canvas.getBoundingClientRect();
      const near = (a: number, b: number) => Math.abs(a - b * devicePixelRatio) <= 2;
      return width > 600 && near(canvas.width, width) && near(canvas.height, height);
    });
    // A window that is dragged to a finer screen.
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 1000,
      height: 600,
      deviceScaleFactor: 2,
      mobile: false,
    });
    await page.waitForFunction(() => {
      const canvas = document.querySelector('canvas')!;
      return Math.abs(canvas.width - 2 * canvas.getBoundingClientRect().width) <= 2;
    });
    await done();
  });

  it('draws moving content with fewer pixels on slow machines, and resting content with all', async () => {
    const { page, drop, press, done } = await open({ context: { ...SMALL.context, ...SHARP }, prepare: slowPixels });
    await drop({ 'flag.glb': await smallFlag() });
    const sharpness = () =>
      page
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.clientWidth);
    await expect.poll(sharpness).toBeLessThan(0.8);
    await press('Pause');
    await expect.poll(sharpness).toBe(1);
    await done();
  });

  it('keeps fitting while the page is hidden, and resumes playback', async () => {
    const { page, drop, press, choose, frame, done } = await open({ ...SMALL, prepare: canHide });
    await drop({ 'flag.glb': await glbOf('flag', 200, 240) });
    await choose('Preset', 'fast');
    await page.locator('#target').fill('3');
    const hidden = await page.evaluate(() => {
      (globalThis as Hideable).hide!();
      return performance.now();
    });
    const before = 10;
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill(String(before));
    await press('Play');
    await press('Fit');
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    // More time than the frames below take.
    await page.waitForFunction((since) => performance.now() > since + 1000, hidden, { polling: 50 });
    expect(await frame()).toBe(before);
    const after = await page.evaluate(async () => {
      const scrub = document.querySelector<HTMLInputElement>('.scrub')!;
      const left = scrub.value;
      (globalThis as Hideable).show!();
      while (scrub.value === left) await new Promise((done) => requestAnimationFrame(done));
      return scrub.valueAsNumber;
    });
    // A quarter of a second at most passes between two pictures, which is six frames.
    expect(after).toBeGreaterThan(before);
    expect(after - before).toBeLessThanOrEqual(12);
    await page.getByRole('slider', { name: /Error per frame/ }).waitFor();
    await done();
  });

  it('ends the jobs of closed tabs; retries a part that could not be loaded', async () => {
    const { page, drop, press, paint, done } = await open(SMALL);
    await page.getByRole('button', { name: /^tablecloth/ }).click();
    await press('Close tablecloth');
    await page.getByText('Or start with a sample').waitFor();
    await drop({ 'flag.glb': await smallFlag() });
    let served = false;
    await page.route(/later-jobs/, (route) => (served ? route.continue() : route.abort()));
    await page.getByRole('tab', { name: 'Inspect' }).click();
    await paint('Rotation');
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    served = true;
    await press('Try again');
    await page.getByRole('figure', { name: /from the rest pose/ }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByRole('tab', { name: 'Fit' }).click();
    await page.getByText('Advanced options').click();
    for (const [option, value] of new URLSearchParams(ENDLESS)) {
      await page.locator(option === 'bones' ? '#target' : `#option-${option}`).fill(value);
    }
    await press('Fit');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await press('Close flag.glb');
    await page.getByText('Or start with a sample').waitFor();
    // Their workers end.
    await expect.poll(() => page.workers().length).toBe(0);
    await done();
  });

  it('says which parts of the page do not come, and tries again', async () => {
    const { page, press, saved } = await open({ query: '?sample=tube', ...CALM });
    await page.getByRole('tab', { name: 'Light' }).waitFor();
    let served = false;
    await page.route(/(light-panel|light-view|picture)-/, (route) => (served ? route.continue() : route.abort()));
    const lost = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    const again = lost.getByRole('button', { name: 'Try again' });
    await page.getByRole('tab', { name: 'Light' }).click();
    // Of the panel, and of what it shows.
    await expect.poll(() => again.count()).toBe(2);
    served = true;
    for (const left of [1, 0]) {
      await again.first().click();
      await expect.poll(() => lost.count()).toBe(left);
    }
    await page.getByRole('group', { name: 'View of light' }).waitFor();
    served = false;
    await page.getByRole('tab', { name: 'Export' }).click();
    await press('Picture (PNG)');
    await again.waitFor();
    served = true;
    expect((await saved(() => again.click())).name).toBe('tube.png');
    // The browser complains about what was not served.
    await page.close();
  });
});
