import { describe, expect, it } from 'vitest';
import { FIT_OPTIONS } from '../../src/fit/fit-options.ts';
import { type FewestBones, fewestBones } from '../../src/fit/targets/fewest-bones.ts';
import { QuickFits } from '../../src/fit/targets/quick-fits.ts';
import { outcome } from '../../src/fit/targets/search-error.ts';
import { note } from '../../src/model/note.ts';
import { defaultsOf } from '../../src/model/options.ts';

type Law = (bones: number) => number;

/** A search where errors follow laws: what came out, and the full fits that it took. */
async function search(maxError: number, quickly: Law, fully: Law, { most = 400, worst = (rmse: number) => rmse } = {}) {
  const tried: number[] = [];
  const quick = new QuickFits(most, async (bones) => ({ error: worst(quickly(bones)), rmse: quickly(bones) }));
  const result = await fewestBones(maxError, quick, async (bones) => {
    tried.push(bones);
    return { found: bones, boneCount: bones, error: worst(fully(bones)), rmse: fully(bones) };
  });
  return { ...result, bones: result.full.found, tried };
}

/** A motion of which 4/bones % are left, and noise of 1 % of which hardly anything is ever explained. */
const plateau: Law = (bones) => Math.hypot(4 / bones, 1 - bones / 20_000);

describe('fewest bones', () => {
  it.each([0.3, 1, 4])('reach a target of %d % where full fits gain what is usual', async (maxError) => {
    const { bones, ended, tried } = await search(
      maxError,
      (n) => 10 / n,
      (n) => 9.1 / n,
    );
    expect(ended).toBe('reached');
    expect(bones).toBeGreaterThanOrEqual(Math.ceil(9.1 / maxError));
    expect(bones).toBeLessThanOrEqual(Math.ceil((1.1 * 9.1) / maxError));
    expect(tried.length).toBeLessThanOrEqual(2);
  });

  it('learn from full fits that gain more, or less', async () => {
    for (const gain of [0.6, 1.3]) {
      const { bones, ended } = await search(
        0.2,
        (n) => 10 / n,
        (n) => (gain * 10) / n,
      );
      expect(ended).toBe('reached');
      expect(bones).toBeLessThanOrEqual(Math.ceil(1.1 * gain * 50));
    }
  });

  it('give up at once what quick fits show to be out of reach', async () => {
    const { bones, ended, tried, leastRmse } = await search(0.5, plateau, plateau);
    expect(ended).toBe('out of reach');
    expect(tried).toEqual([bones]);
    expect(bones).toBeLessThanOrEqual(16);
    expect(leastRmse).toBeLessThan(plateau(400));
    expect(leastRmse).toBeGreaterThan(0.5);
  });

  it('give up what a full fit shows to be out of reach, without fitting the most', async () => {
    // The quick fits promise 0.97 % with the usual gain; full ones gain nothing.
    const { bones, ended, tried, leastRmse } = await search(0.95, plateau, plateau);
    expect(ended).toBe('out of reach');
    expect(Math.max(...tried)).toBeLessThan(100);
    expect(bones).toBeLessThanOrEqual(16);
    expect(plateau(bones)).toBeLessThan(1.1 * plateau(400));
    expect(leastRmse).toBeGreaterThan(0.95);
    expect(leastRmse).toBeLessThanOrEqual(plateau(400));
  });

  it('keep the full fit in hand where it is nearly as good as many', async () => {
    const flat: Law = (n) => 1 - n / 20_000;
    const { bones, ended, tried } = await search(0.95, flat, flat);
    expect([bones, ended, tried]).toEqual([1, 'out of reach', [1]]);
  });

  it('are reached after all where the fit that was to remain is better than its forecast', async () => {
    const { ended, leastRmse } = await search(0.5, plateau, (n) => 0.4 * plateau(n));
    expect([ended, leastRmse]).toEqual(['reached', undefined]);
  });

  it('say apart that the full fits are used up', async () => {
    // Each full fit is a little worse than the quick ones let hope, and the next no better.
    let fits = 0;
    const { ended, tried, leastRmse } = await search(
      0.1,
      (n) => 10 / n,
      (n) => (10 * 1.08 ** ++fits) / n,
    );
    expect(ended).toBe('not reached');
    expect(tried).toHaveLength(6);
    expect(tried.at(-1)).toBeLessThan(400);
    expect(leastRmse).toBeUndefined();
  });

  it('end with the most where the worst distance, of which the RMSE tells nothing, stays', async () => {
    const { bones, ended, leastRmse } = await search(
      0.5,
      (n) => 0.1 / n,
      (n) => 0.1 / n,
      { most: 64, worst: () => 2 },
    );
    expect([bones, ended, leastRmse]).toEqual([64, 'out of reach', undefined]);
  });
});

describe('the note on a target out of reach', () => {
  const noted = (boneCount: number) => {
    const full = { found: undefined, boneCount, error: 0.003349, rmse: 0.003349 };
    const missed: FewestBones<unknown> = { full, ended: 'out of reach', leastRmse: 0.0029 };
    return outcome(missed, { ...defaultsOf(FIT_OPTIONS), maxError: 1e-5 }, 165);
  };

  it('tells what more bones would give', () =>
    expect(noted(40)).toEqual(
      note('target-missed', {
        bones: 40,
        targetPercent: 1e-5,
        errorPercent: 0.003349,
        least: { rmsePercent: 0.0029, bones: 165, errorMeasure: 'rmse' },
      }),
    ));

  it('tells one error of one number of bones', () =>
    expect(noted(165)).toEqual(
      note('target-missed', { bones: 165, targetPercent: 1e-5, errorPercent: 0.003349, mostBones: 165 }),
    ));
});
