import { describe, expect, it } from 'vitest';
import { QuickFits } from '../../src/fit/targets/quick-fits.ts';

/** A search over errors that follow a law, and the numbers of bones that it tried. */
function search(most: number, rmseAt: (bones: number) => number, errorAt = rmseAt) {
  const tried: number[] = [];
  const fits = new QuickFits(most, async (bones) => {
    tried.push(bones);
    return { error: errorAt(bones), rmse: rmseAt(bones) };
  });
  return { fits, tried };
}

/** What bones leave of noise of 1 %: each explains as much as four vertices hold. */
const noise = (vertices: number) => (bones: number) => Math.sqrt(Math.max(0, 1 - (4 * bones) / vertices));

describe('quick fits', () => {
  it.each([0.1, 0.5, 3])('find the number that a power law says: %d %', async (limit) => {
    const { fits, tried } = search(400, (bones) => 10 / bones);
    const exact = Math.ceil(10 / limit);
    const found = (await fits.smallest(limit))!;
    expect(found).toBeGreaterThanOrEqual(exact);
    expect(found).toBeLessThanOrEqual(Math.ceil(1.05 * exact));
    expect(new Set(tried).size).toBe(tried.length);
    expect(tried.length).toBeLessThan(12);
  });

  it('are not repeated when another limit is asked for', async () => {
    const { fits, tried } = search(400, (bones) => 10 / bones);
    const first = await fits.smallest(0.5);
    const before = tried.length;
    expect(await fits.smallest(0.5)).toBe(first);
    expect(tried.length).toBe(before);
    expect(await fits.smallest(0.48)).toBeGreaterThan(first!);
    expect(tried.length).toBeLessThan(before + 3);
  });

  it('give noise up after a few, and say what it comes to at best', async () => {
    const { fits, tried } = search(400, noise(20_000));
    expect(await fits.smallest(0.3)).toBeUndefined();
    expect(tried).toEqual([4, 8, 16, 32]);
    expect(fits.leastRmse()).toBeCloseTo(noise(20_000)(400), 6);
    expect(fits.nearlyBest()).toBe(4);
  });

  it('give up noise as fits really leave it', async () => {
    // 5,000 vertices, 30 frames: each doubling of the bones gains a quarter more than the one before.
    const real = (bones: number) => Math.sqrt(0.96 - (0.033 * (1.25 ** Math.log2(bones / 4) - 1)) / 0.25);
    expect([4, 8, 16, 32, 64].map((bones) => Number(real(bones).toFixed(2)))).toEqual([0.98, 0.96, 0.94, 0.91, 0.88]);
    const { fits, tried } = search(400, real);
    expect(await fits.smallest(0.3)).toBeUndefined();
    expect(tried).toEqual([4, 8, 16, 32]);
    expect(fits.leastRmse()).toBeLessThan(real(400));
  });

  it('do not give up pieces within pieces', async () => {
    const limbs = (bones: number) => (bones < 24 ? 10 : Math.sqrt(Math.max(0, 1 - (bones - 24) / 200)));
    expect(await search(400, limbs).fits.smallest(0.1)).toBeLessThan(235);
  });

  it('give up where a motion ends and noise begins, with bones for the motion', async () => {
    const { fits, tried } = search(400, (bones) => Math.hypot(20 / bones ** 2, noise(20_000)(bones)));
    expect(await fits.smallest(0.3)).toBeUndefined();
    expect(Math.max(...tried)).toBeLessThanOrEqual(128);
    expect(fits.nearlyBest()).toBe(8);
  });

  it('do not give up noise that as many bones as are tried would explain, nor a hundred loose pieces', async () => {
    expect(await search(300, noise(900)).fits.smallest(0.3)).toBeLessThan(225);
    const pieces = (bones: number) => Math.sqrt(Math.max(0, 1 - bones / 100));
    expect(await search(400, pieces).fits.smallest(0.01)).toBeLessThanOrEqual(104);
  });

  it('do not give up a vertex that moves alone, which gets its bone late', async () => {
    const { fits } = search(
      400,
      (bones) => 0.1 / bones,
      (bones) => (bones < 90 ? 5 : 0.1),
    );
    expect(await fits.smallest(0.5)).toBeLessThanOrEqual(94);
  });

  it('with few vertices end at all of them', async () => {
    const { fits, tried } = search(3, () => 1);
    expect(await fits.smallest(0.5)).toBeUndefined();
    expect(tried).toEqual([3]);
    expect(fits.leastRmse()).toBe(1);
  });
});
