import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { PliantError } from '../../error.ts';

/**
 * The filters of EXT_meshopt_compression, which rewrite numbers before they are compressed. Normals and rotations lose
 * what 8 and 14 bits cannot say. Translations and scales are rounded before, where it is known what they mean, to whole
 * multiples of a step; the exponential filter then keeps every bit of them: as whole numbers, whose bytes compress well.
 */
export const FILTERING_ENCODER: typeof MeshoptEncoder = {
  ...MeshoptEncoder,
  encodeFilterQuat: (source, count, stride) => MeshoptEncoder.encodeFilterQuat(source, count, stride, ROTATION_BITS),
  encodeFilterExp: (source, count, stride) =>
    encodeMultiples(source) ?? MeshoptEncoder.encodeFilterExp(source, count, stride, 24),
};

/** Rotations of a bone are then off by at most 1e-4 rad: a tenth of what its vertices lose on a lattice of 14 bits. */
const ROTATION_BITS = 14;
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

/**
 * The same, as floats whose bits are those words: for numbers that the writer of the extension would not filter. Those of
 * numbers that are not negative are never NaN, whose bits need not survive.
 */
export function filteredExponential(source: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const words = encodeMultiples(Float32Array.from(source));
  if (!words) throw new PliantError('internal', 'glb', 'weights are not multiples of one step');
  return new Float32Array(words.buffer as ArrayBuffer);
}

/** Texture coordinates at 12 bits are off by an eighth of a texel of 1024 at most. This exponent is clear of NaN for any sign. */
const UV_EXPONENT = -12;

/** Rounds to multiples of 2⁻¹²; undefined where numbers are too large for 24 bits of them. */
export function roundedUvs(uvs: Float32Array): Float32Array<ArrayBuffer> | undefined {
  const unit = 2 ** UV_EXPONENT;
  const out = Float32Array.from(uvs, (x) => unit * Math.round(x / unit));
  return out.every((x) => Math.abs(x / unit) <= LARGEST_MANTISSA) ? out : undefined;
}

/** Rounded texture coordinates as floats whose bits are words of the exponential filter. */
export function filteredUvs(rounded: Float32Array): Float32Array<ArrayBuffer> {
  const unit = 2 ** UV_EXPONENT;
  const words = Int32Array.from(rounded, (x) => (UV_EXPONENT << 24) | ((x / unit) & 0xffffff));
  return new Float32Array(words.buffer);
}

/** The power of two that is at most `step`. */
export const powerOfTwoBelow = (step: number): number => 2 ** Math.floor(Math.log2(step));
