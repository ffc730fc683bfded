import { describe, expect, it } from 'vitest';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';

const draw = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

describe('seededRandom', () => {
  it('repeats for a seed and differs between seeds', () => {
    expect(draw(1, 100)).toEqual(draw(1, 100));
    expect(draw(1, 5)).not.toEqual(draw(2, 5));
    expect(new Set([0, 1, 2, 3, 4, -1, 2 ** 31].map((seed) => draw(seed, 1)[0])).size).toBe(7);
  });

  it('gives the same numbers on every machine', () => {
    expect(draw(42, 3)).toEqual([0.6011037519201636, 0.44829055899754167, 0.8524657934904099]);
  });

  it('is uniform in [0, 1)', () => {
    const values = draw(7, 100_000);
    expect(Math.min(...values.slice(0, 50_000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values.slice(0, 50_000))).toBeLessThan(1);
    const bins = new Array(20).fill(0);
    for (const x of values) bins[Math.floor(20 * x)]++;
    // χ² with 19 degrees of freedom is above 43.8 once in a thousand.
    expect(bins.reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0)).toBeLessThan(43.8);
    const lag = values.slice(1).reduce((sum, x, q) => sum + (x - 0.5) * (values[q] - 0.5), 0) / values.length;
    expect(Math.abs(lag) * 12).toBeLessThan(0.015);
  });
});

describe('randomNormal', () => {
  it('has mean 0, variance 1, no skew, kurtosis 3, and is always finite', () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 200_000 }, () => randomNormal(random));
    const moment = (power: number) => values.reduce((sum, x) => sum + x ** power, 0) / values.length;
    expect(values.every(Number.isFinite)).toBe(true);
    expect(moment(1)).toBeCloseTo(0, 1.7);
    expect(moment(2)).toBeCloseTo(1, 1.7);
    expect(moment(3)).toBeCloseTo(0, 1);
    expect(moment(4)).toBeCloseTo(3, 0.7);
    expect(Number.isFinite(randomNormal(() => 0))).toBe(true);
  });
});
