import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { bytes } from '../../src/report/format.ts';
import { makeSample } from '../../src/samples.ts';
import { describeInBrowser } from './chromium.ts';
import { glbOf } from './studio-files.ts';
import { CALM, quiet, SHARP, still, studioOpener } from './studio-page.ts';

const flag = async () =>
  (await writeSequenceGlb((await makeSample('flag', { resolution: 200, frames: 8 })).sequence!)).bytes;

/** What a browser makes of a film: seconds, size, and whether its last picture differs from its first. */
const played = (page: Page, file: Uint8Array, type: string) =>
  page.evaluate(
    async ([base64, mime]) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const video = document.createElement('video');
      video.muted = true;
      video.src = URL.createObjectURL(new Blob([data], { type: mime }));
      const at = async (time: number): Promise<number[]> => {
        video.currentTime = time;
        await new Promise((done, fail) => {
          video.onseeked = done;
          video.onerror = () => fail(new Error(video.error?.message));
        });
        return drawn();
      };
      const drawn = (): number[] => {
        const canvas = new OffscreenCanvas(32, 18);
        const context = canvas.getContext('2d')!;
        context.drawImage(video, 0, 0, 32, 18);
        return [...context.getImageData(0, 0, 32, 18).data];
      };
      await new Promise((done, fail) => {
        video.onloadeddata = done;
        video.onerror = () => fail(new Error(video.error?.message));
      });
      const [first, middle] = [await at(0), await at(video.duration * 0.5)];
      const changeTo = (last: number[]) => Math.max(...first.map((value, c) => Math.abs(value - last[c])));
      let change = changeTo(middle);
      // A busy browser says that it is there before it shows it.
      for (let waits = 0; change === 0 && waits < 600; waits++) {
        await new Promise((done) => setTimeout(done, 100));
        change = changeTo(drawn());
      }
      return { seconds: video.duration, size: [video.videoWidth, video.videoHeight], change };
    },
    [Buffer.from(file).toString('base64'), type] as const,
  );

/** Holds the encoder up: a film waits until it takes more frames, and so cannot end by itself. */
const encoderIsBusy = (page: Page, busy: boolean): Promise<unknown> =>
  page.evaluate((waiting) => {
    const encoder = VideoEncoder.prototype as VideoEncoder & { goOn?: EventListener };
    if (waiting) {
      Object.defineProperties(encoder, {
        encodeQueueSize: { configurable: true, get: () => 1e9 },
        addEventListener: {
          configurable: true,
          value: (_type: string, goOn: EventListener) => Object.assign(encoder, { goOn }),
        },
      });
    } else {
      Object.defineProperty(encoder, 'encodeQueueSize', { configurable: true, get: () => 0 });
      Reflect.deleteProperty(encoder, 'addEventListener');
      encoder.goOn?.(new Event('dequeue'));
    }
  }, busy);

describeInBrowser('export of the studio', (harness) => {
  const open = studioOpener(harness);

  it('writes animations of the right length as MP4 or WebM, and pictures with and without background', async () => {
    const { page, drop, press, saved, frame, done } = await open({ looks: true });
    // The policy of the studio's own page lets nothing in.
    const { page: player } = await harness.newPage();
    await drop({ 'flag.glb': await flag() });
    await press('Pause');
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill('5');
    await page.getByRole('tab', { name: 'Export' }).click();
    const seconds = 8 / 24;
    await page.getByLabel('Size, pixels').selectOption('1280 × 720');
    const film = await saved(() => press('Animation'));
    expect(film.name).toBe('flag.mp4');
    const shown = await played(player, film.bytes, 'video/mp4');
    expect(shown.seconds).toBeCloseTo(seconds, 2);
    expect(shown.size).toEqual([1280, 720]);
    expect(shown.change).toBeGreaterThan(20);
    // All is as it was.
    expect(await frame()).toBe(5);
    await page.waitForFunction(() => document.querySelector('canvas')!.width === 470);

    // Some of the frames; undo takes one end back after the other.
    const [first, last] = [
      page.getByLabel('First frame of the animation'),
      page.getByLabel('Last frame of the animation'),
    ];
    await first.fill('2');
    // The motion's own end is no edit.
    await last.fill('7');
    await last.blur();
    await last.fill('5');
    const some = await saved(() => press('Animation'));
    expect(some.name).toBe('flag-2-5.mp4');
    expect((await played(player, some.bytes, 'video/mp4')).seconds).toBeCloseTo(4 / 24, 2);
    await last.fill('1');
    await last.blur();
    await page.getByRole('alert').getByText('This must be a whole number from 2 to 7.').waitFor();
    // What the other end has refused is taken once that allows it.
    await first.fill('1');
    await first.blur();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await Promise.all([first.inputValue(), last.inputValue()])).toEqual(['1', '1']);
    await press('Undo');
    await press('Undo');
    expect(await Promise.all([first.inputValue(), last.inputValue()])).toEqual(['2', '5']);
    await press('Undo');
    expect(await Promise.all([first.inputValue(), last.inputValue()])).toEqual(['2', '']);
    await press('Undo');
    await expect.poll(() => first.inputValue()).toBe('');
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);

    // A browser without H.264.
    await page.evaluate(() => {
      const supported = VideoEncoder.isConfigSupported.bind(VideoEncoder);
      VideoEncoder.isConfigSupported = async (config) =>
        config.codec.startsWith('avc') ? { supported: false, config } : supported(config);
    });
    await page.getByLabel('Size, pixels').selectOption('As shown');
    await page.getByLabel('Speed').selectOption('0.5');
    await page.getByLabel('Turntable').check();
    const around = await saved(() => press('Animation'));
    expect(around.name).toBe('flag-turntable.webm');
    const turned = await played(player, around.bytes, 'video/webm');
    expect(turned.seconds).toBeCloseTo(2 * seconds, 1);
    expect(turned.change).toBeGreaterThan(20);

    // One whose tab goes to the back is given up, which is said there; frame and camera are as they were.
    await quiet(page);
    const before = await still(page);
    await page.getByLabel('Speed').selectOption('0.25');
    await encoderIsBusy(page, true);
    await press('Animation');
    await press('Open another');
    await encoderIsBusy(page, false);
    await page.getByRole('button', { name: 'flag.glb', exact: true }).click();
    await page.getByRole('alert').getByText('Stopped when another tab came to the front').waitFor();
    expect(await frame()).toBe(5);
    expect(Buffer.compare(await still(page), before)).toBe(0);
    // Another try films the view that is there now.
    const slow = await saved(() => press('Try again'));
    expect([slow.name, await page.getByRole('alert').count()]).toEqual(['flag-turntable.webm', 0]);
    expect((await played(player, slow.bytes, 'video/webm')).seconds).toBeCloseTo(4 * seconds, 1);
    await press('Dismiss');
    expect(Buffer.compare(await still(page), before)).toBe(0);

    // One that is cancelled leaves nothing behind.
    await encoderIsBusy(page, true);
    await press('Animation');
    await press('Cancel');
    await encoderIsBusy(page, false);
    await page.getByRole('button', { name: 'Animation' }).and(page.locator(':not([aria-disabled])')).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);

    // And a browser that cannot at all.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'VideoEncoder'));
    await press('Animation');
    await page.getByRole('alert').getByText('this browser cannot encode video').waitFor();

    const picture = await saved(() => press('Picture (PNG)'));
    expect([picture.name, (await pixel(page, picture.bytes))[3]]).toEqual(['flag.png', 255]);
    await page.getByLabel('Background').uncheck();
    await page.getByLabel('Labels').uncheck();
    expect((await pixel(page, (await saved(() => press('Picture (PNG)'))).bytes))[3]).toBe(0);
    await done();
  });

  it('shows file sizes of the front tab only', async () => {
    const { page, drop, press, saved, done } = await open({ context: CALM });
    for (const [name, vertices] of [
      ['a.glb', 60],
      ['b.glb', 90],
    ] as const) {
      await drop({ [name]: await glbOf('tube', vertices, 4) });
      await page.getByRole('img', { name: new RegExp(name) }).waitFor();
      await page.getByRole('tab', { name: 'Export' }).click();
    }
    const small = page.getByRole('button', { name: /^Small GLB/ });
    await saved(() => press('Small GLB'));
    await expect.poll(() => small.textContent()).toMatch(/B\)$/);
    await press('a.glb');
    expect(await small.textContent()).toBe('Small GLB');
    await done();
  });

  it('reports what was written and its size; links to a sample; rings the worst vertex in pictures', async () => {
    const { page, press, saved, done } = await open({
      context: { ...SHARP, ...CALM },
      looks: true,
      query: '?sample=flag&bones=4&preset=fast&fit.sample=200&iterations=2',
    });
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    await page.getByRole('tab', { name: 'Export' }).click();
    const plain = await saved(() => press(/^GLB \(/));
    const said = page.getByRole('status').getByText(/^Saved flag-4-bones-small\.glb: .*, RMSE/);
    const [small, notice] = await Promise.all([saved(() => press('Small GLB')), said.textContent()]);
    expect([plain.name, small.name]).toEqual(['flag-4-bones.glb', 'flag-4-bones-small.glb']);
    const size = bytes(small.bytes.length);
    await page.getByRole('button', { name: `Small GLB (${size})` }).waitFor();
    expect(notice).toContain(`: ${size}, RMSE`);
    // What the fit has, and what is read back from its files, some time after they were saved.
    const cells = page.getByRole('row', { name: /GLB|Fit/ }).getByRole('cell');
    const errors = async () => {
      const texts = await cells.allTextContents();
      return [0, 2, 4].map((cell) => Number(texts[cell]));
    };
    const agree = ([fit, ...files]: number[]) => fit > 0 && files.every((file) => Math.abs(file - fit) < 0.02 * fit);
    await expect.poll(errors).toSatisfy(agree);
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    expect(new URL(link).search).toBe('?sample=flag&bones=4&preset=fast&fit.sample=200&iterations=2');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('Copy');
    await page.getByRole('status').getByText('Link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

    // A picture as large as the view has the ring where the view has it: white, with what it says on dark beside it.
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill('20');
    await still(page);
    const ring = page.locator('.ring');
    const placeOf = (of: Locator) =>
      of.evaluate((element) => {
        const { e, f } = new DOMMatrix(getComputedStyle(element).transform);
        return [e, f];
      });
    const [[x, y], label] = await Promise.all([ring, ring.locator('span')].map(placeOf));
    const at = [
      [x, y - 10],
      [x, y + 10],
      [x + label[0] + 3, y + label[1] - 7],
    ];
    const lightness = async () => {
      const { bytes: file } = await saved(() => press('Picture (PNG)'));
      return Promise.all(at.map(async (place) => Math.min(...(await pixel(page, file, ...place)).slice(0, 3))));
    };
    const [above, below, beside] = await lightness();
    expect(Math.min(above, below)).toBeGreaterThan(235);
    expect(beside).toBeLessThan(60);
    await page.getByLabel('Labels').uncheck();
    expect(await lightness()).not.toEqual([above, below, beside]);
    await done();
  });
});

/** Red, green, blue and alpha of a pixel of a PNG. */
const pixel = (page: Page, file: Uint8Array, x = 0, y = 0): Promise<number[]> =>
  page.evaluate(
    async ([base64, ...place]) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([data]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(...place, 1, 1).data];
    },
    [Buffer.from(file).toString('base64'), Math.floor(x), Math.floor(y)] as const,
  );
