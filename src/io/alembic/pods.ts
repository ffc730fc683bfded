/**
 * Alembic's plain old data types, in the order of their numbers in property headers, and what holds their numbers: of texts,
 * characters that end with a zero. Everything is little-endian, as is every machine that Node and browsers run on: numbers
 * are views of the bytes.
 */
const ARRAYS = {
  boolean: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  string: Uint8Array,
  wstring: Uint32Array,
} as const;

export type Pod = keyof typeof ARRAYS;

export const PODS = Object.keys(ARRAYS) as readonly Pod[];

/** Bytes of one number or character. */
export const podBytes = (pod: Pod): number => ARRAYS[pod].BYTES_PER_ELEMENT;

export const isText = (pod: Pod): boolean => pod === 'string' || pod === 'wstring';
export const isFloat = (pod: Pod): boolean => pod.startsWith('float');
/** Numbers that vertices, faces and values are referred to by. */
export const isIndex = (pod: Pod): boolean => pod === 'int32' || pod === 'uint32';

export type PodNumbers = Exclude<InstanceType<(typeof ARRAYS)[Pod]>, BigUint64Array | BigInt64Array>;

/** The numbers of a sample, a view of its bytes where they are aligned. 64-bit integers are rounded to float64. */
export function numbersOf(bytes: Uint8Array, pod: Pod): PodNumbers {
  const size = podBytes(pod);
  const { buffer, byteOffset } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  const numbers = new ARRAYS[pod](buffer as ArrayBuffer, byteOffset, Math.floor(bytes.length / size));
  if (numbers instanceof BigUint64Array || numbers instanceof BigInt64Array) return Float64Array.from(numbers, Number);
  return pod === 'float16' ? Float32Array.from(numbers, halfToFloat) : numbers;
}

/** IEEE 754 binary16: sign 1, exponent 5 (bias 15), fraction 10. */
export function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const decoder = new TextDecoder();

/** The texts of a `string` (UTF-8) or `wstring` (a code point in 4 bytes) sample: each ends with a zero. */
export function textsOf(bytes: Uint8Array, pod: 'string' | 'wstring'): string[] {
  const units = numbersOf(bytes, pod);
  const text = (from: number, to: number): string =>
    pod === 'string'
      ? decoder.decode(bytes.subarray(from, to))
      : Array.from(units.subarray(from, to), (code) => String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd)).join('');
  const texts: string[] = [];
  let from = 0;
  for (let c = 0; c < units.length; c++) {
    if (units[c] !== 0) continue;
    texts.push(text(from, c));
    from = c + 1;
  }
  if (from < units.length) texts.push(text(from, units.length));
  return texts;
}
