import { heatInto } from '../../../../src/report/colors.ts';

/** Errors of a frame: distances between vertices of equal index. */
export interface FrameErrors {
  /** N, in % of the diagonal. */
  percent: Float32Array;
  worst: number;
}

/** @param original 3N @param fitted 3N */
export function frameErrors(original: Float32Array, fitted: Float32Array, diagonal: number): FrameErrors {
  const percent = new Float32Array(original.length / 3);
  let worst = 0;
  for (let i = 0; i < percent.length; i++) {
    const dx = original[3 * i] - fitted[3 * i];
    const dy = original[3 * i + 1] - fitted[3 * i + 1];
    const dz = original[3 * i + 2] - fitted[3 * i + 2];
    percent[i] = (100 * Math.sqrt(dx * dx + dy * dy + dz * dz)) / diagonal;
    if (percent[i] > percent[worst]) worst = i;
  }
  return { percent, worst };
}

/**
 * 3N linear RGB: the scale of the report page, from 0 to `top`. With `lines` 4N: the fourth number is where on the scale a
 * vertex is, 0…1, for lines of equal value.
 */
export function heatColours(values: Float32Array, top: number, lines = false): Float32Array {
  const stride = lines ? 4 : 3;
  const colours = new Float32Array(stride * values.length);
  for (let i = 0; i < values.length; i++) {
    const share = Math.min(1, values[i] / top);
    heatInto(colours, stride * i, share);
    if (lines) colours[stride * i + 3] = share;
  }
  return colours;
}

/** Ends of scales whose quarters are short numbers too. */
const ENDS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The end of a scale for a value: a short decimal, not much larger than the value. */
export function roundTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const end = ENDS.find((some) => some >= (value / power) * (1 - 1e-9)) ?? 10;
  // Divide for powers below 1: 3·0.1 has more digits than 3/10.
  return power < 1 ? end / Math.round(1 / power) : end * power;
}
