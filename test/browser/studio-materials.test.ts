import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import type { Image, Material, Mesh } from '../../src/model/mesh.ts';
import { encodePng } from '../../src/report/png.ts';
import { describeInBrowser } from './chromium.ts';
import { type StudioPage, studioOpener } from './studio-page.ts';

/** Shown in turn in one view: the picture before is none of the next. */
const GREEN = [40, 160, 40] as const;
const BLUE = [40, 40, 160] as const;
type Colour = typeof GREEN | typeof BLUE;

async function picture(colour: Colour, alpha = 255): Promise<Image> {
  const size = 8;
  const pixels = Uint8Array.from({ length: 4 * size * size }, (_, c) => (c % 4 === 3 ? alpha : colour[c % 4]));
  return { mimeType: 'image/png', bytes: await encodePng({ width: size, height: size, channels: 4, pixels }) };
}

/** 8 × 8 green pixels as KTX2, compressed as UASTC: blocks of mode 8 have one colour. */
function ktx2(): Image {
  const bytes = new Uint8Array(160 + 4 * 16);
  const view = new DataView(bytes.buffer);
  bytes.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  // Format (none), size of a type, width, height, depth, layers, faces, levels, scheme; place of the descriptor.
  for (const [w, word] of [0, 1, 8, 8, 0, 0, 1, 1, 0, 104, 44].entries()) view.setUint32(12 + 4 * w, word, true);
  for (const [w, size] of [160, 64, 64].entries()) view.setBigUint64(80 + 8 * w, BigInt(size), true);
  const descriptor = [
    44,
    0,
    2 | (40 << 16),
    166 | (1 << 8) | (2 << 16),
    3 | (3 << 8),
    16,
    0,
    127 << 16,
    0,
    0,
    0xffffffff,
  ];
  for (const [w, word] of descriptor.entries()) view.setUint32(104 + 4 * w, word, true);
  const bits = [0x17n, ...[...GREEN, 255].map(BigInt)];
  const block = bits.reduce((all, value, b) => all | (value << BigInt(b === 0 ? 0 : 8 * b - 3)), 0n);
  for (let b = 0; b < 4; b++) view.setBigUint64(160 + 16 * b, block, true);
  return { mimeType: 'image/ktx2', bytes };
}

/** A square that faces the eye, with a material; above it one without. */
async function square(material: Partial<Material>, attributes?: Mesh['attributes']): Promise<Uint8Array> {
  const mesh: Mesh = {
    positions: Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 0, 0, -1, 0, 0, 1, 1, 0, -1, 1, 0]),
    triangles: Uint32Array.from([0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5]),
    uvs: Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1]),
    groups: [
      { name: 'pictured', start: 0, count: 2, material: 0 },
      { name: 'bare', start: 2, count: 2 },
    ],
    materials: [
      { name: 'picture', baseColor: [1, 1, 1, 1], metallic: 0, roughness: 1, doubleSided: true, ...material },
    ],
    attributes,
  };
  return (await writeMeshGlb(mesh)).bytes;
}

describeInBrowser('materials in the studio', (harness) => {
  const open = studioOpener(harness);
  let opened: Promise<StudioPage> | undefined;

  /** Red, green, blue and alpha of the two squares, once the lower one has that colour. */
  async function coloursOf(colour: Colour, file: Uint8Array): Promise<number[][]> {
    // One page for all: surroundings that materials mirror take long to make.
    const { page, drop, press } = await (opened ??= open({ prepare: decodeLate, looks: true }));
    await drop({ 'square.glb': file });
    await page.getByRole('img', { name: /square/ }).waitFor();
    const colours = () =>
      page.evaluate(() => {
        const { width, height } = document.querySelector('canvas')!;
        const pen = document.querySelector('canvas')!.getContext('2d')!;
        return [0.6, 0.45].map((share) => [...pen.getImageData(width / 2, share * height, 1, 1).data]);
      });
    await expect.poll(async () => isMostly(colour, (await colours())[0])).toBe(true);
    const found = await colours();
    await press('Close square.glb');
    await page.getByText('Or start with a sample').waitFor();
    return found;
  }

  it.each([
    ['OPAQUE', 77, GREEN],
    ['MASK', 160, BLUE],
  ] as const)('%s: textures keep their colours and are opaque at an alpha of %d', async (mode, alpha, colour) => {
    const baseColorTexture = await picture(colour, alpha);
    const [pictured, bare] = await coloursOf(colour, await square({ alphaMode: mode, baseColorTexture }));
    expect([pictured[3], bare[3]]).toEqual([255, 255]);
    expect(Math.max(...pictured.slice(0, 3))).toBeGreaterThan(90);
    expect(isMostly(colour, bare)).toBe(false);
  });

  it('KTX2 pictures are shown', async () => {
    await coloursOf(GREEN, await square({ baseColorTexture: ktx2() }));
  });

  it('vertex colours are shown', async () => {
    const values = Float32Array.from({ length: 4 * 6 }, (_, c) => [0.02, 0.02, 0.4, 1][c % 4]);
    await coloursOf(BLUE, await square({}, { COLOR_0: { size: 4, values } }));
  });

  it('maps of other uv sets are shown', async () => {
    const values = Float32Array.from({ length: 2 * 6 }, () => 0.5);
    const gltf: Material['gltf'] = {
      material: {
        pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1] },
        emissiveTexture: { index: 0, texCoord: 1 },
        emissiveFactor: [1, 1, 1],
      },
      textures: [{ source: 0 }],
      samplers: [],
      images: [await picture(GREEN)],
    };
    await coloursOf(GREEN, await square({ baseColor: [0, 0, 0, 1], gltf }, { TEXCOORD_1: { size: 2, values } }));
  });

  it('complains of nothing', async () => (await opened)?.done());

  it('a picture that cannot be decoded leaves its material, and is told', async () => {
    const { page, drop } = await open();
    await drop({
      'square.glb': await square({ baseColorTexture: { ...ktx2(), bytes: ktx2().bytes.subarray(0, 200) } }),
    });
    await page
      .getByRole('status')
      .getByText(/texture could not be decoded/)
      .waitFor();
    await page.close();
  });
});

/** Pictures come when nothing else changes any more. */
const decodeLate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const decode = createImageBitmap;
    globalThis.createImageBitmap = async (...given: unknown[]) => {
      await new Promise((done) => setTimeout(done, 600));
      return Reflect.apply(decode, globalThis, given) as ImageBitmap;
    };
  });

/** Whether a pixel has the channel of that colour, and half as much of the others at most. */
function isMostly(colour: Colour, pixel: number[]): boolean {
  const channel = colour === GREEN ? 1 : 2;
  return [0, 1, 2].every((c) => c === channel || pixel[channel] > 2 * pixel[c]);
}
