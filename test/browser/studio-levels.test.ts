import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { imagesOfGlb } from '../../src/io/edit-images.ts';
import { levelIds } from '../../src/io/gltf/lod-extension.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { studioOpener } from './studio-page.ts';

/** Triangles of the rows of the table. */
const trianglesOf = async (page: Page): Promise<number[]> =>
  (await page.locator('table.figures tbody td:nth-child(2)').allTextContents()).map((text) => +text.replace(/,/g, ''));

describeInBrowser('levels of detail in the studio', (harness) => {
  const open = studioOpener(harness);

  it('are made, compared, changed by distance, shown as a crowd and saved, all by mouse', async () => {
    const { page, drop, press, choose, saved, done } = await open();
    await drop({ 'figure.glb': (await writeModelGlb(sampleFigure(1200, 8, 12))).bytes });
    await press('Pause');
    await page.getByRole('tab', { name: 'Levels' }).click();
    // A click that leaves a field must hit the button: the field's new text may not move it.
    const button = page.getByRole('button', { name: 'Make levels' });
    for (const [width, levels] of [
      [1000, '4'],
      [1920, '2'],
      [1280, '3'],
    ] as const) {
      await page.setViewportSize({ width, height: 720 });
      const before = await button.boundingBox();
      await page.locator('#option-levels').fill(levels);
      await page.locator('#option-levels').blur();
      expect(await button.boundingBox()).toEqual(before);
      await press('Undo');
    }
    await page.locator('#option-levels').fill('3');
    await press('Make levels');
    const rows = page.locator('table.figures tbody tr');
    await expect.poll(() => rows.count(), { timeout: 110_000 }).toBe(4);
    const triangles = await trianglesOf(page);
    for (let l = 1; l < 4; l++) expect(triangles[l]).toBeLessThan(0.6 * triangles[l - 1]);

    // Beside the original, in colours of the distance.
    const text = () => page.locator('main.view').textContent();
    await expect.poll(text).toMatch(/Level 1: \d/);
    expect(await text()).toMatch(/Distance from the original/);
    await press('Level 3');
    await expect.poll(text).toMatch(new RegExp(`Level 3: ${triangles[3]}`.replace(/(\d)(?=(\d{3})+$)/g, '$1,?')));
    await pictureShown(page);

    // As an engine changes them.
    const slider = page.getByRole('slider', { name: 'Distance' });
    const width = (await slider.boundingBox())!.width;
    const engine = page.getByText(/ an engine shows /);
    await slider.click({ position: { x: width - 4, y: 4 } });
    await expect.poll(() => engine.textContent()).toMatch(/shows level 3\./);
    await slider.click({ position: { x: 4, y: 4 } });
    await expect.poll(() => engine.textContent()).toMatch(/shows the original mesh\./);

    // A crowd that needs fewer triangles than the mesh as given.
    await choose('View of levels', 'Crowd of 500');
    const facts = page.locator('.crowd-facts dd');
    const triangleCounts = async () =>
      (await facts.allTextContents()).slice(0, 2).map((count) => +count.replace(/,/g, ''));
    await expect.poll(async () => (await triangleCounts())[1], { timeout: 60_000 }).toBeGreaterThan(100_000);
    const [few, many] = await triangleCounts();
    expect(few).toBeLessThan(0.5 * many); // in the first picture already
    const [inView, ...characters] = (await facts.allTextContents()).slice(2);
    expect(characters).toHaveLength(4);
    expect(inView).toBe(`${characters.reduce((sum, count) => sum + Number(count), 0)} of 500`);
    // What colours the original says nothing of a crowd.
    expect(await page.getByRole('combobox', { name: 'Colours' }).count()).toBe(0);

    const { name, bytes } = await saved(() => press(/^GLB with levels/));
    expect(name).toBe('figure.lods.glb');
    const json = jsonOf(bytes);
    // Viewers without the extension do not use the nodes of levels.
    const owner = json.nodes!.findIndex((_, node) => levelIds(json, node).length > 0);
    expect(levelIds(json, owner)).toHaveLength(3);
    await expectValidGlb(
      bytes,
      levelIds(json, owner).map((id) => `/nodes/${id}`),
    );

    // Geometry images, beside the meshes and the original.
    await choose('Kind of levels', 'Geometry images');
    await page.locator('#option-patches').fill('60');
    await page.locator('#option-depth').fill('2');
    await press('Make images');
    await expect.poll(() => rows.count(), { timeout: 110_000 }).toBe(4);
    const patches = await trianglesOf(page);
    expect(patches.slice(1)).toEqual([16, 4, 1].map((factor) => factor * patches[3]));
    await choose('View of levels', 'Side by side');
    await press('Level 2');
    await expect.poll(text).toMatch(/Level 0|Original/);
    expect(await text()).toMatch(/Images 2: \d.*Distance of the images/);
    await pictureShown(page);
    const images = await saved(() => press(/^GLB with images/));
    expect(images.name).toBe('figure.images.glb');
    expect((await imagesOfGlb(images.bytes))[0].images.levels).toHaveLength(3);

    // Both, and what is seen of them, are part of a session.
    const session = await saved(() => press('Save session'));
    await done();
    const again = await open();
    await again.drop({ [session.name]: session.bytes });
    await expect.poll(() => again.page.locator('main.view').textContent()).toMatch(/Images 2: \d/);
    await expect.poll(() => trianglesOf(again.page)).toEqual(patches);
    await again.choose('Kind of levels', 'Meshes');
    await expect.poll(() => trianglesOf(again.page)).toEqual(triangles);
    await again.done();
  });
});
