import { PliantError } from '../../error.ts';
import { kernelsAvailable } from '../../kernels/load.ts';
import type { ParallelJob, ParallelPool } from '../../kernels/parallel.ts';
import { type NormalEquations, unfoldPairSums } from '../bones/normal-equations.ts';
import { type FitProblem, MONOMIAL_STRIDE, type Support, type VertexNeighbours } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';
import { type FitEngine, plainEngine, type WeightPass } from './engine.ts';
import {
  CHUNKS,
  type FitArrays,
  layOutFit,
  type PassFields,
  packProducts,
  sumsLength,
  writePass,
} from './kernel-arrays.ts';
import { ASSIGN, fitTask, SUMS, WEIGHTS } from './kernel-pass.ts';

export interface KernelEngineOptions {
  /** Most bones a pass may have. */
  maxBones: number;
  /** Most influences of a support. */
  maxInfluences: number;
  pool?: ParallelPool;
}

/** Vertices per piece of a weight pass: a multiple of four, milliseconds of work. */
const GRAIN = 256;

/** The fastest engine that this host can run. */
export function createEngine(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  options: KernelEngineOptions,
): FitEngine {
  const shared = (options.pool?.threads ?? 1) > 1;
  return kernelsAvailable(shared) ? new KernelEngine(problem, neighbours, options) : plainEngine(problem, neighbours);
}

/** What `use` makes of an engine that is disposed of afterwards. */
export async function withEngine<T>(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  options: KernelEngineOptions,
  use: (engine: FitEngine) => Promise<T>,
): Promise<T> {
  const engine = createEngine(problem, neighbours, options);
  try {
    return await use(engine);
  } finally {
    engine.dispose();
  }
}

/**
 * The passes of a fit on the SIMD kernels, split among the threads of a pool. Problem data are laid out once in kernel
 * memory; per pass only bones and supports are copied (a per cent of the work).
 */
export class KernelEngine implements FitEngine {
  readonly problem: FitProblem;
  readonly neighbours: VertexNeighbours;
  readonly #options: KernelEngineOptions;
  readonly #arrays: FitArrays;
  /** The loop over ranges: of all threads, or of this one. */
  readonly #parallel?: ParallelJob;
  readonly #alone?: (begin: number, end: number) => void;

  constructor(problem: FitProblem, neighbours: VertexNeighbours, options: KernelEngineOptions) {
    const { maxBones: bones, maxInfluences: influences, pool } = options;
    const threads = pool?.threads ?? 1;
    const { job, arrays } = layOutFit(problem, neighbours, { bones, influences, threads });
    this.problem = problem;
    this.neighbours = neighbours;
    this.#options = options;
    this.#arrays = arrays;
    if (pool && threads > 1) this.#parallel = pool.open('fit', job);
    else this.#alone = fitTask(job, 0);
  }

  async solveWeights(products: BoneProducts, support: Support, pass: WeightPass): Promise<number> {
    const { vertexCount, mass } = this.problem;
    const { counts, joints, weights, errors } = this.#arrays;
    this.#begin({
      kind: WEIGHTS,
      bones: products.boneCount,
      influences: support.influences,
      exchange: pass.exchange ? 1 : 0,
      tryNeighbours: pass.neighbours ? 1 : 0,
    });
    packProducts(products, this.problem.rank, this.#arrays);
    this.#putSupport(support);
    this.#loop(vertexCount, GRAIN);
    support.count.set(counts);
    support.joints.set(joints.subarray(0, support.joints.length));
    support.weights.set(weights.subarray(0, support.weights.length));
    pass.errors?.set(errors);
    let total = 0;
    for (let i = 0; i < vertexCount; i++) total += mass[i] * errors[i];
    return total;
  }

  async assign(products: BoneProducts, assignment: Int32Array, errors: Float64Array): Promise<void> {
    const { vertexCount, rank } = this.problem;
    this.#begin({ kind: ASSIGN, bones: products.boneCount, influences: 1, exchange: 0, tryNeighbours: 0 });
    packProducts(products, rank, this.#arrays);
    this.#loop(vertexCount, GRAIN);
    assignment.set(this.#arrays.joints.subarray(0, vertexCount));
    errors.set(this.#arrays.errors);
  }

  async normalEquations(support: Support, boneCount: number): Promise<NormalEquations> {
    const { rank } = this.problem;
    const { influences } = support;
    this.#begin({ kind: SUMS, bones: boneCount, influences, exchange: 0, tryNeighbours: 0 });
    this.#putSupport(support);
    this.#loop(CHUNKS, 1);
    const total = this.#addChunks(sumsLength(boneCount, rank));
    const pairs = MONOMIAL_STRIDE * boneCount * boneCount;
    return { boneCount, h: unfoldPairSums(total.subarray(0, pairs), boneCount), r: total.slice(pairs) };
  }

  dispose(): void {
    this.#parallel?.close();
  }

  #begin(pass: PassFields): void {
    const { maxBones, maxInfluences } = this.#options;
    if (pass.bones > maxBones || pass.influences > maxInfluences) {
      const cause = `${pass.bones} bones × ${pass.influences} (expected ${maxBones} × ${maxInfluences})`;
      throw new PliantError('internal', 'fit', cause);
    }
    writePass(this.#arrays.table, pass);
  }

  #putSupport({ count, joints, weights }: Support): void {
    this.#arrays.oldCounts.set(count);
    this.#arrays.oldJoints.set(joints);
    this.#arrays.oldWeights.set(weights);
  }

  #loop(count: number, grain: number): void {
    if (this.#parallel) this.#parallel.run(count, grain);
    else this.#alone?.(0, count);
  }

  /** The sums of all chunks, `length` numbers each, always in the same order. */
  #addChunks(length: number): Float64Array {
    const { sums } = this.#arrays;
    const total = new Float64Array(length);
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const from = (chunk * sums.length) / CHUNKS;
      for (let c = 0; c < length; c++) total[c] += sums[from + c];
    }
    return total;
  }
}
