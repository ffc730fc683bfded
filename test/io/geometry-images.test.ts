import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../bench/engines/glb-file.ts';
import { gltfWithImages, imagesOfGlb } from '../../src/io/edit-images.ts';
import { geometryImageFiles, readImageFiles } from '../../src/io/geometry-images.ts';
import { decodePng, encodePng } from '../../src/io/png.ts';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { joined } from '../../src/model/bytes.ts';
import { coarserImages, validateGeometryImages } from '../../src/model/geometry-images.ts';
import { madeImages } from '../lod/made-images.ts';
import { icosphere } from '../mesh/shapes.ts';
import { expectRefusal } from '../refusal.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { readGlb } from './gltf/fixtures.ts';

const IMAGES = { ...madeImages(icosphere(0), 3, { skin: true, uvs: true }), name: 'ball' };

describe('decodePng', () => {
  it('reads what encodePng writes, of 8 and 16 bits and any channels', async () => {
    const random = seededRandom(1);
    for (const channels of [1, 2, 3, 4] as const) {
      for (const bits of [8, 16] as const) {
        const [width, height] = [7, 5];
        const numbers = Array.from({ length: width * height * channels }, (_, c) => 3 * c + Math.floor(9 * random()));
        const samples = bits === 8 ? Uint8Array.from(numbers) : Uint16Array.from(numbers, (x) => 111 * x);
        const bytes = await encodePng({ width, height, channels, samples });
        expect(await decodePng(bytes, { width, height, channels, bits }, 'image')).toEqual(samples);
        await expectRefusal(decodePng(bytes, { width: 8, height, channels, bits }, 'image'), 'bad-input');
      }
    }
  });

  it('refuses damaged and cut files', async () => {
    const size = { width: 9, height: 9, channels: 3, bits: 16 } as const;
    const good = await encodePng({ ...size, samples: Uint16Array.from({ length: 243 }, (_, c) => c * 201) });
    for (let at = 0; at < good.length; at += 7) {
      const bad = good.slice();
      bad[at] ^= 0x55;
      await expectRefusal(decodePng(bad, size, 'image'), 'bad-input');
      await expectRefusal(decodePng(good.subarray(0, at), size, 'image'), 'bad-input');
    }
  });
});

describe('files of geometry images', () => {
  it('read as they were written', async () => {
    const files = await geometryImageFiles(IMAGES, 'ball');
    expect(files.map(({ name }) => name).slice(0, 4)).toEqual([
      'ball.images.json',
      'ball.base.bin',
      'ball.0.positions.png',
      'ball.0.normals.png',
    ]);
    const load = async (name: string) => files.find((file) => file.name === name)?.bytes;
    expect(await readImageFiles(files[0].bytes, load)).toEqual(IMAGES);
  });

  it('are a coarser model without the last of them', async () => {
    const files = await geometryImageFiles(IMAGES, 'ball');
    for (const levels of [1, 2, 3]) {
      const some = files.slice(0, 2 + 5 * levels);
      const load = async (name: string) => some.find((file) => file.name === name)?.bytes;
      expect(await readImageFiles(files[0].bytes, load)).toEqual(coarserImages(IMAGES, levels));
      expect(
        await readImageFiles(files[0].bytes, async (name) => files.find((f) => f.name === name)?.bytes, levels),
      ).toEqual(coarserImages(IMAGES, levels));
    }
    const none = async (): Promise<undefined> => undefined;
    await expectRefusal(readImageFiles(files[0].bytes, none), 'bad-input');
  });

  it('are refused with one clear error when they make no sense', async () => {
    const files = await geometryImageFiles(IMAGES, 'ball');
    const load = async (name: string) => files.find((file) => file.name === name)?.bytes;
    const text = new TextDecoder().decode(files[0].bytes);
    const broken = ['', '{}', '[]', text.replace('"version": 1', '"version": 2'), text.replace('"base"', '"bases"')];
    broken.push(text.replace('ball.1.normals', 'ball.1.positions'), text.replaceAll('ball.base', 'ball.0.uvs'));
    for (const bad of broken) {
      const read = async () => readImageFiles(new TextEncoder().encode(bad), load);
      await expectRefusal(read(), 'bad-input');
    }
  });
});

describe('PLIANT_geometry_images', () => {
  it('goes into a file and comes back; the file stays valid, and its mesh what it was', async () => {
    const mesh = icosphere(1);
    const { bytes: plain } = await writeMeshGlb(mesh);
    const asset = await readGlb(plain);
    const glb = await joined((await gltfWithImages(asset.source!, [{ node: 0, images: IMAGES }])).parts);
    const json = jsonOf(glb);
    await expectValidGlb(
      glb,
      json.bufferViews!.map((_, v) => `/bufferViews/${v}`),
    );
    const [{ node, images }] = await imagesOfGlb(glb);
    expect(node).toBe(0);
    expect(images).toEqual(IMAGES);
    validateGeometryImages(images);
    // As Node reads files, anywhere in memory.
    const buffer = Buffer.concat([Buffer.alloc(3), glb]).subarray(3);
    expect((await imagesOfGlb(buffer))[0].images).toEqual(IMAGES);
    const again = await readGlb(glb);
    expect(again.meshes[0].positions).toEqual(asset.meshes[0].positions);
  });

  it('has the levels that have arrived', async () => {
    const { bytes: plain } = await writeMeshGlb(icosphere(1));
    const asset = await readGlb(plain);
    const glb = await joined((await gltfWithImages(asset.source!, [{ node: 0, images: IMAGES }])).parts);
    let before = 0;
    for (let length = 0; length <= glb.length; length += 97) {
      const levels = await imagesOfGlb(glb.subarray(0, length)).then(
        ([{ images }]) => {
          expect(images).toEqual(coarserImages(IMAGES, images.levels.length));
          return images.levels.length;
        },
        () => 0,
      );
      expect(levels).toBeGreaterThanOrEqual(before);
      before = levels;
    }
    expect((await imagesOfGlb(glb))[0].images.levels).toHaveLength(3);
    expect((await imagesOfGlb(glb, 1))[0].images).toEqual(coarserImages(IMAGES, 1));
  });
});
