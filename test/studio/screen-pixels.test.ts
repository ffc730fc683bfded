import fc from 'fast-check';
import { expect, it } from 'vitest';
import { screenPixels } from '../../studio/src/viewport/pane-target.ts';

it('flips rows', () => {
  const drawn = Uint8Array.from({ length: 4 * 3 * 2 }, (_, n) => n);
  const pixels = new Uint8ClampedArray(drawn.length);
  screenPixels(drawn, 3, pixels, true);
  expect([...pixels.subarray(0, 12)]).toEqual([...drawn.subarray(12)]);
  expect([...pixels.subarray(12)]).toEqual([...drawn.subarray(0, 12)]);
});

it('undoes premultiplied alpha as exactly as bytes allow', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }), fc.integer({ min: 1, max: 255 }), (rgb, a) => {
      const drawn = Uint8Array.from([...rgb.map((c) => Math.round((c * a) / 255)), a]);
      const pixels = new Uint8ClampedArray(4);
      screenPixels(drawn, 1, pixels, false);
      rgb.forEach((c, n) => {
        expect(Math.abs(pixels[n] - c)).toBeLessThanOrEqual(0.5 + (0.5 * 255) / a);
      });
      expect(pixels[3]).toBe(a);
    }),
    { seed: 1 },
  );
});

it('keeps transparent pixels empty', () => {
  const pixels = new Uint8ClampedArray(4).fill(9);
  screenPixels(new Uint8Array(4), 1, pixels, false);
  expect([...pixels]).toEqual([0, 0, 0, 0]);
});
