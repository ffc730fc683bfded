import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { Pace } from '../../studio/src/viewport/pace.ts';

/** Milliseconds of a frame: the page's own work, and what follows from pixels and vertices. */
interface Machine {
  busy?: number;
  /** Of a sharp picture. */
  pixels?: number;
  vertices?: number;
  /** Of the screen. */
  rate?: number;
  full?: number;
  noise?: number;
}

/** A person in front of a machine. */
function simulate(pace: Pace, seed = 1) {
  const random = seededRandom(seed);
  let now = 1000;
  let busyBefore = 0;
  return {
    /** Draws while something changes in each frame, or in one of `every`, for so many ms; all ratios that were drawn with. */
    move(
      ms: number,
      { busy = 0, pixels = 0, vertices = 0, rate = 60, full = 1, noise = 0 }: Machine,
      every = 1,
    ): number[] {
      const drawn: number[] = [];
      for (let end = now + ms, frame = 0; now < end; frame++) {
        const ratio = pace.next({ now, changed: frame % every === 0, busy: busyBefore, full });
        if (ratio !== undefined) drawn.push(ratio);
        busyBefore = busy;
        const work = ratio === undefined ? 0 : busy + vertices + pixels * (ratio / full) ** 2;
        const noisy = work * (1 + noise * (2 * random() - 1));
        // Pictures wait for the screen.
        now += (Math.max(1, Math.ceil((noisy * rate) / 1000 - 1e-6)) * 1000) / rate;
      }
      return drawn;
    },
    /** Nothing changes for so many ms. */
    rest(ms: number, full = 1): number[] {
      const drawn: number[] = [];
      for (const end = now + ms; now < end; now += 1000 / 60) {
        const ratio = pace.next({ now, changed: false, busy: busyBefore, full });
        if (ratio !== undefined) drawn.push(ratio);
      }
      return drawn;
    },
  };
}

const SLOW: Machine = { pixels: 100 };
const changes = (drawn: readonly number[]): number =>
  drawn.filter((ratio, n) => n > 0 && ratio !== drawn[n - 1]).length;

describe('how finely a moving view is drawn', () => {
  it('is sharp on a fast machine with any screen', () => {
    for (const [pixels, rate, full] of [
      [5, 60, 1],
      [5, 144, 2],
      [30, 60, 2],
      [20, 30, 1],
    ]) {
      const person = simulate(new Pace());
      expect(new Set(person.move(5000, { pixels, rate, full }))).toEqual(new Set([full]));
      expect(person.rest(1000, full)).toEqual([]);
    }
  });

  it('redraws at rest if moving frames lack more than pixels', () => {
    const person = simulate(new Pace(true));
    expect(new Set(person.move(2000, { pixels: 5 }))).toEqual(new Set([1]));
    expect(person.rest(1000)).toEqual([1]);
    expect(person.rest(1000)).toEqual([]);
  });

  it('draws a single change in full quality if moving frames lack more than pixels', () => {
    const pace = new Pace(true);
    const person = simulate(pace);
    expect([person.move(1, SLOW), pace.rough]).toEqual([[1], false]);
    expect(person.rest(1000)).toEqual([]);
    person.move(100, { pixels: 5 });
    expect(pace.rough).toBe(true);
    expect([person.rest(1000), pace.rough]).toEqual([[1], false]);
    const quick = new Pace();
    simulate(quick).move(100, SLOW);
    expect(quick.rough).toBe(false);
  });

  it('gets coarser within a second if pixels are slow, down to the limit', () => {
    const person = simulate(new Pace());
    const drawn = person.move(1200, SLOW);
    expect(drawn[0]).toBe(1);
    expect(drawn.at(-1)).toBe(0.5);
    expect(person.move(20_000, { pixels: 1000 }).at(-1)).toBe(0.5);
  });

  it('reaches the same pixels on a finer screen', () => {
    const drawn = simulate(new Pace()).move(6000, { pixels: 400, full: 2 });
    expect(drawn.at(-1)).toBe(0.5);
    expect(simulate(new Pace()).move(6000, { pixels: 60, full: 2 }).at(-1)).toBeCloseTo(Math.SQRT2);
  });

  it('recovers after leaving a finer screen', () => {
    const person = simulate(new Pace());
    expect(person.move(6000, { pixels: 400, full: 2 }).at(-1)).toBe(0.5);
    expect(person.move(200, { pixels: 10, full: 1 }).at(-1)).toBe(0.5);
    // Two steps from there to a sharp picture, not four.
    const drawn = person.move(9000, { pixels: 10, full: 1 });
    expect([changes(drawn), drawn.at(-1)]).toEqual([2, 1]);
    const tried = drawn.findIndex((ratio) => ratio > 0.5);
    expect(tried).toBeLessThan(130);
  });

  it('is sharp at rest, and coarse as soon as it moves again', () => {
    const person = simulate(new Pace());
    person.move(2000, SLOW);
    expect(person.rest(1000)).toEqual([1]);
    const again = person.move(300, SLOW);
    expect(again.slice(0, 3)).toEqual([1, 0.5, 0.5]);
  });

  it('draws single changes sharply', () => {
    const person = simulate(new Pace());
    person.move(2000, SLOW);
    person.rest(1000);
    for (let n = 0; n < 5; n++) {
      expect(person.move(1, SLOW)).toEqual([1]);
      expect(person.rest(500)).toEqual([]);
    }
  });

  it('treats a clip with few frames as one motion', () => {
    const person = simulate(new Pace());
    const drawn = person.move(3000, SLOW, 3);
    expect(drawn.at(-1)).toBeCloseTo(Math.SQRT1_2);
    expect(changes(drawn)).toBe(1);
  });

  it('does not oscillate', () => {
    for (let seed = 1; seed <= 20; seed++) {
      for (const pixels of [40, 60, 90, 150]) {
        const person = simulate(new Pace(), seed);
        const drawn = person.move(60_000, { pixels, noise: 0.3 });
        expect(changes(drawn), `seed ${seed}, ${pixels} ms`).toBeLessThanOrEqual(10);
      }
    }
  });

  it('recovers when there is time again', () => {
    const person = simulate(new Pace());
    person.move(3000, { pixels: 100 });
    expect(person.move(8000, { pixels: 10 }).at(-1)).toBe(1);
  });

  it('does not change a view limited by the page or by vertices', () => {
    expect(new Set(simulate(new Pace()).move(5000, { busy: 80 }))).toEqual(new Set([1]));
    const drawn = simulate(new Pace()).move(9000, { vertices: 80, pixels: 3 });
    expect(changes(drawn)).toBe(2);
    expect(drawn.at(-1)).toBe(1);
    expect(drawn.filter((ratio) => ratio < 1).length).toBeLessThan(25);
  });

  it('notices that sharp frames are slower than they seemed', () => {
    const person = simulate(new Pace());
    // Quick frames while it loads; then pixels that are a third of what takes time.
    person.move(400, { vertices: 55 });
    const drawn = person.move(9000, { vertices: 60, pixels: 35 });
    expect(drawn.at(-1)).toBe(0.5);
    expect(changes(drawn)).toBeLessThanOrEqual(4);
    expect(drawn.filter((ratio) => ratio < 1).length).toBeGreaterThan(drawn.length / 2);
  });

  it('ignores the gap of a hidden page', () => {
    const pace = new Pace();
    simulate(pace).move(2000, { pixels: 5 });
    expect(pace.next({ now: 600_000, changed: true, busy: 0, full: 1 })).toBe(1);
    for (let now = 600_016; now < 602_000; now += 16)
      expect(pace.next({ now, changed: true, busy: 1, full: 1 })).toBe(1);
  });
});
