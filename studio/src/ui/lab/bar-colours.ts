import { type Colour, cssColour, oklch } from '../../../../src/report/colors.ts';

/** Quads whose area is below this share are turned over; others have one of so many colours, from half to 1.5. */
export const TURNED = -1e-3;
export const SHADES = 32;

/** Blue where area was lost, orange where it was gained, by half each; red where it is turned over. */
export function ratioColour(ratio: number, dark: boolean): Colour {
  if (ratio < TURNED) return oklch(0.58, 0.2, 20);
  const t = Math.max(-1, Math.min(1, 2 * (ratio - 1)));
  const strength = Math.sqrt(Math.max(0, Math.abs(t) - 0.02));
  const even = dark ? 0.5 : 0.84;
  if (strength === 0) return oklch(even, 0.012, 250);
  return oklch(even + strength * ((t < 0 ? 0.58 : 0.72) - even), 0.015 + 0.14 * strength, t < 0 ? 250 : 60);
}

/** The scale of the colours, as a CSS background. */
export const AREA_RAMP = `linear-gradient(to right, ${Array.from({ length: 17 }, (_, s) =>
  cssColour(ratioColour(0.5 + s / 16, false)),
).join(', ')})`;
