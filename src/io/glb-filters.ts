import { MeshoptEncoder } from 'meshoptimizer/encoder';

/**
 * The filters of EXT_meshopt_compression, which rewrite numbers before they are compressed. Normals and rotations lose
 * what 8 and 16 bits cannot say. Translations and scales are rounded before, where it is known what they mean, to whole
 * multiples of a step; the exponential filter then keeps every bit of them: as whole numbers, whose bytes compress well.
 */
export const FILTERING_ENCODER: typeof MeshoptEncoder = {
  ...MeshoptEncoder,
  encodeFilterExp: (source, count, stride) =>
    encodeMultiples(source) ?? MeshoptEncoder.encodeFilterExp(source, count, stride, 24),
};

/** Mantissas of the exponential filter are signed and of 24 bits. */
const LARGEST_MANTISSA = 2 ** 23 - 1;

/**
 * Numbers as m·2^e with one exponent for all: 24 bits for m, 8 for e (the extension's filter EXPONENTIAL). Undefined when
 * they are no multiples of a step that their size allows.
 */
export function encodeMultiples(source: Float32Array): Uint8Array | undefined {
  let largest = 0;
  for (const x of source) largest = Math.max(largest, Math.abs(x));
  // The largest power of two that divides all of them.
  let exponent = largest === 0 ? 0 : Math.ceil(Math.log2(largest));
  for (const x of source) {
    while (!Number.isInteger(x / 2 ** exponent)) {
      if (largest / 2 ** --exponent > LARGEST_MANTISSA) return undefined;
    }
  }
  if (exponent < -100 || exponent > 100) return undefined;
  const words = Int32Array.from(source, (x) => (exponent << 24) | ((x / 2 ** exponent) & 0xffffff));
  return new Uint8Array(words.buffer);
}

/** The power of two that is at most `step`. */
export const powerOfTwoBelow = (step: number): number => 2 ** Math.floor(Math.log2(step));
