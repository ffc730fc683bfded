import { heat } from '../../../src/report/colors.ts';

/** Where a frame is wrong: distances between vertices of equal index. */
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

const STEPS = 256;
const TABLE = Float32Array.from({ length: 3 * STEPS }, (_, c) => heat(Math.floor(c / 3) / (STEPS - 1))[c % 3]);

/** 3N linear RGB: the scale of the report page, from 0 to `top`. */
export function heatColours(percent: Float32Array, top: number): Float32Array {
  const colours = new Float32Array(3 * percent.length);
  for (let i = 0; i < percent.length; i++) {
    const step = Math.round(Math.min(1, percent[i] / top) * (STEPS - 1));
    for (let c = 0; c < 3; c++) colours[3 * i + c] = TABLE[3 * step + c];
  }
  return colours;
}

/** A round number near the end of the scale: 1, 2 or 5 times a power of ten. */
export function roundTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (value / power <= 1 ? 1 : value / power <= 2 ? 2 : value / power <= 5 ? 5 : 10) * power;
}
