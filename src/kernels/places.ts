import { bufferOf, type KernelMemory, kernelMemoryOrBuffer } from './load.ts';

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

/** Arrays in a memory of their own, with the table that kernels read: sizes, then where each array begins. */
export function tabledArrays<Table extends Record<string, Slot>>(
  sizes: readonly number[],
  slots: Table,
  simd: boolean,
): { arrays: ArraysOf<Table>; at: Record<keyof Table, number>; table: number; memory: KernelMemory } {
  const places = new Places();
  const at = placeArrays<keyof Table & string>(slots, places) as Record<keyof Table, number>;
  const fields = [...sizes, ...Object.values<number>(at)];
  const table = places.take(4 * fields.length);
  const memory = kernelMemoryOrBuffer(places.bytes, simd);
  new Int32Array(bufferOf(memory), table, fields.length).set(fields);
  return { arrays: viewArrays(slots, at, bufferOf(memory)), at, table, memory };
}

/** Copies of arrays in such a memory. */
export function tabledCopies<Values extends Record<string, Float64Array | Uint32Array>>(
  sizes: readonly number[],
  values: Values,
  simd: boolean,
): { arrays: Values; table: number; memory: KernelMemory } {
  const slotOf = (of: Float64Array | Uint32Array): Slot => [of.constructor as ArrayKind, of.length];
  const slots = Object.fromEntries(Object.entries(values).map(([name, of]) => [name, slotOf(of)]));
  const { arrays, table, memory } = tabledArrays(sizes, slots, simd);
  const copies = arrays as unknown as Values;
  for (const name in values) copies[name].set(values[name]);
  return { arrays: copies, table, memory };
}
