/**
 * Plain data with typed arrays in it, as bytes and back, bit for bit: a header of JSON, in which every typed array stands as
 * `{ "$": [type, offset, length] }` and a number that JSON does not know as `{ "$": "-Infinity" }`, then the arrays, each at
 * a multiple of 8. An array that occurs twice is stored once, and is one array again afterwards. 32-bit numbers that fit into
 * 16 bits, such as indices of small meshes, are stored so (`u32in16`).
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
type StoredType = TypeName | 'u32in16';
type PackedArray = InstanceType<(typeof TYPES)[TypeName]>;

const HEAD = 8;
const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Anything of objects, arrays, strings, numbers, booleans and typed arrays. */
export function packData(value: unknown): Uint8Array {
  const places = new Map<PackedArray, { place: [StoredType, offset: number, length: number]; stored: PackedArray }>();
  let size = 0;
  const json = JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry === 'number' && (!Number.isFinite(entry) || Object.is(entry, -0))) {
      return { $: Object.is(entry, -0) ? '-0' : String(entry) };
    }
    const type = typeOf(entry);
    if (!type) return entry;
    const array = entry as PackedArray;
    const known = places.get(array);
    if (known) return { $: known.place };
    const isShort = type === 'u32' && array.every((x) => x <= 0xffff);
    const stored = isShort ? Uint16Array.from(array) : array;
    const place: [StoredType, number, number] = [isShort ? 'u32in16' : type, size, array.length];
    size += padded(stored.byteLength);
    places.set(array, { place, stored });
    return { $: place };
  });
  const text = new TextEncoder().encode(json);
  const start = HEAD + padded(text.length);
  const bytes = new Uint8Array(start + size);
  new DataView(bytes.buffer).setUint32(0, start - HEAD, true);
  bytes.fill(0x20, HEAD, start).set(text, HEAD);
  for (const {
    place: [, offset],
    stored,
  } of places.values()) {
    bytes.set(new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength), start + offset);
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
      left -= storedBytes(array, place);
      return array;
    });
    return sound ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined; // or nested too deeply
    throw error;
  }
}

const storedBytes = (array: PackedArray, place: unknown): number =>
  array.byteLength / ((place as unknown[])[0] === 'u32in16' ? 2 : 1);

function arrayAt(bytes: Uint8Array, start: number, place: unknown, left: number): PackedArray | undefined {
  if (!Array.isArray(place)) return undefined;
  const [type, offset, length] = place as unknown[];
  const isShort = type === 'u32in16';
  if (!isShort && !(typeof type === 'string' && Object.hasOwn(TYPES, type))) return undefined;
  if (!(Number.isSafeInteger(offset) && Number.isSafeInteger(length))) return undefined;
  const Type = isShort ? Uint16Array : TYPES[type as TypeName];
  const from = start + (offset as number);
  const to = from + (length as number) * Type.BYTES_PER_ELEMENT;
  if ((offset as number) < 0 || (length as number) < 0 || to > bytes.length || to - from > left) return undefined;
  const array = new Type(bytes.slice(from, to).buffer);
  return isShort ? Uint32Array.from(array) : array;
}

function typeOf(value: unknown): TypeName | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  return (Object.keys(TYPES) as TypeName[]).find((name) => value instanceof TYPES[name]);
}
