import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openGlb } from '../../bench/engines/verbs.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { lod } from '../../src/verbs/lod.ts';
import { smallSample } from '../rig/linearize-rigs.ts';
import { describeInBrowser } from './chromium.ts';
import type { ImageMaterialName } from './pages/geometry-images.ts';

type Held = Record<'geometries' | 'textures', number>;

/** What pages/geometry-images.ts offers. */
interface ImagesPage {
  compare(
    name: ImageMaterialName,
    skin: boolean,
    pixels: number,
  ): Record<'apart' | 'covered' | 'levels' | 'calls' | 'triangles', number>;
  loaded(bytes: number[]): Promise<Record<'apart' | 'covered' | 'made' | 'levels', number>>;
  memory(): Record<'before' | 'during' | 'after', Held>;
}

/** What pages/image-cracks.ts offers. */
interface CracksPage {
  cracksIn(
    shape: string,
    skin: boolean,
    trials: number,
    isSewn?: boolean,
  ): Record<'cracks' | 'mixes' | 'levels' | 'triangles', number>;
}

describeInBrowser('GeometryImageMesh in three.js', (harness) => {
  let opened: Promise<{ page: Page; errors: string[] }> | undefined;
  const page = async () => (await (opened ??= harness.open('geometry-images.ts'))).page;

  const cases = (['basic', 'phong', 'standard', 'depth'] as const).flatMap((name) =>
    [false, true].map((skin) => ({ name, skin })),
  );
  it.each(cases)('draws what the library has sewn: $name, skin $skin', async ({ name, skin }) => {
    const { apart, covered, levels } = await (await page()).evaluate(
      ([material, skinned]) =>
        (globalThis as unknown as ImagesPage).compare(material as ImageMaterialName, skinned as boolean, 1.5),
      [name, skin] as const,
    );
    expect(covered).toBeGreaterThan(5);
    expect(levels).toBeGreaterThan(2);
    expect(apart).toBeLessThan(0.3);
  });

  it('draws fewer triangles for more pixels of error, one call per level and shadow', async () => {
    const [fine, coarse] = await (await page()).evaluate(() => {
      const { compare } = globalThis as unknown as ImagesPage;
      return [compare('standard', false, 0.1), compare('standard', false, 3)];
    });
    expect(coarse.triangles).toBeLessThan(fine.triangles / 4);
    // The wall, and each level that is used, in the picture and in the shadow map.
    expect(fine.calls).toBeLessThanOrEqual(2 * (fine.levels + 1));
  });

  it('draws what lod --images wrote, in a pose, as three.js draws the mesh', async () => {
    const { bytes: given } = await writeModelGlb(await smallSample('tube', 300, 8));
    const { file } = await lod(await openGlb(given), { images: true, patches: 40, depth: 3, poses: 6, glb: {} });
    const { apart, covered, made } = await (await page()).evaluate(
      (bytes) => (globalThis as unknown as ImagesPage).loaded(bytes),
      [...file!],
    );
    expect(made).toBe(1);
    expect(covered).toBeGreaterThan(1);
    expect(apart).toBeLessThan(0.05 * covered);
  });

  it('frees what it holds', async () => {
    const { before, during, after } = await (await page()).evaluate(() =>
      (globalThis as unknown as ImagesPage).memory(),
    );
    expect(during.textures).toBeGreaterThan(before.textures);
    expect(after).toEqual(before);
  });

  it('leaves no cracks on the graphics card, to the bit, in mixes of levels, closed, open and skinned', async () => {
    const { page: other, errors } = await harness.open('image-cracks.ts');
    for (const shape of ['sphere', 'torus', 'sheet']) {
      for (const skin of [false, true]) {
        const { cracks, mixes, levels } = await other.evaluate(
          ([name, skinned]) => (globalThis as unknown as CracksPage).cracksIn(name as string, skinned as boolean, 170),
          [shape, skin] as const,
        );
        expect(cracks).toBe(0);
        expect(mixes).toBeGreaterThan(160);
        expect(levels).toBe(4);
      }
    }
    const unsewn = await other.evaluate(() => (globalThis as unknown as CracksPage).cracksIn('sphere', true, 1, false));
    expect(unsewn.cracks).toBeGreaterThan(20);
    expect(errors).toEqual([]);
  });

  it('logs no errors', async () => {
    expect((await opened)?.errors).toEqual([]);
  });
});
