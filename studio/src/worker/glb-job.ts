import { explain, type GlbResult, type RunOptions, writeModelGlb } from '../../../src/index.ts';
import { distinctNotes } from '../../../src/model/note.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { errorsOfFile, type FileErrors } from './file-errors.ts';
import { fittedParts } from './fitted-parts.ts';
import type { Jobs, JobTable } from './protocol.ts';
import { glbBlob, rigFile, unread } from './rig-file.ts';

type Fitted = NonNullable<Jobs['glb']['input']['fit']>;

/** Writes a file. For a fit it is also measured; if that fails, the file is kept and the reason returned. */
export const glbJob: JobTable['glb'] = async ({ models, options, predictor, fit, opened }, run) => {
  if (opened && !(fit || predictor)) return rigFile(models, options, opened);
  const written = await writeModelGlb(models, { influences: models[0].weights.influences, ...options, predictor });
  const lost = opened ? [...unread(opened.notes), ...(opened.lost ?? [])] : [];
  const made = { file: glbBlob([written.bytes]), notes: distinctNotes([...lost, ...written.report.notes]) };
  if (!fit) return made;
  // Cancelled while it was written.
  await checkpoint(run, 'glb', 0, 1, 'measuring');
  try {
    return { ...made, errors: await measured(written, fit, run) };
  } catch (error) {
    return { ...made, unmeasured: explain(error) };
  }
};

async function measured(
  written: GlbResult,
  { parts, options, diagonal }: Fitted,
  run: RunOptions,
): Promise<FileErrors> {
  const { fitted, parts: frames } = await fittedParts(parts, options);
  return errorsOfFile(written, frames, fitted.clips, diagonal, run);
}
