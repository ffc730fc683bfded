import { describe, expect, it } from 'vitest';
import { bird, figure, spikes, toy } from '../../bench/fit-growth-cases.ts';
import { fit } from '../../src/fit/fit.ts';
import type { FitOptions } from '../../src/fit/fit-options.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { bendingSheet } from './bending-sheet.ts';

/** Errors below this, in % of the diagonal, count as none. */
const NONE = 0.005;
/** Tracks are in single precision: what is equal may differ by this much. */
const ROUNDING = 1 + 1e-5;

const errorOf = async (sequence: MeshSequence, options: Partial<FitOptions>): Promise<number> =>
  (await fit(sequence, { inBetween: 0, ...options })).errors.rmsePercent!;

async function expectOrder(sequence: MeshSequence, options: Partial<FitOptions>): Promise<void> {
  const rigid = await errorOf(sequence, { ...options, kind: 'rigid' });
  const trs = await errorOf(sequence, { ...options, kind: 'trs' });
  const affine = await errorOf(sequence, { ...options, kind: 'affine' });
  expect(trs).toBeLessThanOrEqual(Math.max(NONE, ROUNDING * rigid));
  expect(affine).toBeLessThanOrEqual(Math.max(NONE, ROUNDING * trs));
}

describe('richer bones', () => {
  it.each([
    ['a toy of as many rigid parts', toy(10, 4, 8), 10],
    ['a toy of more parts', toy(12, 4, 6), 8],
    ['a toy that gives', toy(8, 4, 6, 0.02), 8],
    ['a bird', bird(12, 12), 6],
    ['spikes', spikes(20, 10, 8), 10],
    ['cloth', bendingSheet(16, 10, 12), 6],
    ['cloth with a few bones', bendingSheet(8, 8, 6), 3],
  ] as const)('are no worse than poorer ones on %s', async (_, sequence, bones) => {
    await expectOrder(sequence, { bones });
  });

  it.each(['lbs', 'dqs'] as const)('are no worse than poorer ones on a figure: %s', async (operator) => {
    await expectOrder(await figure(2500, 5, 'dance', operator), { bones: 6, sample: 300 });
  });

  it.each([
    ['searched on a sample of the vertices', bendingSheet(30, 20, 10), { sample: 150 }],
    ['searched on some of the frames', bird(6, 80), {}],
    ['with weights in 8 bits', bendingSheet(12, 8, 8), { weightLevels: 255 }],
    ['settled as far as it goes', bird(10, 12), { steadiness: 20 }],
  ] as const)('are no worse than poorer ones %s', async (_, sequence, options) => {
    await expectOrder(sequence, { bones: 5, ...options });
  });
});

describe('more bones', () => {
  it.each([
    ['a toy of rigid parts', toy(8, 4, 8), [8, 10, 16, 32]],
    ['spikes', spikes(12, 8, 8), [8, 16, 40]],
    ['cloth', bendingSheet(12, 8, 10), [4, 8, 16]],
    ['a toy that gives', toy(6, 4, 8, 0.02), [6, 9, 18]],
  ] as const)('are no worse than fewer on %s', async (_, sequence, counts) => {
    let least = Infinity;
    for (const bones of counts) {
      const error = await errorOf(sequence, { kind: 'rigid', bones });
      expect(error).toBeLessThanOrEqual(Math.max(NONE, 1.02 * least));
      least = Math.min(least, error);
    }
  });
});
