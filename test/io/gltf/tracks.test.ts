import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyTimes, sampleTrack, type Track, timesBetween } from '../../../src/io/gltf/tracks.ts';
import { slerp } from '../../../src/math/quaternion.ts';
import { S } from './triangle.ts';

/** A track over the given keys. */
const track = (
  interpolation: Track['interpolation'],
  path: Track['path'],
  times: number[],
  values: number[],
): Track => {
  const curve = {
    node: 0,
    path,
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    stride: path === 'rotation' ? 4 : 3,
    interpolation,
  };
  return { ...curve, between: timesBetween(curve) };
};

describe('tracks', () => {
  const sample = (of: Track, t: number) => {
    const out = new Float64Array(of.stride);
    sampleTrack(of, t, out);
    return [...out];
  };

  it('are linear, or stay until the next key, and do not move before the first or after the last', () => {
    const values = [0, 0, 0, 2, 4, 6];
    const linear = track('LINEAR', 'translation', [1, 3], values);
    expect([0, 1, 1.5, 3, 9].map((t) => sample(linear, t))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0.5, 1, 1.5],
      [2, 4, 6],
      [2, 4, 6],
    ]);
    const step = track('STEP', 'translation', [1, 3], values);
    expect([0, 2.9, 3].map((t) => sample(step, t))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [2, 4, 6],
    ]);
  });

  it('turn on the sphere, the short way', () => {
    const a = [0, 0, 0, 1];
    const b = [0, -S, 0, -S]; // The same turn as (0, S, 0, S).
    const expected = [0, 0, 0, 0];
    slerp(expected, 0, a, 0, b, 0, 0.25);
    const got = sample(track('LINEAR', 'rotation', [0, 1], [...a, ...b]), 0.25);
    expect(got).toEqual(expected.map((x) => expect.closeTo(x, 6)));
    expect(got[1]).toBeCloseTo(Math.sin(Math.PI / 16), 6);
  });

  it('follow cubic splines exactly', () => {
    // x(t) = t³ − 2t between t = 0.5 and 2, from its values and slopes.
    const x = (t: number) => t ** 3 - 2 * t;
    const slope = (t: number) => 3 * t * t - 2;
    const key = (t: number) => [slope(t), 0, 0, x(t), t, 1, slope(t), 0, 0];
    const cubic = track('CUBICSPLINE', 'translation', [0.5, 2], [...key(0.5), ...key(2)]);
    for (const t of [0.5, 0.7, 1, 1.9, 2]) expect(sample(cubic, t)[0]).toBeCloseTo(x(t), 5);
    expect(sample(cubic, 1)[2]).toBeCloseTo(1, 6);
    expect(sample(cubic, 5)).toEqual([x(2), 2, 1]);
  });

  it('share the keys that differ by rounding only', () => {
    const a = track('STEP', 'scale', [0, 1 / 3, 1], Array(9).fill(1));
    const b = track('STEP', 'scale', [0, 1 / 3 + 1e-7, 2], Array(9).fill(1));
    expect([...keyTimes([a, b])]).toEqual([0, Math.fround(1 / 3 + 1e-7), 1, 2]);
  });

  it('have a time more just before every step that changes something', () => {
    const step = track('STEP', 'translation', [1, 2, 8], [0, 0, 0, 0, 0, 0, 0, 5, 0]);
    const times = keyTimes([step]);
    expect(times.length).toBe(4);
    expect(times[2]).toBeGreaterThan(8 - 1e-4);
    expect(Math.fround(times[2])).toBeLessThan(8);
    expect(sample(step, times[2])).toEqual([0, 0, 0]);
  });

  it('have times within cubic segments where those bend, so that chords follow the curve', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 9 * 4, maxLength: 9 * 4 }),
        (v) => {
          const cubic = track('CUBICSPLINE', 'translation', [0, 0.5, 0.625, 2], v);
          const times = keyTimes([cubic]);
          // 32 chords per segment, of ordinates that lie within ±4.4.
          const tolerance = (0.75 * 2 * Math.sqrt(3) * 8.8) / 32 ** 2;
          for (let k = 0; k + 1 < times.length; k++) {
            const [a, b] = [sample(cubic, times[k]), sample(cubic, times[k + 1])];
            for (const s of [0.25, 0.5, 0.75]) {
              const at = sample(cubic, times[k] + s * (times[k + 1] - times[k]));
              for (let c = 0; c < 3; c++) expect(Math.abs(at[c] - a[c] - s * (b[c] - a[c]))).toBeLessThan(tolerance);
            }
          }
        },
      ),
      { seed: 7, numRuns: 10 },
    );
    const straight = track(
      'CUBICSPLINE',
      'translation',
      [0, 1],
      [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0],
    );
    expect([...keyTimes([straight])]).toEqual([0, 1]);
  });
});
