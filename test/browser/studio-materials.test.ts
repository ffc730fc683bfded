import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import type { Material, Mesh } from '../../src/model/mesh.ts';
import { encodePng } from '../../src/report/png.ts';
import { describeInBrowser } from './chromium.ts';
import { studioOpener } from './studio-page.ts';

const GREEN = [40, 160, 40] as const;

/** A square that faces the eye, with a picture of one colour; above it one without a material. */
async function picturedSquare(alphaMode: Material['alphaMode'], alpha: number): Promise<Uint8Array> {
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
    positions: Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 0, 0, -1, 0, 0, 1, 1, 0, -1, 1, 0]),
    triangles: Uint32Array.from([0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5]),
    uvs: Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1]),
    groups: [
      { name: 'pictured', start: 0, count: 2, material: 0 },
      { name: 'bare', start: 2, count: 2 },
    ],
    materials: [material],
  };
  return (await writeMeshGlb(mesh)).bytes;
}

describeInBrowser('materials in the studio', (harness) => {
  const open = studioOpener(harness);

  /** Red, green, blue and alpha of the two squares, once the picture is there. */
  async function coloursOf(file: Uint8Array): Promise<number[][]> {
    const { page, drop, done } = await open({ prepare: decodeLate });
    await drop({ 'square.glb': file });
    await page.getByRole('img', { name: /square/ }).waitFor();
    const colours = () =>
      page.evaluate(() => {
        const { width, height } = document.querySelector('canvas')!;
        const pen = document.querySelector('canvas')!.getContext('2d')!;
        return [0.6, 0.45].map((share) => [...pen.getImageData(width / 2, share * height, 1, 1).data]);
      });
    await expect.poll(async () => isGreen((await colours())[0])).toBe(true);
    const found = await colours();
    await done();
    return found;
  }

  it.each([
    ['OPAQUE', 77],
    ['MASK', 160],
  ] as const)('%s: textures keep their colours and are opaque at an alpha of %d', async (mode, alpha) => {
    const [pictured, bare] = await coloursOf(await picturedSquare(mode, alpha));
    expect([pictured[3], bare[3]]).toEqual([255, 255]);
    expect(pictured[1]).toBeGreaterThan(90);
    expect(isGreen(bare)).toBe(false);
  });
});

/** Pictures come when nothing else changes any more. */
const decodeLate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const decode = createImageBitmap;
    globalThis.createImageBitmap = async (...given: unknown[]) => {
      await new Promise((done) => setTimeout(done, 700));
      return Reflect.apply(decode, globalThis, given) as ImageBitmap;
    };
  });

const isGreen = ([red, green, blue]: number[]): boolean => green > 2 * red && green > 2 * blue;
