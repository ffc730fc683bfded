import { bufferOf, type KernelMemory, kernelMemoryOrBuffer } from '../kernels/load.ts';
import { type ArraysOf, Places, placeArrays, type Slot, viewArrays } from '../kernels/places.ts';
import { MAX_BVH_DEPTH } from './bvh.ts';

/** Rays and what they are traced against, as kernels/assembly/rays.ts and its twin read it. */

/** So many rays are traced at a time. */
export const RAY_BATCH = 1024;

/** Numbers of 4 bytes per node: 24 of boxes, by axis the least of four children and the greatest, then the children. */
export const NODE_WORDS = 32;
export const NODE_CHILDREN = 24;
/** Numbers per leaf: of four triangles a corner and two edges, x x x x y y y y …, then their faces, −1 for none. */
export const LEAF_WORDS = 40;
export const LEAF_FACES = 36;

/** Of a path with three siblings left at every step, and a piece before it in which the kernel puts what it sorts. */
const STACK_BYTES = 64 + 8 * 3 * (MAX_BVH_DEPTH + 2);

/** Arrays in the order of kernels/assembly/ray-table.ts, after the root. */
const slotsFor = (faces: number) =>
  ({
    nodes: [Float32Array, NODE_WORDS * faces],
    leaves: [Float32Array, LEAF_WORDS * faces],
    origins: [Float32Array, 3 * RAY_BATCH],
    directions: [Float32Array, 3 * RAY_BATCH],
    limits: [Float32Array, RAY_BATCH],
    faces: [Int32Array, RAY_BATCH],
    us: [Float32Array, RAY_BATCH],
    vs: [Float32Array, RAY_BATCH],
    stack: [Uint8Array, STACK_BYTES],
  }) as const satisfies Record<string, Slot>;

export interface RayMemory extends ArraysOf<ReturnType<typeof slotsFor>> {
  memory: KernelMemory;
  /** The byte offset of the kernels' table. */
  table: number;
  /** One number: the root, a node, or ~ a leaf. */
  root: Int32Array;
  /** `nodes` and `leaves` as whole numbers, for children and faces. */
  nodeInts: Int32Array;
  leafInts: Int32Array;
}

/** Room for a hierarchy over `faces` triangles: at worst a leaf for each, and as many nodes. */
export function rayMemory(faces: number, simd: boolean): RayMemory {
  const slots = slotsFor(Math.max(1, faces));
  const places = new Places();
  const offsets = placeArrays(slots, places);
  const fields = Object.values(offsets);
  const table = places.take(4 * (1 + fields.length));
  const memory = kernelMemoryOrBuffer(places.bytes, simd);
  const buffer = bufferOf(memory);
  const arrays = viewArrays(slots, offsets, buffer);
  // The kernel's scratch lies before the address it is told.
  fields[fields.length - 1] += 64;
  new Int32Array(buffer, table, 1 + fields.length).set(fields, 1);
  return {
    ...arrays,
    memory,
    table,
    root: new Int32Array(buffer, table, 1),
    nodeInts: new Int32Array(buffer, offsets.nodes, arrays.nodes.length),
    leafInts: new Int32Array(buffer, offsets.leaves, arrays.leaves.length),
  };
}
