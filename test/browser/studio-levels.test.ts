import { expect, it } from 'vitest';
import { levelIds } from '../../src/io/gltf/lod-extension.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { studioOpener } from './studio-page.ts';

describeInBrowser('levels of detail in the studio', (harness) => {
  const open = studioOpener(harness);

  it('are made, compared, changed by distance, shown as a crowd and saved, all by mouse', async () => {
    const { page, drop, press, choose, saved, done } = await open();
    await drop({ 'figure.glb': (await writeModelGlb(sampleFigure(1200, 8, 12))).bytes });
    await press('Pause');
    await page.getByRole('tab', { name: 'Levels' }).click();
    await page.locator('#option-levels').fill('3');
    await press('Make levels');
    const rows = page.locator('table.figures tbody tr');
    await expect.poll(() => rows.count(), { timeout: 110_000 }).toBe(4);
    const triangles = (await rows.locator('td:nth-child(2)').allTextContents()).map((text) => +text.replace(/,/g, ''));
    for (let l = 1; l < 4; l++) expect(triangles[l]).toBeLessThan(0.6 * triangles[l - 1]);

    // Beside the original, in colours of the distance.
    const text = () => page.locator('main.view').textContent();
    await expect.poll(text).toMatch(/Level 1: \d/);
    expect(await text()).toMatch(/Distance from the original/);
    await press('level 3');
    await expect.poll(text).toMatch(new RegExp(`Level 3: ${triangles[3]}`.replace(/(\d)(?=(\d{3})+$)/g, '$1,?')));
    await pictureShown(page);

    // As an engine changes them.
    const slider = page.getByRole('slider', { name: 'Distance' });
    const width = (await slider.boundingBox())!.width;
    const engine = page.getByText(/ an engine shows /);
    await slider.click({ position: { x: width - 4, y: 4 } });
    await expect.poll(() => engine.textContent()).toMatch(/shows level 3\./);
    await slider.click({ position: { x: 4, y: 4 } });
    await expect.poll(() => engine.textContent()).toMatch(/shows the given mesh\./);

    // A crowd that needs fewer triangles than the mesh as given.
    await choose('View of levels', 'Crowd of 500');
    const facts = page.locator('.crowd-facts');
    const counts = async () => ((await facts.textContent()) ?? '').replace(/,(\d)/g, '$1').match(/\d+/g)!.map(Number);
    await expect.poll(async () => (await counts())[1], { timeout: 60_000 }).toBeGreaterThan(100_000);
    const [few, many] = await counts();
    expect(few).toBeLessThan(0.8 * many);

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
    await page.getByRole('tab', { name: 'Info' }).click();
    await done();
  });
});
