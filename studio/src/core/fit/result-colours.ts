import { cssColour, oklch } from '../../../../src/report/colors.ts';

/** A colour for each result, seen on light and on dark: blue first, neighbours far apart. */
export const resultColour = (id: number): string => cssColour(oklch(0.62, 0.15, (255 + (id - 1) * 137.508) % 360));
