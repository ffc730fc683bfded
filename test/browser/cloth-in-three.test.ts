import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { largestDistance } from '../io/gltf/fixtures.ts';
import { describeInBrowser } from './chromium.ts';
import type { ClothPage } from './pages/cloth-mesh.ts';

const FRAMES = 12;

describeInBrowser('cloth in three.js', (harness) => {
  /** Positions after each of a few frames of the walk. */
  const run = (page: Page, worker: boolean) =>
    page.evaluate(
      async ([frames, inWorker]) => {
        const { wear, stepped, draw, read } = globalThis as unknown as ClothPage;
        const made = await wear('cape', 'walk', 800, { coarseVertices: 80, settle: 0.3, worker: inWorker });
        const seen = [];
        for (let k = 1; k <= frames; k++) {
          await stepped(k);
          draw(2.6);
          if (k % 4 === 0) seen.push(read());
        }
        return { ...made, seen };
      },
      [FRAMES, worker] as const,
    );

  it('is where the CPU has it, in a worker too, without complaints', async () => {
    const { page, errors } = await harness.open('cloth-mesh.ts');
    const here = await run(page, false);
    const there = await run(page, true);
    expect([here.inWorker, there.inWorker]).toEqual([false, true]);
    here.seen.forEach(({ gpu, cpu }, k) => {
      expect(largestDistance(gpu, cpu)).toBeLessThan(1e-6);
      expect(cpu.every((x) => Math.abs(x) < 2)).toBe(true);
      expect(largestDistance(there.seen[k].gpu, there.seen[k].cpu)).toBeLessThan(1e-6);
      expect(largestDistance(there.seen[k].cpu, cpu)).toBeLessThan(1e-6);
    });
    expect(largestDistance(here.seen[0].cpu, here.seen[2].cpu)).toBeGreaterThan(0.01);
    expect(errors).toEqual([]);
  });

  it.each([false, true])('goes where the figure goes while nobody sees it; worker: %s', async (worker) => {
    const { page, errors } = await harness.open('cloth-mesh.ts');
    await page.evaluate((inWorker) => {
      const { wear } = globalThis as unknown as ClothPage;
      return wear('cape', 'walk', 300, { coarseVertices: 60, settle: 0.3, worker: inWorker });
    }, worker);
    const { slept, farthest, woke } = await page.evaluate(() => (globalThis as unknown as ClothPage).wander());
    expect({ slept, woke }).toEqual({ slept: true, woke: true });
    expect(farthest).toBeLessThan(0.6);
    expect(errors).toEqual([]);
  });

  it('is computed on the page where no worker can be started', async () => {
    const { page, errors } = await harness.open('cloth-mesh.ts');
    await page.route(/cloth-worker/, (route) => route.abort());
    const { inWorker } = await run(page, true);
    expect(inWorker).toBe(false);
    // The browser itself tells that the script did not load; nothing else does.
    expect(errors.filter((error) => !/Failed to load resource|ERR_FAILED/.test(error))).toEqual([]);
  });
});
