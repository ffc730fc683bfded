import { describe, expect, it } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { measureDetail } from '../../src/measure/detail.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { measure } from '../../src/verbs/measure.ts';
import { expectRefusal } from '../refusal.ts';

const rest = sheet('sheet', 200, [0, 0, 0], [1, 0, 0], [0, 1, 0]);
/** A wave of some height that runs along the sheet. */
const wave = (height: number, frames = 6) =>
  memorySequence(
    'wave',
    rest,
    Array.from({ length: frames }, (_, k) =>
      rest.positions.map((x, c) => (c % 3 === 2 ? height * Math.sin(8 * rest.positions[c - 2] + k) : x)),
    ),
  );
const [truth, half, base] = [wave(0.02), wave(0.01), wave(0)];

describe('detail', () => {
  it('is all there in the original, and missing in the base', async () => {
    const all = await measureDetail(truth, truth, base);
    expect(all).toMatchObject({ detailRecoveredPercent: 100, vigour: 1, jitter: 1 });
    expect(all.normalErrorDegrees).toBeLessThan(0.1);
    const none = await measureDetail(truth, base, base);
    expect(none).toMatchObject({ detailRecoveredPercent: 0, jitter: 0 });
    expect(none.vigour).toBeCloseTo(0, 2);
    expect(none.normalErrorDegrees).toBeGreaterThan(1);
  });

  it('is three quarters there in waves of half the height, which are half as lively', async () => {
    const { detailRecoveredPercent, vigour, jitter } = await measureDetail(truth, half, base);
    expect(detailRecoveredPercent).toBeCloseTo(75, 3);
    expect(vigour).toBeCloseTo(0.5, 2);
    expect(jitter).toBeCloseTo(0.5, 5);
  });

  it('is measured where a base is given', async () => {
    const { report } = await measure([truth, half], { base });
    expect(report.figures.detailRecoveredPercent).toBeCloseTo(75, 3);
    const without = await measure([truth, half]);
    expect(without.report.figures).not.toHaveProperty('vigour');
  });

  it('needs one mesh and equal frames', async () => {
    const other = sheet('other', 100, [0, 0, 0], [1, 0, 0], [0, 1, 0]);
    await expectRefusal(measureDetail(truth, half, wave(0, 5)), 'bad-input');
    const frames = Array.from({ length: 6 }, () => other.positions);
    await expectRefusal(measureDetail(truth, half, memorySequence('other', other, frames)), 'bad-input', {
      option: 'base',
    });
  });
});
