import { PliantError } from '../error.ts';
import { KERNELS_BASE64, MEMORY_KIND_OFFSET } from './module.generated.ts';

/**
 * The WebAssembly kernels of `assembly/`, typed. Callers lay their data out in a memory of their own once, and kernels
 * get byte offsets into it: nothing is copied per call. The module is compiled once per kind of memory.
 */

/** What kernels work on: a WebAssembly memory, or a plain buffer for the TypeScript twins. */
export type KernelMemory = WebAssembly.Memory | ArrayBuffer | SharedArrayBuffer;

/**
 * Poses the vertices `begin` to `end`; `begin` is a multiple of four. `table` is the address of what
 * src/skin/skin-job.ts writes (assembly/skin-table.ts has its fields), `scratch` that of `SCRATCH_BYTES` that no other
 * thread uses.
 */
type SkinKernel = (table: number, begin: number, end: number, scratch: number) => void;

/**
 * The passes of a fit over the vertices `begin` to `end`; `begin` of the first two is a multiple of four. `table` is the
 * address of what src/decompose/engine/kernel-arrays.ts writes (assembly/fit-table.ts has its fields), `scratch` that of a
 * thread's own memory; src/decompose/weights/weights.ts has the derivation.
 */
export interface FitKernels {
  fitWeights(table: number, begin: number, end: number, scratch: number): void;
  fitAssign(table: number, begin: number, end: number, scratch: number): void;
  /** Adds to sums: of pairs (B·B·10), then R (4B·rank), f64. */
  fitSums(table: number, begin: number, end: number, sums: number): void;
}

/** Dense products of f64 matrices, row-major, by byte offsets; src/kernels/dense.ts pads and copies. */
export interface DenseKernels {
  gramOfRows(n: number, m: number, a: number, out: number): void;
  multiply(n: number, m: number, stride: number, a: number, b: number, out: number): void;
  /** m is overwritten; work is 4n numbers. */
  symmetricEigen(n: number, m: number, q: number, d: number, work: number): void;
}

/** Weighted sums of rows, by byte offsets: out = start + Σ weights_k·row_k. */
export interface BlendKernels {
  /** f64; rows of `width` numbers, a multiple of eight. */
  blendRows(count: number, width: number, weights: number, rows: number, start: number, out: number): void;
  /** f32; rows of `bytes`, a multiple of 16, `stride` bytes apart. */
  blendFloats(
    count: number,
    bytes: number,
    stride: number,
    weights: number,
    rows: number,
    start: number,
    out: number,
  ): void;
}

/**
 * Physics of cloth's detail. `table` is the address of what src/cloth/detail-arrays.ts writes (assembly/detail-table.ts has
 * its fields), `origin` and `target` those of vectors of the vertices.
 */
interface DetailKernels {
  detailCarry(table: number, keep: number): void;
  detailLaunch(table: number, origin: number, even: number, left: number): void;
  detailEdges(table: number, backwards: boolean): void;
  detailHinges(table: number, backwards: boolean, stiffness: number): void;
  detailFollow(table: number, target: number, hatRate: number, pullRate: number): void;
  detailSettle(table: number, origin: number): void;
  detailTarget(table: number, t: number): void;
  detailToWorld(table: number, px: number, py: number, pz: number): void;
  detailFromWorld(table: number, px: number, py: number, pz: number): void;
}

/**
 * The cloth simulation. `table` is the address of what src/cloth/cloth-passes.ts writes (assembly/cloth-table.ts has its
 * fields); arguments as in src/cloth/strain.ts and air.ts.
 */
interface ClothKernels {
  clothIntegrate(table: number, dt2: number): void;
  clothStrain(table: number, both: number, stretchOnly: number): void;
  clothAir(table: number, perStep: number, quarterDensity: number, normalDrag: number, tangentDrag: number): void;
  clothBending(table: number): void;
  clothViscosity(table: number, viscosity: number, dt: number): void;
}

/** Learned folds of cloth. `table` is the address of what src/cloth/upsampler/upsampler-arrays.ts writes. */
interface UpsampleKernels {
  upsampleCoefficients(table: number): void;
  upsampleDetail(table: number): void;
}

/** Light that spheres block. `table` is the address of what src/light/base-arrays.ts writes; arguments as in base-twin.ts. */
interface LightKernels {
  lightBlock(table: number, spheres: number, cell: number, withHidden: boolean): void;
  /** Sizes, then byte offsets of the arrays of src/light/mode-sums.ts. */
  lightModes(
    vertices: number,
    rows: number,
    width: number,
    size: number,
    groupOf: number,
    bytes: number,
    scales: number,
    sums: number,
  ): void;
}

/** Rays. `table` is the address of what src/mesh/ray-memory.ts writes (assembly/ray-table.ts has its fields). */
export interface RayKernels {
  rayClosest(table: number, count: number): void;
  rayAny(table: number, count: number): void;
}

/** What the module exports. */
export interface Kernels
  extends DenseKernels,
    FitKernels,
    BlendKernels,
    DetailKernels,
    ClothKernels,
    UpsampleKernels,
    LightKernels,
    RayKernels {
  lbs: SkinKernel;
  dqs: SkinKernel;
  sdqs: SkinKernel;
  mix: SkinKernel;
}

export const SCRATCH_BYTES = 512;
const PAGE_BYTES = 65536;

/** The module's bytes for shared or private memory: they differ in one byte, so that hosts without shared memory work. */
function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(KERNELS_BASE64), (letter) => letter.charCodeAt(0));
  bytes[MEMORY_KIND_OFFSET] = shared ? 3 : 1;
  return bytes;
}

const available: { shared?: boolean; private?: boolean } = {};

/** Whether this host runs the kernels: it needs WebAssembly with SIMD, and threads for shared memory. */
export function kernelsAvailable(shared: boolean): boolean {
  const kind = shared ? 'shared' : 'private';
  available[kind] ??= typeof WebAssembly === 'object' && WebAssembly.validate(moduleBytes(shared));
  return available[kind];
}

/** A memory of at least `bytes` zeros that never grows, so that views of it stay valid. */
export function kernelMemory(bytes: number, shared: boolean): WebAssembly.Memory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch {
    throw new PliantError('too-large', 'kernelMemory', `cannot allocate ${bytes} bytes (expected at most 4 GB)`);
  }
}

/**
 * Memory for the kernels of one piece of work, or a plain buffer for their twins: where `simd` is false, and where a host has no
 * room for another WebAssembly memory, which reserves far more addresses than it has bytes.
 */
export function kernelMemoryOrBuffer(bytes: number, simd: boolean): KernelMemory {
  if (!simd) return new ArrayBuffer(bytes);
  try {
    return kernelMemory(bytes, false);
  } catch {
    return new ArrayBuffer(bytes);
  }
}

export const bufferOf = (memory: KernelMemory): ArrayBuffer | SharedArrayBuffer =>
  'buffer' in memory ? memory.buffer : memory;

const modules: { shared?: WebAssembly.Module; private?: WebAssembly.Module } = {};

/** The kernels, working on `memory`. */
export function loadKernels(memory: WebAssembly.Memory): Kernels {
  const shared = isShared(memory.buffer);
  const kind = shared ? 'shared' : 'private';
  modules[kind] ??= new WebAssembly.Module(moduleBytes(shared));
  const instance = new WebAssembly.Instance(modules[kind], { env: { memory } });
  return instance.exports as unknown as Kernels;
}

const isShared = (buffer: ArrayBuffer | SharedArrayBuffer): boolean =>
  Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
