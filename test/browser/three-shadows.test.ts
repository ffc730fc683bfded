import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import type { LightName } from './pages/three-shadows.ts';

/** What pages/three-shadows.ts offers. */
interface ShadowPage {
  shadows(name: LightName): Promise<{ ours: number; lbs: number; covered: number }>;
}

describeInBrowser('shadows of a mesh under useSkinning', (harness) => {
  it.each(['directional', 'spot', 'point'] as const)('by a %s light match the posed mesh', async (name) => {
    const { page, errors } = await harness.open('three-shadows.ts');
    const { ours, lbs, covered } = await page.evaluate(
      (light) => (globalThis as unknown as ShadowPage).shadows(light),
      name,
    );
    // In per cent of the picture: there is a shadow, linear blending has another one, ours is right.
    expect(covered).toBeGreaterThan(5);
    expect(lbs).toBeGreaterThan(1);
    expect(ours).toBeLessThan(0.1);
    expect(errors).toEqual([]);
  });
});
