import { kernelMemory } from '../../kernels/load.ts';
import { type ArraysOf, Places, placeArrays, type Slot, viewArrays } from '../../kernels/places.ts';
import { type FitProblem, MONOMIAL_STRIDE, type VertexNeighbours } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';

/**
 * The arrays of a fit in the memory that its kernels and all threads share. N vertices, r basis vectors; room for B bones
 * and k influences: a pass with fewer of them leaves the ends of its arrays unused.
 */

/** The most that a pass may ask for. */
export interface FitLimits {
  bones: number;
  influences: number;
  threads: number;
}

/** Sums are kept per chunk of vertices and added in order, so that they do not depend on the number of threads. */
export const CHUNKS = 8;
/** Bytes of a thread's scratch beyond its rows of numbers; see kernels/assembly/fit-weights.ts. */
const SCRATCH_SMALL = 2048;
/** Vertices past the end that kernels may read. */
const OVERREAD = 3;

/**
 * The table, as kernels/assembly/fit-table.ts reads it: what the next pass is, the rank of the problem, and where
 * these arrays are.
 */
const PASS_FIELDS = ['kind', 'bones', 'influences', 'exchange', 'tryNeighbours'] as const;
const ARRAY_FIELDS = [
  'z',
  'zNorm2',
  'rest',
  'monomials',
  'mass',
  'offsets',
  'neighbours',
  'packed',
  'pairs',
  'selfPairs',
  'oldCounts',
  'oldJoints',
  'oldWeights',
  'counts',
  'joints',
  'weights',
  'errors',
] as const;

/** Numbers from row to row of tables over B bones: kernels take two bones at a time. */
const rowOf = (bones: number): number => bones + (bones & 1);

/** Numbers of one chunk's sums: of pairs of bones (10·B²), then R (4B·r); see normal-equations.ts. */
export const sumsLength = (bones: number, rank: number): number => MONOMIAL_STRIDE * bones * bones + 4 * bones * rank;

/** Of one thread. */
const scratchBytes = ({ bones, influences }: FitLimits): number =>
  SCRATCH_SMALL + Float64Array.BYTES_PER_ELEMENT * rowOf(bones) * (6 + influences) + 64;

function slotsOf({ vertexCount: n, rank }: FitProblem, neighbours: VertexNeighbours, most: FitLimits) {
  const row = rowOf(most.bones);
  return {
    table: [Int32Array, PASS_FIELDS.length + 1 + ARRAY_FIELDS.length],
    // The problem, as in problem.ts.
    z: [Float64Array, n * rank],
    zNorm2: [Float64Array, n],
    rest: [Float64Array, 4 * (n + OVERREAD)],
    monomials: [Float64Array, MONOMIAL_STRIDE * n],
    mass: [Float64Array, n],
    offsets: [Int32Array, n + 1],
    neighbours: [Int32Array, neighbours.items.length],
    // The bones; see packProducts.
    packed: [Float64Array, 4 * most.bones * rank],
    pairs: [Float64Array, MONOMIAL_STRIDE * most.bones * row],
    selfPairs: [Float64Array, MONOMIAL_STRIDE * row],
    // The support that a pass starts from, and the one that it finds: k joints and weights per vertex.
    oldCounts: [Uint8Array, n],
    oldJoints: [Int32Array, n * most.influences],
    oldWeights: [Float64Array, n * most.influences],
    counts: [Uint8Array, n],
    joints: [Int32Array, n * most.influences],
    weights: [Float64Array, n * most.influences],
    errors: [Float64Array, n],
    // Of each chunk, and of each thread.
    sums: [Float64Array, CHUNKS * sumsLength(most.bones, rank)],
    scratch: [Uint8Array, most.threads * scratchBytes(most)],
  } as const satisfies Record<string, Slot>;
}

export type FitArrays = ArraysOf<ReturnType<typeof slotsOf>>;

/** The parameters of a pass: whole numbers, 1 for yes and 0 for no. */
export type PassFields = Record<(typeof PASS_FIELDS)[number], number>;

/** Threads stay where they are between passes, and read in the shared memory what the next one is. */
export function writePass(table: Int32Array, pass: PassFields): void {
  table.set(PASS_FIELDS.map((field) => pass[field]));
}

/** Of a pass, what a thread itself has to know: the kernels read the rest. */
export function readPass([kind, bones]: Int32Array): Pick<PassFields, 'kind' | 'bones'> {
  return { kind, bones };
}

/**
 * The layout of bones for the kernels: `packed` is B panels of rank × 4; `pairs` is B × 10 × row, all second bones of one
 * monomial in a row; `selfPairs` is 10 × row. A row is B rounded up to even.
 */
export function packProducts(
  { boneCount, columns, pairs }: BoneProducts,
  rank: number,
  out: Pick<FitArrays, 'packed' | 'pairs' | 'selfPairs'>,
): void {
  const row = rowOf(boneCount);
  for (let b = 0; b < boneCount; b++) {
    for (let x = 0; x < rank; x++) {
      const from = x * 4 * boneCount + 4 * b;
      const to = (b * rank + x) * 4;
      for (let c = 0; c < 4; c++) out.packed[to + c] = columns[from + c];
    }
    for (let m = 0; m < MONOMIAL_STRIDE; m++) {
      const to = (b * MONOMIAL_STRIDE + m) * row;
      for (let c = 0; c < boneCount; c++) out.pairs[to + c] = pairs[(b * boneCount + c) * MONOMIAL_STRIDE + m];
      out.selfPairs[m * row + b] = pairs[(b * boneCount + b) * MONOMIAL_STRIDE + m];
      // The odd lane must hold numbers, or it would raise NaN flags in comparisons.
      if (row > boneCount) out.pairs[to + boneCount] = out.selfPairs[m * row + boneCount] = 0;
    }
  }
}

/** What a thread needs to join. */
export interface FitJob {
  memory: WebAssembly.Memory;
  vertexCount: number;
  rank: number;
  /** Byte offsets of the arrays. */
  at: Record<keyof FitArrays, number>;
  /** Of one thread. */
  scratchBytes: number;
  /** Of one chunk. */
  sumBytes: number;
}

/** A problem in its own memory. */
export function layOutFit(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  most: FitLimits,
): { job: FitJob; arrays: FitArrays } {
  const { vertexCount, rank } = problem;
  const slots = slotsOf(problem, neighbours, most);
  const places = new Places();
  const at = placeArrays(slots, places);
  const memory = kernelMemory(places.bytes, most.threads > 1);
  const arrays = viewArrays(slots, at, memory.buffer);
  for (const name of ['z', 'zNorm2', 'rest', 'monomials', 'mass'] as const) arrays[name].set(problem[name]);
  arrays.offsets.set(neighbours.offsets);
  arrays.neighbours.set(neighbours.items);
  arrays.table.set([rank, ...ARRAY_FIELDS.map((name) => at[name])], PASS_FIELDS.length);
  const sumBytes = Float64Array.BYTES_PER_ELEMENT * sumsLength(most.bones, rank);
  return { job: { memory, vertexCount, rank, at, scratchBytes: scratchBytes(most), sumBytes }, arrays };
}
