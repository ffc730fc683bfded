import { type KernelMemory, loadKernels, SCRATCH_BYTES, type SkinKernel } from '../kernels/load.ts';
import type { RangeTask } from '../kernels/parallel.ts';
import { type SkinKernels, twinKernels } from './twins.ts';

/** The arguments of a skinning kernel but for the range, as data that can be sent to another thread. */
export interface SkinJob {
  memory: KernelMemory;
  kernel: keyof SkinKernels;
  /** k influences. */
  k: number;
  /** Byte offsets into the memory; see `SkinKernel`. */
  restPositions: number;
  restNormals: number;
  joints: number;
  weights: number;
  mix: number;
  bones: number;
  positions: number;
  normals: number;
  /** `SCRATCH_BYTES` per thread. */
  scratch: number;
  antipodality: boolean;
}

/** Poses a range of vertices of a `SkinJob`: the task "skin" of a pool. */
export const skinTask: RangeTask = (data, thread) => {
  const job = data as SkinJob;
  const kernel = kernelOf(job);
  const { k, restPositions, restNormals, joints, weights, mix, bones, positions, normals } = job;
  const antipodality = job.antipodality ? 1 : 0;
  const scratch = job.scratch + SCRATCH_BYTES * thread;
  return (begin, end) =>
    kernel(
      begin,
      end,
      k,
      restPositions,
      restNormals,
      joints,
      weights,
      mix,
      bones,
      antipodality,
      positions,
      normals,
      scratch,
    );
};

/** The module's kernel where there is one and the memory is its kind; else the twin. */
function kernelOf({ memory, kernel }: SkinJob): SkinKernel {
  if (!('buffer' in memory) || kernel === 'dib') return twinKernels(memory)[kernel];
  return loadKernels(memory)[kernel];
}
