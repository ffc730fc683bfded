import { describe, expect, it } from 'vitest';
import { steadyTimes } from '../../src/model/sequence.ts';
import { isWhole, rangeWithin } from '../../studio/src/core/view/frame-range.ts';
import { placeOfLegend } from '../../studio/src/film/labels.ts';
import { cutFilm } from '../../studio/src/film/moments.ts';

describe('an animation', () => {
  it('has every frame once, at its time', () => {
    const { moments, length } = cutFilm(Float64Array.of(2, 2.5, 4), { from: 0, to: 2 }, 2, false);
    expect(moments).toEqual([
      { frame: 0, turn: 0, start: 0 },
      { frame: 1, turn: 0, start: 0.25 },
      { frame: 2, turn: 0, start: 1 },
    ]);
    expect(length).toBe(1.5);
  });

  it('orbits in small steps for any motion', () => {
    const smooth = cutFilm(steadyTimes(48, 24), { from: 0, to: 47 }, 1, true);
    expect([smooth.moments.length, smooth.length]).toEqual([48, 2]);
    expect(smooth.moments[12].turn).toBe(0.25);
    const coarse = cutFilm(steadyTimes(4, 2), { from: 0, to: 3 }, 1, true);
    expect([coarse.moments.length, coarse.length]).toEqual([60, 2]);
    expect(coarse.moments.map(({ frame }) => frame).filter((frame) => frame === 3)).toHaveLength(15);
    const still = cutFilm(Float64Array.of(0), { from: 0, to: 0 }, 1, true);
    expect([still.moments.length, still.length, still.moments.at(-1)?.frame]).toEqual([120, 4, 0]);
  });

  it('of some frames starts with the first and lasts as long as they do', () => {
    const { moments, length } = cutFilm(Float64Array.of(0, 1, 3, 4), { from: 1, to: 2 }, 2, false);
    expect(moments).toEqual([
      { frame: 1, turn: 0, start: 0 },
      { frame: 2, turn: 0, start: 1 },
    ]);
    expect(length).toBe(2);
    const one = cutFilm(steadyTimes(9, 24), { from: 5, to: 5 }, 1, false);
    expect(one.moments).toEqual([{ frame: 5, turn: 0, start: 0 }]);
    const around = cutFilm(steadyTimes(9, 2), { from: 4, to: 6 }, 1, true);
    expect([around.moments[0].frame, around.moments.at(-1)!.frame, around.moments.length]).toEqual([4, 6, 45]);
  });

  it('has the requested frames, clamped to the motion', () => {
    expect(rangeWithin({}, 9)).toEqual({ from: 0, to: 9 });
    expect(rangeWithin({ from: 3, to: 5 }, 9)).toEqual({ from: 3, to: 5 });
    expect(rangeWithin({ from: 3, to: 50 }, 9)).toEqual({ from: 3, to: 9 });
    expect(rangeWithin({ from: 30, to: 50 }, 9)).toEqual({ from: 0, to: 9 });
    expect([isWhole({ from: 0, to: 9 }, 9), isWhole({ from: 1, to: 9 }, 9)]).toEqual([true, false]);
  });

  it('fits its scales into the picture, stacked if it is narrow', () => {
    expect([0, 1, 2].map((at) => placeOfLegend(at, 700))).toEqual([
      { column: 0, row: 0 },
      { column: 1, row: 0 },
      { column: 0, row: 1 },
    ]);
    expect(placeOfLegend(1, 540)).toEqual({ column: 0, row: 1 });
  });
});
