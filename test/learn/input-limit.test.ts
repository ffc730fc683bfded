import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { InputLimit } from '../../src/learn/regression/input-limit.ts';
import { trainKernel } from '../../src/regress/kernel.ts';
import { bendingTube } from './bending-tube.ts';

/** Four examples of three inputs, of which the third never moves. */
const INPUTS = Float64Array.of(3, 0, 7, -3, 0, 7, 0, 1, 7, 0, -1, 7);
const { kernel } = trainKernel('linear-gaussian', INPUTS, 3);
const limited = (limit: number, ...inputs: number[]): number[] => {
  const values = Float64Array.from(inputs);
  new InputLimit(kernel, limit).apply(values);
  return [...values];
};

describe('inputs', () => {
  it('within the examples stay as they are', () => {
    const limit = new InputLimit(kernel, 2);
    for (let k = 0; k < 4; k++) {
      const inputs = INPUTS.slice(3 * k, 3 * k + 3);
      expect(limit.apply(inputs)).toBe(false);
      expect(inputs).toEqual(INPUTS.slice(3 * k, 3 * k + 3));
    }
  });

  it('count for up to so many times their extent in each direction, for nothing where there is none', () => {
    expect(limited(2, 1e6, 0.5, 7)).toEqual([expect.closeTo(6, 9), expect.closeTo(0.5, 9), expect.closeTo(7, 9)]);
    expect(limited(2, -1, 1e6, 1e6)).toEqual([expect.closeTo(-1, 6), expect.closeTo(2, 6), expect.closeTo(7, 6)]);
    expect(limited(1, 4, -1.5, 7)).toEqual([expect.closeTo(3, 9), expect.closeTo(-1, 9), expect.closeTo(7, 9)]);
  });

  it('that are farther out count for more, but no more than they are', () => {
    const far = fc.double({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(far, far, (a, b) => {
        const [near, out] = [Math.min(a, b), Math.max(a, b)].map((x) => limited(2, x, 0, 7)[0]);
        expect(near).toBeLessThanOrEqual(out + 1e-12);
        expect(near).toBeLessThanOrEqual(Math.min(a, b) + 1e-9);
        expect(out).toBeLessThanOrEqual(6 + 1e-9);
      }),
      { seed: 3 },
    );
  });
});

describe('a predictor', () => {
  it('has a limit but where a linear kernel says that motions carry on; it changes nothing for examples', async () => {
    const tube = bendingTube([0, 0.7, 1.4, 2.1]);
    const given = { points: 3, bones: 6, kernel: 'linear-gaussian' } as const;
    const { predictor } = await learn([tube], given);
    expect(predictor.limit).toBe(2);
    const free = { ...predictor, limit: undefined };
    const [a, b] = [predictor, free].map((one) => new SurfaceDriver(one));
    const pose = await tube.readFrame(1);
    const goal = Float64Array.from([...predictor.points].flatMap((i) => [...pose.subarray(3 * i, 3 * i + 3)]));
    expect(a.drive(goal).positions).toEqual(b.drive(goal).positions);
    const far = goal.map((x) => 5 * x);
    expect(a.drive(far).positions).not.toEqual(b.drive(far).positions);
    expect((await learn([tube], { ...given, kernel: 'linear' })).predictor.limit).toBeUndefined();
    expect((await learn([tube], { ...given, limit: 0 })).predictor.limit).toBeUndefined();
    await expect(learn([tube], { limit: 0.5 })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-option', option: 'limit' }),
    );
  });
});
