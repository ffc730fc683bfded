/** Bytes of a cache line. */
const LINE = 64;

/** Places for arrays in the memory of a kernel, one after another, each on cache lines of its own. */
export class Places {
  /** Bytes taken so far. Kernels read an offset of 0 as "none", so it stays free. */
  bytes = LINE;

  /** The byte offset of `size` bytes that no other array has. */
  take(size: number): number {
    const offset = this.bytes;
    this.bytes += LINE * Math.ceil(size / LINE);
    return offset;
  }
}

/** `Float64Array` and its like. */
interface ArrayKind {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView;
}

/** An array to be placed. */
export type Slot = readonly [kind: ArrayKind, length: number];

/** The arrays of a table of slots, by the same names. */
export type ArraysOf<Table extends Record<string, Slot>> = { [Name in keyof Table]: InstanceType<Table[Name][0]> };

/** Where the arrays of a table go: byte offsets by the same names. */
export function placeArrays<Name extends string>(table: Record<Name, Slot>, places: Places): Record<Name, number> {
  const offsets = {} as Record<Name, number>;
  for (const name in table) {
    const [kind, length] = table[name];
    offsets[name] = places.take(kind.BYTES_PER_ELEMENT * length);
  }
  return offsets;
}

/** The arrays of a table at the offsets that `placeArrays` gave them. */
export function viewArrays<Table extends Record<string, Slot>>(
  table: Table,
  offsets: Record<keyof Table, number>,
  buffer: ArrayBufferLike,
): ArraysOf<Table> {
  const arrays: Partial<Record<keyof Table, unknown>> = {};
  for (const name in table) {
    const [kind, length] = table[name];
    arrays[name] = new kind(buffer, offsets[name], length);
  }
  return arrays as ArraysOf<Table>;
}
