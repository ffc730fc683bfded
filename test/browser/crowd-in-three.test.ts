import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import type { LightName, MaterialName, PoseWay } from './pages/crowd.ts';

type Held = Record<'geometries' | 'textures' | 'programs', number>;

/** What pages/crowd.ts offers. */
interface CrowdPage {
  compare(
    name: MaterialName,
    rate: number,
    way: PoseWay,
  ): Promise<Record<'apart' | 'sharedApart' | 'covered' | 'levels' | 'calls', number>>;
  shadows(name: LightName): Promise<Record<'apart' | 'covered' | 'above' | 'seen', number>>;
  memory(): Promise<Record<'before' | 'during' | 'grown' | 'after', Held>>;
}

describeInBrowser('SkinnedCrowd in three.js', (harness) => {
  let opened: Promise<{ page: Page; errors: string[] }> | undefined;
  const page = async () => (await (opened ??= harness.open('crowd.ts'))).page;
  const compare = async (name: MaterialName, rate: number, way: PoseWay = 'played') =>
    (await page()).evaluate(
      ([material, perSecond, posed]) =>
        (globalThis as unknown as CrowdPage).compare(material as MaterialName, perSecond as number, posed as PoseWay),
      [name, rate, way] as const,
    );

  const names: MaterialName[] = ['basic', 'lambert', 'phong', 'toon', 'standard', 'physical', 'groups'];
  it.each(names)('looks like as many skinned meshes, in a %s material', async (name) => {
    const { apart, sharedApart, covered, levels, calls } = await compare(name, 12);
    expect(covered).toBeGreaterThan(4);
    expect(levels).toBeGreaterThan(3);
    expect(calls).toBe(name === 'groups' ? 2 * levels : levels);
    expect(apart).toBeLessThan(0.1);
    expect(sharedApart).toBeLessThan(0.1);
  });

  it.each(['live', 'fading'] as const)('shows poses that are %s', async (way) => {
    expect((await compare('standard', 12, way)).apart).toBeLessThan(0.1);
  });

  it('shows poses between those stored', async () => {
    const [seldom, often] = [await compare('standard', 30), await compare('standard', 240)];
    // Paths are cut short between two poses, by a quarter if there are twice as many.
    expect(seldom.apart).toBeGreaterThan(5 * often.apart);
    expect(often.apart).toBeLessThan(0.2);
  });

  it.each(['directional', 'spot', 'point'] as const)(
    'throws shadows by a %s light, also from out of view',
    async (name) => {
      const { apart, covered, above, seen } = await (await page()).evaluate(
        (light) => (globalThis as unknown as CrowdPage).shadows(light as LightName),
        name,
      );
      expect(covered).toBeGreaterThan(1);
      expect(above).toBeGreaterThan(0.1);
      expect(seen).toBeLessThan(16);
      expect(apart).toBeLessThan(0.1);
    },
  );

  it('frees what it holds', async () => {
    const { before, during, grown, after } = await (await page()).evaluate(() =>
      (globalThis as unknown as CrowdPage).memory(),
    );
    expect(during.geometries).toBeGreaterThan(before.geometries);
    expect(grown.textures).toBe(during.textures);
    expect(after).toEqual(before);
  });

  it('logs no errors', async () => {
    expect((await opened)?.errors).toEqual([]);
  });
});
