import { framesToFit } from '../../../src/fit/clips.ts';
import { FIT_DEFAULTS } from '../../../src/fit/fit-options.ts';
import { writeSequenceGlb } from '../../../src/io/write-glb.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import { fitPage } from '../../../src/report/fit-page.ts';
import { joined } from './fit-job.ts';
import type { Jobs } from './protocol.ts';

/** The report page of a fit, with the size of the same motion as morph targets. */
export async function pageJob(
  { parts, fit: found, options, title, settings }: Jobs['page']['input'],
  run: Required<RunOptions>,
): Promise<string> {
  const { sequence, splitSequence } = joined(parts);
  const fitted = await framesToFit([sequence], { ...FIT_DEFAULTS, ...options });
  const morphs = await writeSequenceGlb(splitSequence(fitted.sequence), run);
  const size = { bytes: found.bytes, bytesBefore: morphs.bytes.length, estimated: false };
  return fitPage({ ...found, model: found.merged, fitted }, { title, size, settings }, run);
}
