import { describe, expect, it } from 'vitest';
import { heldBack, TORN } from '../../studio/src/core/learn/held-back.ts';

describe('dragged points', () => {
  /** A surface that is stretched as far as its one coordinate says. */
  const strainAt = ([x]: Float64Array): number => Math.abs(x);
  const from = (x: number, to: Float64Array) => heldBack(Float64Array.of(x), to, Math.abs(x), strainAt);
  const drag = (x: number, to: number) => from(x, Float64Array.of(to));

  it('go to their target while the surface stays whole', () => {
    const to = Float64Array.of(2);
    expect(from(0, to)).toEqual({ points: to, held: false });
  });

  it('stop where it would tear', () => {
    const { points, held } = drag(1, 9);
    expect(held).toBe(true);
    expect(points[0]).toBeLessThanOrEqual(TORN);
    expect(points[0]).toBeGreaterThan(TORN - 8 / 100);
  });

  it('of a torn surface may go back, but no further', () => {
    expect(drag(5, 4)).toEqual({ points: Float64Array.of(4), held: false });
    expect(drag(5, 8)).toEqual({ points: Float64Array.of(5), held: true });
  });

  it('that cannot move are returned as they are, not as a copy', () => {
    const limit = Float64Array.of(TORN);
    expect(heldBack(limit, Float64Array.of(8), TORN, strainAt).points).toBe(limit);
  });
});
