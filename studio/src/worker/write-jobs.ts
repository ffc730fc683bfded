import { framesToFit } from '../../../src/fit/clips.ts';
import { FIT_DEFAULTS } from '../../../src/fit/fit-options.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import { errorsOfFile } from './file-errors.ts';
import { joined } from './fit-job.ts';
import type { Jobs } from './protocol.ts';

/** A file; of a fit also what its errors are in the file. */
export async function glbJob(
  { models, options, predictor, fit }: Jobs['glb']['input'],
  run: Required<RunOptions>,
): Promise<Jobs['glb']['output']> {
  const written = await writeModelGlb(models, { influences: models[0].weights.influences, ...options, predictor });
  const bytes = new Uint8Array(written.bytes);
  if (!fit) return { bytes };
  const { sequence, splitSequence } = joined(fit.parts);
  const { sequence: frames, clips } = await framesToFit([sequence], { ...FIT_DEFAULTS, ...fit.options });
  return { bytes, errors: await errorsOfFile(written, splitSequence(frames), clips, fit.diagonal, run) };
}
