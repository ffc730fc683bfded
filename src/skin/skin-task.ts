import { loadKernels, SCRATCH_BYTES } from '../kernels/load.ts';
import type { RangeTask } from '../kernels/parallel.ts';
import type { SkinJob } from './skin-job.ts';
import { twinTask } from './twins.ts';

/** Poses a range of vertices with the WebAssembly kernel or, where there is none, its twin. The task "skin" of a pool. */
export const skinTask: RangeTask = (data, thread) => {
  const job = data as SkinJob;
  const { memory, kernel, at } = job;
  if (!('buffer' in memory) || kernel === 'dib') return twinTask(job);
  const pose = loadKernels(memory)[kernel];
  const scratch = at.scratch + SCRATCH_BYTES * thread;
  return (begin, end) => pose(at.table, begin, end, scratch);
};
