import { PliantError } from '../../error.ts';
import { type FitKernels, kernelMemory, kernelsAvailable, loadKernels } from '../../kernels/load.ts';
import type { ParallelPool, RangeTask } from '../../kernels/parallel.ts';
import type { FitProblem, Support, VertexNeighbours } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';
import { type FitEngine, plainEngine } from './engine.ts';
import { unfoldPairSums } from './normal-equations.ts';

/**
 * The passes of a fit on the SIMD kernels, split among the threads of a pool. Problem data are laid out once in kernel
 * memory; per pass only bones and supports are copied (a per cent of the work). Sums are kept per chunk of vertices and
 * added in order, so that the result does not depend on the number of threads.
 */
export interface KernelEngineOptions {
  neighbours: VertexNeighbours;
  /** Most bones a pass may have. */
  maxBones: number;
  /** Most influences of a support. */
  maxInfluences: number;
  pool?: ParallelPool;
}

/** Vertices per piece of a weight pass: a multiple of four, milliseconds of work. */
const GRAIN = 256;
/** Chunks of the sums. */
const CHUNKS = 8;
/** Bytes of a thread's scratch beyond its rows of numbers; see assembly/fit-weights.ts. */
const SCRATCH_SMALL = 2048;

/** Kinds of passes, as stored in the job's parameters. */
const WEIGHTS = 0;
const ASSIGN = 1;
const SUMS = 2;

/** What a thread needs to take part: byte offsets into the memory. Parameters of a pass are read from the memory itself. */
interface FitJob {
  memory: WebAssembly.Memory;
  vertexCount: number;
  rank: number;
  at: Record<Place, number>;
  scratchBytes: number;
  sumBytes: number;
}

const PLACES = [
  'parameters',
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
  'sums',
  'scratch',
] as const;
type Place = (typeof PLACES)[number];

/** The task "fit" of a pool: runs the pass that the parameters name over a range of vertices (or chunks). */
export const fitTask: RangeTask = (data, thread) => {
  const { memory, vertexCount, rank, at, scratchBytes, sumBytes } = data as FitJob;
  const kernels: FitKernels = loadKernels(memory);
  const parameters = new Int32Array(memory.buffer, at.parameters, 8);
  const scratch = at.scratch + thread * scratchBytes;
  return (begin, end) => {
    const [pass, bones, influences, exchange, useNeighbours] = parameters;
    if (pass === WEIGHTS) {
      kernels.fitWeights(
        ...([begin, end, rank, bones, influences, at.z, at.zNorm2, at.rest, at.monomials] as const),
        ...([at.packed, at.pairs, at.selfPairs, at.oldCounts, at.oldJoints, at.oldWeights] as const),
        ...([at.counts, at.joints, at.weights, at.errors] as const),
        ...([useNeighbours ? at.offsets : 0, at.neighbours, exchange, scratch] as const),
      );
    } else if (pass === ASSIGN) {
      kernels.fitAssign(
        ...([begin, end, rank, bones, at.z, at.zNorm2, at.rest, at.monomials] as const),
        ...([at.packed, at.selfPairs, at.joints, at.errors, scratch] as const),
      );
    } else {
      for (let chunk = begin; chunk < end; chunk++) {
        const sums = at.sums + chunk * sumBytes;
        new Uint8Array(memory.buffer, sums, sumsLength(bones, rank) * 8).fill(0);
        kernels.fitSums(
          ...([chunkStart(chunk, vertexCount), chunkStart(chunk + 1, vertexCount), rank, bones, influences] as const),
          ...([at.z, at.rest, at.monomials, at.mass, at.oldCounts, at.oldJoints, at.oldWeights] as const),
          ...([sums, sums + 80 * bones * bones] as const),
        );
      }
    }
  };
};

const chunkStart = (chunk: number, vertexCount: number): number => Math.floor((chunk * vertexCount) / CHUNKS);
/** Pair sums (10·B²) and R (4B·r). */
const sumsLength = (bones: number, rank: number): number => 10 * bones * bones + 4 * bones * rank;
const evenUp = (n: number): number => n + (n & 1);

/** The fastest engine that this host can run. */
export function createEngine(problem: FitProblem, options: KernelEngineOptions): FitEngine {
  const shared = (options.pool?.threads ?? 1) > 1;
  return kernelsAvailable(shared) ? kernelEngine(problem, options) : plainEngine(problem);
}

export function kernelEngine(problem: FitProblem, options: KernelEngineOptions): FitEngine {
  const { vertexCount: n, rank } = problem;
  const { maxBones, maxInfluences, neighbours, pool } = options;
  const threads = pool?.threads ?? 1;
  const stride = evenUp(maxBones);

  // (1) Lay everything out. Kernels may read up to three vertices past the end, and address 0 means "none".
  const scratchBytes = SCRATCH_SMALL + 8 * stride * (6 + maxInfluences) + 64;
  const sumBytes = 8 * sumsLength(maxBones, rank);
  const sizes: Record<Place, number> = {
    parameters: 32,
    z: 8 * n * rank,
    zNorm2: 8 * n,
    rest: 32 * n + 96,
    monomials: 80 * n,
    mass: 8 * n,
    offsets: 4 * (n + 1),
    neighbours: 4 * neighbours.items.length,
    packed: 32 * maxBones * rank,
    pairs: 80 * maxBones * stride,
    selfPairs: 80 * stride,
    oldCounts: n,
    oldJoints: 4 * n * maxInfluences,
    oldWeights: 8 * n * maxInfluences,
    counts: n,
    joints: 4 * n * maxInfluences,
    weights: 8 * n * maxInfluences,
    errors: 8 * n,
    sums: CHUNKS * sumBytes,
    scratch: threads * scratchBytes,
  };
  const at = {} as Record<Place, number>;
  let bytes = 64;
  for (const place of PLACES) {
    at[place] = bytes;
    bytes += 64 * Math.ceil(sizes[place] / 64);
  }
  const memory = kernelMemory(bytes, threads > 1);
  const { buffer } = memory;
  const f64 = (place: Place, length: number) => new Float64Array(buffer, at[place], length);
  const i32 = (place: Place, length: number) => new Int32Array(buffer, at[place], length);
  const u8 = (place: Place, length: number) => new Uint8Array(buffer, at[place], length);
  f64('z', n * rank).set(problem.z);
  f64('zNorm2', n).set(problem.zNorm2);
  f64('rest', 4 * n).set(problem.rest);
  f64('monomials', 10 * n).set(problem.monomials);
  f64('mass', n).set(problem.mass);
  i32('offsets', n + 1).set(neighbours.offsets);
  i32('neighbours', neighbours.items.length).set(neighbours.items);
  const parameters = i32('parameters', 8);

  // (2) A loop over ranges, here or in the pool.
  const job: FitJob = { memory, vertexCount: n, rank, at, scratchBytes, sumBytes };
  const parallel = threads > 1 ? pool?.open('fit', job) : undefined;
  const alone = parallel ? undefined : fitTask(job, 0);
  const loop = (count: number, grain: number): void => {
    if (parallel) parallel.run(count, grain);
    else alone?.(0, count);
  };

  const begin = (pass: number, bones: number, influences = 0, exchange = false, useNeighbours = false): void => {
    if (bones > maxBones || influences > maxInfluences) {
      throw new PliantError(
        'internal',
        'fit',
        `${bones} bones × ${influences} (expected ${maxBones} × ${maxInfluences})`,
      );
    }
    parameters.set([pass, bones, influences, exchange ? 1 : 0, useNeighbours ? 1 : 0]);
  };

  const putBones = (products: BoneProducts): void =>
    packProducts(
      products,
      rank,
      f64('packed', sizes.packed / 8),
      f64('pairs', sizes.pairs / 8),
      f64('selfPairs', 10 * stride),
    );
  const putSupport = ({ influences, count, joints, weights }: Support): void => {
    u8('oldCounts', n).set(count);
    i32('oldJoints', n * influences).set(joints);
    f64('oldWeights', n * influences).set(weights);
  };

  return {
    problem,
    async solveWeights(products, support, pass) {
      const { influences } = support;
      begin(WEIGHTS, products.boneCount, influences, pass.exchange, pass.neighbours !== undefined);
      putBones(products);
      putSupport(support);
      loop(n, GRAIN);
      support.count.set(u8('counts', n));
      support.joints.set(i32('joints', n * influences));
      support.weights.set(f64('weights', n * influences));
      const errors = f64('errors', n);
      pass.errors?.set(errors);
      let total = 0;
      for (let i = 0; i < n; i++) total += problem.mass[i] * errors[i];
      return total;
    },
    async assign(products, assignment, errors) {
      begin(ASSIGN, products.boneCount);
      putBones(products);
      loop(n, GRAIN);
      assignment.set(i32('joints', n));
      errors.set(f64('errors', n));
    },
    async normalEquations(support, boneCount) {
      begin(SUMS, boneCount, support.influences);
      putSupport(support);
      loop(CHUNKS, 1);
      const length = sumsLength(boneCount, rank);
      const total = new Float64Array(length);
      for (let chunk = 0; chunk < CHUNKS; chunk++) {
        const sums = new Float64Array(buffer, at.sums + chunk * sumBytes, length);
        for (let c = 0; c < length; c++) total[c] += sums[c];
      }
      const pairs = 10 * boneCount * boneCount;
      return { boneCount, h: unfoldPairSums(total.subarray(0, pairs), boneCount), r: total.slice(pairs) };
    },
    dispose() {
      parallel?.close();
    },
  };
}

/**
 * Bones as the kernels want them: `packed` is B panels of rank × 4; `pairs` is B × 10 × stride, all second bones of one
 * monomial in a row; `selfPairs` is 10 × stride. The stride is B rounded up to even.
 */
function packProducts(
  { boneCount, columns, pairs }: BoneProducts,
  rank: number,
  packed: Float64Array,
  pairTable: Float64Array,
  selfPairs: Float64Array,
): void {
  const stride = evenUp(boneCount);
  for (let b = 0; b < boneCount; b++) {
    for (let x = 0; x < rank; x++) {
      const from = x * 4 * boneCount + 4 * b;
      const to = (b * rank + x) * 4;
      packed[to] = columns[from];
      packed[to + 1] = columns[from + 1];
      packed[to + 2] = columns[from + 2];
      packed[to + 3] = columns[from + 3];
    }
    for (let c = 0; c < boneCount; c++) {
      for (let m = 0; m < 10; m++) pairTable[(b * 10 + m) * stride + c] = pairs[(b * boneCount + c) * 10 + m];
    }
    for (let m = 0; m < 10; m++) selfPairs[m * stride + b] = pairs[(b * boneCount + b) * 10 + m];
  }
  if (stride > boneCount) {
    // The odd lane must hold numbers, or it would raise NaN flags in comparisons.
    for (let row = 0; row < 10 * boneCount; row++) pairTable[row * stride + boneCount] = 0;
    for (let m = 0; m < 10; m++) selfPairs[m * stride + boneCount] = 0;
  }
}
