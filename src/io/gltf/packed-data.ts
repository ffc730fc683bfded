/**
 * Plain data with typed arrays in it, as bytes and back, bit for bit: a header of JSON, in which every typed array stands as
 * `{ "$": [type, offset, length] }` and a number that JSON does not know as `{ "$": "-Infinity" }`, then the arrays, each at
 * a multiple of 8. An array that occurs twice is stored once, and is one array again afterwards.
 *
 *   4 bytes  length of the JSON (little endian), padded with spaces so that the arrays start at a multiple of 8
 *   4 bytes  0
 */
const TYPES = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u16: Uint16Array,
  i16: Int16Array,
  u8: Uint8Array,
  i8: Int8Array,
} as const;

type TypeName = keyof typeof TYPES;
type PackedArray = InstanceType<(typeof TYPES)[TypeName]>;

const HEAD = 8;
const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Anything of objects, arrays, strings, numbers, booleans and typed arrays. */
export function packData(value: unknown): Uint8Array {
  const places = new Map<PackedArray, [TypeName, offset: number, length: number]>();
  let size = 0;
  const json = JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry === 'number' && (!Number.isFinite(entry) || Object.is(entry, -0))) {
      return { $: Object.is(entry, -0) ? '-0' : String(entry) };
    }
    const type = typeOf(entry);
    if (!type) return entry;
    const array = entry as PackedArray;
    const place = places.get(array) ?? [type, size, array.length];
    if (!places.has(array)) size += padded(array.byteLength);
    places.set(array, place);
    return { $: place };
  });
  const text = new TextEncoder().encode(json);
  const start = HEAD + padded(text.length);
  const bytes = new Uint8Array(start + size);
  new DataView(bytes.buffer).setUint32(0, start - HEAD, true);
  bytes.fill(0x20, HEAD, start).set(text, HEAD);
  for (const [array, [, offset]] of places) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
  }
  return bytes;
}

/** Undefined where the bytes are not what `packData` wrote. Arrays are copies. */
export function unpackData(bytes: Uint8Array): unknown {
  if (bytes.length < HEAD) return undefined;
  const start = HEAD + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (start > bytes.length) return undefined;
  let sound = true;
  const found = new Map<string, PackedArray>();
  let left = bytes.length; // arrays do not overlap, so that a small file cannot ask for much memory
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD, start)), (_, entry: unknown) => {
      const place = (entry as { $?: unknown } | null)?.$;
      if (place === undefined) return entry;
      if (typeof place === 'string') return Number(place);
      const key = String(place);
      const known = found.get(key);
      if (known) return known;
      const array = sound ? arrayAt(bytes, start, place, left) : undefined;
      sound &&= array !== undefined;
      if (!array) return undefined;
      found.set(key, array);
      left -= array.byteLength;
      return array;
    });
    return sound ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined; // or nested too deeply
    throw error;
  }
}

function arrayAt(bytes: Uint8Array, start: number, place: unknown, left: number): PackedArray | undefined {
  if (!Array.isArray(place)) return undefined;
  const [type, offset, length] = place as unknown[];
  if (!(typeof type === 'string' && Object.hasOwn(TYPES, type))) return undefined;
  if (!(Number.isSafeInteger(offset) && Number.isSafeInteger(length))) return undefined;
  const Type = TYPES[type as TypeName];
  const from = start + (offset as number);
  const to = from + (length as number) * Type.BYTES_PER_ELEMENT;
  if ((offset as number) < 0 || (length as number) < 0 || to > bytes.length || to - from > left) return undefined;
  return new Type(bytes.slice(from, to).buffer);
}

function typeOf(value: unknown): TypeName | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  return (Object.keys(TYPES) as TypeName[]).find((name) => value instanceof TYPES[name]);
}
