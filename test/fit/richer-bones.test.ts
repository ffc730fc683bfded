import { describe, expect, it } from 'vitest';
import { bird, spikes, toy } from '../../bench/fit-growth-cases.ts';
import { fit } from '../../src/fit/fit.ts';
import type { FitOptions } from '../../src/fit/fit-options.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';

/** Errors below this, in % of the diagonal, count as none. */
const NONE = 0.005;

const errorOf = async (sequence: MeshSequence, kind: FitOptions['kind'], bones: number): Promise<number> =>
  (await fit(sequence, { kind, bones, inBetween: 0 })).errors.rmsePercent!;

describe('richer bones', () => {
  it.each([
    ['a toy of as many rigid parts', toy(10, 4, 12), 10],
    ['a toy of more parts', toy(14, 4, 12), 10],
    ['a toy that gives', toy(9, 4, 12, 0.02), 10],
    ['a bird', bird(12, 16), 6],
    ['spikes', spikes(20, 10, 12), 10],
  ] as const)('are no worse than poorer ones on %s', async (_, sequence, bones) => {
    const rigid = await errorOf(sequence, 'rigid', bones);
    const trs = await errorOf(sequence, 'trs', bones);
    const affine = await errorOf(sequence, 'affine', bones);
    expect(trs).toBeLessThanOrEqual(Math.max(NONE, rigid));
    expect(affine).toBeLessThanOrEqual(Math.max(NONE, trs));
  });
});

describe('more bones', () => {
  it.each([
    ['a toy of rigid parts', toy(8, 4, 12), [8, 10, 16, 32]],
    ['spikes', spikes(12, 8, 10), [8, 16, 40]],
  ] as const)('are no worse than fewer on %s', async (_, sequence, counts) => {
    let least = Infinity;
    for (const bones of counts) {
      const error = await errorOf(sequence, 'rigid', bones);
      expect(error).toBeLessThanOrEqual(Math.max(NONE, 1.02 * least));
      least = Math.min(least, error);
    }
  });
});
