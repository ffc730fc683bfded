import type { VertexAttribute } from '../model/mesh.ts';

/** The numbers that an attribute stands for (glTF 2.0 §3.6.2.2). */
export function attributeFloats({ values, normalized }: VertexAttribute): Float32Array {
  if (values instanceof Float32Array) return values;
  const isSigned = values instanceof Int8Array || values instanceof Int16Array;
  const largest = normalized ? 2 ** (8 * values.BYTES_PER_ELEMENT - (isSigned ? 1 : 0)) - 1 : 1;
  return Float32Array.from(values, (x) => (normalized ? Math.max(x / largest, -1) : x));
}
