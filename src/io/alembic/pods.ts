/**
 * Alembic's plain old data types, in the order of their numbers in property headers. Everything is little-endian, as is
 * every machine that Node and browsers run on: numbers are views of the bytes.
 */
export const PODS = [
  'boolean',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'float16',
  'float32',
  'float64',
  'string',
  'wstring',
] as const;

export type Pod = (typeof PODS)[number];

/** Bytes of one number; of one character for texts, which end with a zero. */
export const POD_BYTES: Readonly<Record<Pod, number>> = {
  boolean: 1,
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  uint64: 8,
  int64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
  string: 1,
  wstring: 4,
};

export const isText = (pod: Pod): boolean => pod === 'string' || pod === 'wstring';
export const isFloat = (pod: Pod): boolean => pod.startsWith('float');
/** Numbers that vertices, faces and values are referred to by. */
export const isIndex = (pod: Pod): boolean => pod === 'int32' || pod === 'uint32';

export type PodNumbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** The numbers of a sample, a view of its bytes where they are aligned. 64-bit integers are rounded to float64. */
export function numbersOf(bytes: Uint8Array, pod: Pod): PodNumbers {
  const size = POD_BYTES[pod];
  const { buffer, byteOffset } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  const count = Math.floor(bytes.length / size);
  switch (pod) {
    case 'boolean':
    case 'uint8':
    case 'string':
      return new Uint8Array(buffer, byteOffset, count);
    case 'int8':
      return new Int8Array(buffer, byteOffset, count);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, count);
    case 'int16':
      return new Int16Array(buffer, byteOffset, count);
    case 'uint32':
    case 'wstring':
      return new Uint32Array(buffer, byteOffset, count);
    case 'int32':
      return new Int32Array(buffer, byteOffset, count);
    case 'uint64':
      return Float64Array.from(new BigUint64Array(buffer, byteOffset, count), Number);
    case 'int64':
      return Float64Array.from(new BigInt64Array(buffer, byteOffset, count), Number);
    case 'float16':
      return Float32Array.from(new Uint16Array(buffer, byteOffset, count), halfToFloat);
    case 'float32':
      return new Float32Array(buffer, byteOffset, count);
    case 'float64':
      return new Float64Array(buffer, byteOffset, count);
  }
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

/** The bytes of texts, each with its zero. */
export function bytesOfTexts(texts: readonly string[], pod: 'string' | 'wstring'): Uint8Array {
  if (pod === 'string') return new TextEncoder().encode(texts.map((text) => `${text}\0`).join(''));
  const codes = texts.flatMap((text) => [...Array.from(text, (character) => character.codePointAt(0)!), 0]);
  return new Uint8Array(Uint32Array.from(codes).buffer);
}
