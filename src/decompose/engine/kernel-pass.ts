import { type FitKernels, loadKernels } from '../../kernels/load.ts';
import type { RangeTask } from '../../kernels/parallel.ts';
import { CHUNKS, type FitJob, readPass, sumsLength } from './kernel-arrays.ts';

/** Kinds of passes: weights and assignments over ranges of vertices, sums over ranges of chunks. */
export const WEIGHTS = 0;
export const ASSIGN = 1;
export const SUMS = 2;

/** The task "fit" of a pool: what a thread does of the pass that stands in the table. */
export const fitTask: RangeTask = (data, thread) => {
  const job = data as FitJob;
  const { memory, at } = job;
  const kernels: FitKernels = loadKernels(memory);
  const table = new Int32Array(memory.buffer, at.table);
  const scratch = at.scratch + thread * job.scratchBytes;
  return (begin, end) => {
    const { kind, bones } = readPass(table);
    if (kind === WEIGHTS) kernels.fitWeights(at.table, begin, end, scratch);
    else if (kind === ASSIGN) kernels.fitAssign(at.table, begin, end, scratch);
    else for (let chunk = begin; chunk < end; chunk++) sumChunk(kernels, job, bones, chunk);
  };
};

/** The sums of one chunk of the vertices, from nothing. */
function sumChunk(kernels: FitKernels, job: FitJob, bones: number, chunk: number): void {
  const { memory, vertexCount, rank, at, sumBytes } = job;
  const start = (of: number) => Math.floor((of * vertexCount) / CHUNKS);
  const sums = at.sums + chunk * sumBytes;
  new Float64Array(memory.buffer, sums, sumsLength(bones, rank)).fill(0);
  kernels.fitSums(at.table, start(chunk), start(chunk + 1), sums);
}
