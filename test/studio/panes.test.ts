import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paneAt, panesOf, shapeOf, sideBySide } from '../../studio/src/core/view/panes.ts';
import { labelPlace } from '../../studio/src/core/view/view-labels.ts';

describe('panes', () => {
  it('cover the view once in every comparison', () => {
    const wipe = fc.double({ min: 0, max: 1, noNaN: true });
    const comparison = fc.constantFrom('original', 'fitted', 'side', 'overlay', 'wipe' as const);
    fc.assert(
      fc.property(comparison, wipe, fc.boolean(), fc.boolean(), (shown, at, upright, narrow) => {
        const panes = panesOf(shown, at, { upright, narrow });
        const area = panes.reduce((sum, { seen: [from, to], height }) => sum + (to - from) * height, 0);
        expect(area).toBeCloseTo(1, 9);
        // One camera serves all of them.
        for (const { width, height } of panes) expect(width / height).toBeCloseTo(panes[0].width / panes[0].height, 9);
      }),
      { seed: 5 },
    );
  });

  it('original, fitted and difference are side by side or stacked', () => {
    expect(panesOf('side', 0.5, shapeOf(960, 500)).map(({ shows }) => shows)).toEqual([
      'original',
      'fitted',
      'difference',
    ]);
    expect(panesOf('side', 0.5, shapeOf(960, 500)).map(({ left }) => left)).toEqual([0, 1 / 3, 2 / 3]);
    expect(panesOf('side', 0.5, shapeOf(700, 900)).map(({ top }) => top)).toEqual([0, 1 / 3, 2 / 3]);
    const four = sideBySide(['coarse', 'embedding', 'folds', 'truth'], shapeOf(960, 500));
    expect(four.map(({ left, top }) => [left, top])).toEqual(
      [0, 0.5].flatMap((top) => [0, 0.5].map((left) => [left, top])),
    );
    // A phone has room for two.
    const narrow = panesOf('side', 0.5, shapeOf(390, 400));
    expect(narrow.map(({ shows, left }) => [shows, left])).toEqual([
      ['fitted', 0],
      ['difference', 0.5],
    ]);
  });
});

describe('a label beside a ring', () => {
  it('stays in its pane, and off the ring', () => {
    const place = { x: fc.double({ min: 0, max: 200, noNaN: true }), y: fc.double({ min: 10, max: 400, noNaN: true }) };
    fc.assert(
      fc.property(place.x, place.y, fc.integer({ min: 20, max: 190 }), (x, y, wide) => {
        const label = labelPlace({ x: x + 195, y, pane: [195, 395] }, wide);
        expect(x + label.x).toBeGreaterThanOrEqual(0);
        expect(x + label.x + wide).toBeLessThanOrEqual(200 + 1e-9);
        expect(y + label.y).toBeGreaterThanOrEqual(10);
        expect(label.x >= 14 || label.x + wide <= -14 || Math.abs(label.y) >= 26).toBe(true);
      }),
      { seed: 7 },
    );
  });
});

describe('the pane at a place', () => {
  it('is the visible one', () => {
    const beside = panesOf('side', 0.5, shapeOf(960, 500));
    expect([0, 0.4, 0.99].map((x) => paneAt(beside, x, 0.5))).toEqual(beside);
    const below = panesOf('side', 0.5, shapeOf(700, 900));
    expect([0, 0.4, 0.99].map((y) => paneAt(below, 0.5, y))).toEqual(below);
    const wiped = panesOf('wipe', 0.3, shapeOf(960, 500));
    expect([0.2, 0.4].map((x) => paneAt(wiped, x, 0.5))).toEqual(wiped);
    expect(paneAt(beside, 2, 0.5)).toBe(beside[0]);
  });
});
