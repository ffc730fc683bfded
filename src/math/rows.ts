/** The kinds of typed arrays that hold numbers per vertex, bone or frame. */
export type FlatArray =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Uint32Array
  | Int32Array;

/** Some rows of `stride` numbers each, of the same kind of array. A row may be taken several times. */
export function gatherRows<T extends FlatArray>(values: T, stride: number, rows: ArrayLike<number>): T {
  const Kind = values.constructor as new (length: number) => T;
  const out = new Kind(rows.length * stride);
  for (let r = 0; r < rows.length; r++) {
    const from = rows[r] * stride;
    for (let c = 0; c < stride; c++) out[r * stride + c] = values[from + c];
  }
  return out;
}
