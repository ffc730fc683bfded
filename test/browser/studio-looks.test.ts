import { expect, it } from 'vitest';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureAtRest } from './picture-shown.ts';
import { SHARP, studioOpener } from './studio-page.ts';

/** A square that faces the eye: red, as rough as paper. */
const square = async () =>
  (
    await writeMeshGlb({
      positions: Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
      triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]),
      uvs: Float32Array.from([0, 0, 1, 0, 1, 1, 0, 1]),
      groups: [{ name: 'all', start: 0, count: 2, material: 0 }],
      materials: [{ name: 'red', baseColor: [0.8, 0.05, 0.05, 1], metallic: 0, roughness: 0.6, doubleSided: true }],
    })
  ).bytes;

/** A Radiance picture of one colour: 8 × 4 pixels of mantissas and an exponent. */
function hdr(pixel: readonly number[]): Uint8Array {
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  return Uint8Array.from([...head, ...Array.from({ length: 32 }, () => pixel).flat()]);
}

describeInBrowser('looks in the studio', (harness) => {
  const open = studioOpener(harness);

  it('shows materials in an environment, other looks, and views along axes', async () => {
    const { page, drop, press, done } = await open({
      looks: true,
      context: { ...SHARP, viewport: { width: 800, height: 400 } },
    });
    await drop({ 'square.glb': await square() });
    /** Red, green and blue in the middle of the picture. */
    const middle = async () => {
      await pictureAtRest(page);
      return page.evaluate(() => {
        const { width, height } = document.querySelector('canvas')!;
        const pen = document.querySelector('canvas')!.getContext('2d')!;
        return [...pen.getImageData(width / 2, height / 2, 1, 1).data].slice(0, 3);
      });
    };
    const isRed = ([red, green, blue]: number[]) => red > 2 * green && red > 2 * blue;
    await page.getByRole('img', { name: /square/ }).waitFor();
    await expect.poll(async () => isRed(await middle())).toBe(true);

    await page.getByText('View', { exact: true }).click();
    const surface = page.getByLabel('Surface');
    const pick = (value: string) => surface.selectOption({ value });
    for (const look of ['clay', 'matcap', 'checker']) {
      await pick(look);
      await expect.poll(async () => isRed(await middle())).toBe(false);
    }
    await press('Front');
    await pick('normals');
    // What faces the eye has the colour of +z.
    await expect.poll(async () => (await middle())[2]).toBeGreaterThan(240);

    await pick('material');
    await expect.poll(async () => isRed(await middle())).toBe(true);
    const inRoom = await middle();
    const picture = page.getByLabel('Environment picture');
    // An exponent of 128 is a factor of 1: dim blue light leaves little of a red surface.
    await picture.setInputFiles({ name: 'blue.hdr', mimeType: '', buffer: Buffer.from(hdr([3, 3, 60, 128])) });
    await page.getByText('blue.hdr').waitFor();
    await expect.poll(async () => (await middle())[0]).toBeLessThan(inRoom[0] - 40);
    await picture.setInputFiles({ name: 'bad.hdr', mimeType: '', buffer: Buffer.from('no light') });
    await page.getByRole('alert').waitFor();
    await press('Room');
    await expect.poll(middle).toEqual(inRoom);

    // The square keeps its size around the target when the lens changes.
    await page.getByLabel('Orthographic').check();
    await expect.poll(async () => isRed(await middle())).toBe(true);
    await press('Right');
    // From the side nothing is seen of it.
    await expect.poll(async () => isRed(await middle())).toBe(false);
    await done();
  });
});
