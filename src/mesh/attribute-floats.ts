import type { VertexAttribute } from '../model/mesh.ts';

type Values = VertexAttribute['values'];

/** The largest whole number that a kind of array holds; the least is as far below 0, or 0. */
const largestIn = (values: Exclude<Values, Float32Array>): number =>
  2 ** (8 * values.BYTES_PER_ELEMENT - (isSigned(values) ? 1 : 0)) - 1;

const isSigned = (values: Values): boolean => values instanceof Int8Array || values instanceof Int16Array;

/** The numbers that an attribute stands for (glTF 2.0 §3.6.2.2). */
export function attributeFloats({ values, normalized }: VertexAttribute): Float32Array {
  if (values instanceof Float32Array) return values;
  const largest = normalized ? largestIn(values) : 1;
  return Float32Array.from(values, (x) => (normalized ? Math.max(x / largest, -1) : x));
}

/** Numbers, times `scale`, in an array of the same kind as `like`: where it has whole ones, rounded and kept in its range. */
export function numbersLike<T extends Values>(like: T, numbers: ArrayLike<number>, scale = 1): T {
  const Kind = like.constructor as new (length: number) => T;
  const out = new Kind(numbers.length);
  const largest = out instanceof Float32Array ? Infinity : largestIn(out);
  const least = isSigned(out) || out instanceof Float32Array ? -largest : 0;
  for (let c = 0; c < out.length; c++) {
    const x = scale * numbers[c];
    out[c] = largest < Infinity ? Math.min(largest, Math.max(least, Math.round(x))) : x;
  }
  return out;
}

/** What an attribute like the given one stores for the numbers that it stands for. */
export const attributeLike = (like: VertexAttribute, floats: ArrayLike<number>): VertexAttribute => {
  const { values, normalized } = like;
  const scale = normalized && !(values instanceof Float32Array) ? largestIn(values) : 1;
  return { ...like, values: numbersLike(values, floats, scale) };
};
