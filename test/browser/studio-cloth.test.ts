import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { blobFiles } from '../../src/platform/browser/files.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { squeezedPair, wavy } from '../cloth/squeezed-pair.ts';
import { memorySink } from '../io/support.ts';
import { expectValidCloth, expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { CALM, type StudioPage, still, studioOpener } from './studio-page.ts';

const figure = async () => (await writeModelGlb(sampleFigure(1200, 12, 24))).bytes;

/** Small, with every pixel. */
const WINDOW = { viewport: { width: 900, height: 600 }, deviceScaleFactor: 1 };

type Place = [x: number, y: number];

/** Pixels of the page that are as red as a cape, with red around them. */
async function redPlaces(page: Page): Promise<Place[]> {
  const png = (await page.screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const isRed = (x: number, y: number): boolean => {
      const [r, g, b] = data.subarray(4 * (y * width + x));
      return r > 60 && r > 1.7 * g && r > 1.7 * b;
    };
    const found: [number, number][] = [];
    for (let y = 100; y < height - 100; y++) {
      for (let x = 10; x < width - 10; x++) {
        if ([-3, 0, 3].every((d) => isRed(x + d, y) && isRed(x, y + d))) found.push([x, y]);
      }
    }
    return found;
  }, png);
}

/** Puts on a small cape. */
async function dress({ page, press }: StudioPage): Promise<void> {
  await page.getByRole('tab', { name: 'Cloth' }).click();
  await page.getByText('Advanced options').click();
  await page.locator('#option-vertices').fill('500');
  await page.locator('#option-coarseVertices').fill('60');
  await page.locator('#option-coarseVertices').blur();
  await press('Put on');
  await page.getByText('Vertices simulated').waitFor();
}

/** Looks from behind. */
async function goAround(page: Page): Promise<void> {
  const { x, y, height } = (await page.locator('canvas').first().boundingBox())!;
  await page.mouse.move(x + 20, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 20 + height / 2, y + height / 2, { steps: 5 });
  await page.mouse.up();
}

describeInBrowser('cloth in the studio', (harness) => {
  const open = studioOpener(harness);

  it('dresses a figure; wind, joints and the mouse move the cape', async () => {
    const studio = await open({ context: WINDOW, looks: true });
    const { page, drop, press, choose, saved, done } = studio;
    await drop({ 'figure.glb': await figure() });
    await press('Pause');
    await page.locator('#clip').selectOption('walk');
    await press('Joints');
    await goAround(page);
    await dress(studio);
    const calm = await still(page);

    // Dragged, where it goes along with the pointer, and released.
    const places = await redPlaces(page);
    const [x, y] = places.reduce((last, place) => (place[0] > last[0] ? place : last));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 20, { steps: 5 });
    const farthest = async () => Math.max(...(await redPlaces(page)).map((place) => place[0]));
    // How far the cloth around the pointer follows depends on how fast it was pulled.
    await expect.poll(farthest, { timeout: 60_000 }).toBeGreaterThan(x + 30);
    await page.mouse.up();
    // Back, but not to the pixel: it may come to rest on the arm.
    await expect.poll(farthest, { timeout: 60_000 }).toBeLessThan(x + 30);

    const wind = page.getByRole('slider', { name: 'Wind' });
    await wind.fill('9');
    const blown = await still(page);
    expect(blown.equals(calm)).toBe(false);
    await press('Undo');
    expect(await wind.inputValue()).toBe('0');

    await page.locator('#joint').selectOption({ label: 'upperArm.L' });
    await page.getByRole('slider', { name: 'Turn z' }).fill('60');
    const turned = await still(page);
    expect(turned.equals(blown)).toBe(false);
    await page.getByRole('slider', { name: 'Ring z' }).waitFor();
    await page.keyboard.press('Escape');

    await choose('Cloth', 'Side by side');
    for (const name of ['Simulated: 6', 'Embedded: no folds', 'With folds: ']) {
      await page.locator('.pane-label', { hasText: name }).waitFor();
    }
    await choose('Cloth', 'Simulated');
    await expect.poll(() => page.locator('.pane-label').count()).toBe(0);

    const { name, bytes } = await saved(() => press('Garment (GLB)'));
    expect(name).toBe('figure-cape.glb');
    await expectValidGlb(bytes);
    const { sequences } = await readAsset(blobFiles([[name, new File([new Uint8Array(bytes)], name)]]), [name]);
    expect(sequences[0].frameCount).toBeGreaterThan(5);

    await press('Take off');
    await page.getByRole('button', { name: 'Put on', exact: true }).waitFor();
    await expect.poll(() => redPlaces(page)).toEqual([]);
    await press('Undo');
    await page.getByText('Vertices simulated').waitFor();
    await done();
  });

  it('goes on while the clip plays; its figures and the player are seen', async () => {
    const studio = await open();
    const { page, drop, press, frame, done } = studio;
    await drop({ 'figure.glb': await figure() });
    await dress(studio);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByText(/^[\d.]+ ms$/).waitFor();
    const before = await frame();
    await expect.poll(frame).not.toBe(before);
    await press('Reset the cloth');
    await page.getByRole('tab', { name: 'Info' }).click();
    await page.getByRole('tab', { name: 'Cloth' }).click();
    await page.getByRole('button', { name: 'Take off' }).waitFor();
    await done();
  });

  it('wears a mesh of another tab; what cannot be held is told', async () => {
    const studio = await open({ context: CALM });
    const { page, drop, press, done } = studio;
    const positions = Float32Array.from([-1, 1, -1, 1].flatMap((x, i) => [0.3 * x, i < 2 ? 1.4 : 0.8, -0.3]));
    const towel = { positions, triangles: Uint32Array.of(0, 1, 2, 2, 1, 3) };
    await drop({ 'towel.obj': writeObj(towel) });
    await page.getByRole('img', { name: /towel\.obj/ }).waitFor();
    await drop({ 'figure.glb': await figure() });
    await page.getByRole('tab', { name: 'Cloth' }).click();
    await page.locator('#garment').selectOption({ label: 'towel.obj (open)' });
    expect(await page.locator('#garment').inputValue()).toBe('own');
    await page.locator('#pin-bone').selectOption('foot.L');
    await press('Put on');
    await page.getByRole('alert').filter({ hasText: 'foot.L' }).waitFor();
    await page.locator('#pin-bone').selectOption('');
    await press('Put on again');
    await page.getByRole('list', { name: 'Notes on the garment' }).waitFor();
    await done();
  });

  it('learns folds from a coarse and a fine cache, and shows them beside the reference', async () => {
    const { page, drop, press, choose, saved, done } = await open({ context: CALM });
    const { coarse, fine } = squeezedPair(wavy, 24);
    const written = async (sequence: MeshSequence) => {
      const sink = memorySink();
      await writeAlembic([sequence], sink);
      return sink.bytes();
    };
    await drop({ 'sheet.coarse.abc': await written(coarse), 'sheet.fine.abc': await written(fine) });
    await page.getByRole('heading', { name: 'Coarse and fine cloth' }).waitFor();
    await choose('Cloth', 'Embedded');
    await page.getByText('Advanced options').click();
    await page.locator('#option-modes').fill('2');
    await page.locator('#option-modes').blur();
    await press('Train');
    const table = page.getByRole('table', { name: /distance, % of the diagonal/ });
    await table.waitFor();
    expect(await table.getByRole('rowheader').allTextContents()).toContain('embed');
    for (const label of ['Simulated: ', 'Embedded: no folds', 'With folds, ', 'Reference: ']) {
      await page.locator('.pane-label', { hasText: label }).waitFor();
    }
    const { name, bytes } = await saved(() => press(/^Trained cloth/));
    expect(name).toBe('sheet-cloth.glb');
    await expectValidCloth(bytes);
    await done();
  });

  it('starts with a caped figure from the first page', async () => {
    const { page, press, done } = await open({ context: CALM });
    await press(/^caped figure/);
    await page.getByText('Vertices simulated').waitFor();
    await page.locator('#garment').selectOption({ label: 'Cape, trained' });
    await page.getByText('This garment has learned folds').waitFor();
    await press('Put on again');
    // It has a coarse mesh of its own.
    await page.getByText('Vertices simulated').locator('..').filter({ hasText: '80' }).waitFor();
    await done();
  });
});
