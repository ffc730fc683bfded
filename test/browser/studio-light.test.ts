import { expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { jsonOf, readGlb } from '../io/gltf/fixtures.ts';
import { smallFigure } from '../light/small-figure.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { studioOpener } from './studio-page.ts';

/** A picture of 8 × 4 pixels as HDR files have it: bright to one side. */
function hdr(): Uint8Array {
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  const out = new Uint8Array(head.length + 4 * 32);
  out.set(head);
  for (let p = 0; p < 32; p++) out.set(p % 8 < 3 ? [200, 160, 90, 130] : [60, 80, 120, 127], head.length + 4 * p);
  return out;
}

describeInBrowser('light in the studio', (harness) => {
  const open = studioOpener(harness);

  it('is on at once, turned, traced, baked, compared, saved and kept, all by mouse', async () => {
    const { page, drop, press, choose, saved, done } = await open();
    await drop({ 'figure.glb': (await writeModelGlb(smallFigure())).bytes });
    await press('Pause');
    // Errors are those of one pose, however long it has played.
    await page.keyboard.press('Home');
    await page.getByRole('tab', { name: 'Light' }).click();
    await expect.poll(() => page.getByRole('slider', { name: 'Turn' }).count()).toBe(1);
    await pictureShown(page);

    // Surroundings of one's own; turned, and back by undo.
    await drop({ 'evening.hdr': hdr() });
    const sky = page.getByLabel('Light from');
    await expect.poll(() => sky.inputValue()).toBe('own');
    const slider = page.getByRole('slider', { name: 'Turn' });
    const width = (await slider.boundingBox())!.width;
    await slider.click({ position: { x: width - 3, y: 4 } });
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(150);
    await press(/^Undo/);
    await expect.poll(() => slider.inputValue()).toBe('0');
    await page.getByLabel('Floor').uncheck();
    await press(/^Undo/);
    expect(await page.getByLabel('Floor').isChecked()).toBe(true);

    // Without a bake: three panes, errors of two when the pose is traced.
    const text = () => page.locator('main.view').textContent();
    await choose('View of light', 'Side by side');
    await expect.poll(text, { timeout: 60_000 }).toMatch(/Unshadowed: ([\d.]+) % off.*Spheres: ([\d.]+) % off.*Traced/);
    expect(await text()).not.toMatch(/Baked/);
    await pictureShown(page);

    // A bake that is cancelled, and one that is not.
    await page.locator('#option-poses').fill('400');
    await page.locator('#option-rays').fill('2048');
    await press('Bake');
    await press('Cancel');
    await expect.poll(() => page.getByRole('button', { name: 'Bake', exact: true }).count()).toBe(1);
    await page.locator('#option-poses').fill('12');
    await page.locator('#option-rays').fill('128');
    await press('Bake');
    await expect.poll(text, { timeout: 110_000 }).toMatch(/Baked: ([\d.]+) % off/);
    const [, unshadowed, base, baked] = /Unshadowed: ([\d.]+) %.*Spheres: ([\d.]+) %.*Baked: ([\d.]+) %/.exec(
      (await text())!,
    )!;
    expect(Number(base)).toBeLessThan(0.7 * Number(unshadowed));
    expect(Number(baked)).toBeLessThan(Number(base));
    await pictureShown(page);

    // The given file, with its light.
    const { name, bytes } = await saved(() => press(/^GLB with light/));
    expect(name).toBe('figure.light.glb');
    expect(jsonOf(bytes).extensionsUsed).toContain('PLIANT_light');
    expect((await readGlb(bytes)).models[0].light?.made?.poses).toBe(12);

    // All of it is part of a session.
    const session = await saved(() => press('Save session'));
    await done();
    const again = await open();
    await again.drop({ [session.name]: session.bytes });
    const view = () => again.page.locator('main.view').textContent();
    await expect.poll(view, { timeout: 60_000 }).toMatch(/Unshadowed.*Spheres.*Baked.*Traced/);
    await expect.poll(() => again.page.getByLabel('Light from').inputValue()).toBe('own');
    await again.done();
  });
});
