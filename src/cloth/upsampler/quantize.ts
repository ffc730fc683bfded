/** Numbers as bytes, −127 … 127, in units of 1/127 of the largest of a group. */

const STEPS = 127;

/** `scale` such that values of up to `largest` fit: value = byte · scale. */
export const byteScale = (largest: number): number => largest / STEPS;

/** The largest absolute value of `values[begin + stride·q]`, q < count. */
export function largestOf(values: Float64Array, begin: number, stride: number, count: number): number {
  let largest = 0;
  for (let q = 0; q < count; q++) largest = Math.max(largest, Math.abs(values[begin + stride * q]));
  return largest;
}

export const toByte = (value: number, scale: number): number => (scale > 0 ? Math.round(value / scale) : 0);
