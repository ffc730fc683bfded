import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steadyProgress } from '../../studio/src/core/jobs/steady-progress.ts';

describe('the progress of a job', () => {
  it('never runs backwards, and stays within 0…1', () => {
    const label = fc.constantFrom('reading', 'placing bones', 'refining', 'moving bones', 'measuring', 'unheard of');
    const step = fc.tuple(label, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(fc.constantFrom('fit', 'save', 'mix'), fc.array(step), (kind, steps) => {
        const progress = steadyProgress(kind as 'fit', () => 0);
        let last = 0;
        for (const [name, done, total] of steps) {
          const { share = last } = progress(done, total, name);
          expect(share).toBeGreaterThanOrEqual(last);
          expect(share).toBeLessThanOrEqual(1);
          last = share;
        }
      }),
    );
  });

  it('goes on where stages come again', () => {
    const progress = steadyProgress('fit', () => 0);
    progress(1, 1, 'measuring');
    const shares = [0, 0.5, 1].map((done) => progress(done, 1, 'refining').share!);
    expect(shares[1]).toBeGreaterThan(shares[0]);
    expect(shares[2]).toBeGreaterThan(shares[1]);
  });

  it('tells the time that is left, once it can be known', () => {
    let now = 0;
    const progress = steadyProgress('save', () => now);
    now = 1;
    expect(progress(1, 2, 'saving').left).toBeUndefined();
    now = 10;
    const { share, left } = progress(1, 2, 'saving');
    expect(left).toBeCloseTo((10 * (1 - share!)) / share!);
  });
});
