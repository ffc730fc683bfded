import { expect, it } from 'vitest';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import type { Material, Mesh } from '../../src/model/mesh.ts';
import { encodePng } from '../../src/report/png.ts';
import { describeInBrowser } from './chromium.ts';
import { studioOpener } from './studio-page.ts';

const GREEN = [40, 160, 40] as const;

/** A square that faces the eye, with a picture of one colour. */
async function pictured(alphaMode: Material['alphaMode'], alpha: number): Promise<Uint8Array> {
  const size = 8;
  const pixels = Uint8Array.from({ length: 4 * size * size }, (_, c) => (c % 4 === 3 ? alpha : GREEN[c % 4]));
  const bytes = await encodePng({ width: size, height: size, channels: 4, pixels });
  const material: Material = {
    name: 'picture',
    baseColor: [1, 1, 1, 1],
    metallic: 0,
    roughness: 1,
    doubleSided: true,
    alphaMode,
    baseColorTexture: { mimeType: 'image/png', bytes },
  };
  const mesh: Mesh = {
    positions: Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
    triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]),
    uvs: Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0]),
    groups: [{ name: 'square', start: 0, count: 2, material: 0 }],
    materials: [material],
  };
  return (await writeMeshGlb(mesh)).bytes;
}

describeInBrowser('materials in the studio', (harness) => {
  const open = studioOpener(harness);

  /** Red, green, blue and alpha in the middle of the view. */
  async function middleOf(file: Uint8Array): Promise<number[]> {
    const { page, drop, done } = await open();
    await drop({ 'square.glb': file });
    await page.getByRole('img', { name: /square/ }).waitFor();
    const middle = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas')!;
        return [...canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
      });
    // The picture is decoded meanwhile.
    await expect.poll(async () => isGreen(await middle()), { timeout: 10_000 }).toBe(true);
    const found = await middle();
    await done();
    return found;
  }

  it.each([
    ['OPAQUE', 77],
    ['MASK', 160],
  ] as const)('%s: pictures have their colours, and nothing shines through, at an alpha of %d', async (mode, alpha) => {
    const [, green, , opacity] = await middleOf(await pictured(mode, alpha));
    expect(opacity).toBe(255);
    expect(green).toBeGreaterThan(90);
  });
});

const isGreen = ([red, green, blue]: number[]): boolean => green > 2 * red && green > 2 * blue;
