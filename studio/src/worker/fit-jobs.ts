import { framesToFit } from '../../../src/fit/clips.ts';
import { fit } from '../../../src/fit/fit.ts';
import { FIT_DEFAULTS } from '../../../src/fit/fit-options.ts';
import { type MergedSequences, mergeSequences } from '../../../src/fit/merge-sequences.ts';
import { writeModelGlb, writeSequenceGlb } from '../../../src/io/write-glb.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { browserPool } from '../../../src/platform/browser/pool.ts';
import { fitPage } from '../../../src/report/fit-page.ts';
import { asSequence, type SequenceData } from '../core/content.ts';
import type { FitData, Jobs } from './protocol.ts';

type Run = Required<RunOptions>;

/** Several parts are fitted as one mesh; a single one keeps its attributes. */
export function joined(parts: readonly SequenceData[]): MergedSequences {
  const sequences = parts.map(asSequence);
  if (sequences.length > 1) return mergeSequences(sequences);
  const [sequence] = sequences;
  return { sequence, split: (model) => [model], splitSequence: (moved) => [moved] };
}

const sizeOf = async (models: readonly SkinnedModel[]): Promise<number> =>
  (await writeModelGlb(models, { influences: models[0].weights.influences })).bytes.length;

export async function fitJob({ parts, options, threads }: Jobs['fit']['input'], run: Run): Promise<FitData> {
  const { sequence, split } = joined(parts);
  const pool = await browserPool(threads);
  try {
    const {
      model: merged,
      fitted: _frames,
      ...found
    } = await fit(sequence, { ...options, ...run, pool, sizeOf: (model) => sizeOf(split(model)) });
    const models = split(merged);
    return { ...found, merged, models, bytes: await sizeOf(models) };
  } finally {
    await pool.close();
  }
}

/** The report page of a fit, with the size of the same motion as morph targets. */
export async function pageJob(
  { parts, fit: found, options, title, settings }: Jobs['page']['input'],
  run: Run,
): Promise<string> {
  const { sequence, splitSequence } = joined(parts);
  const fitted = await framesToFit([sequence], { ...FIT_DEFAULTS, ...options });
  const morphs = await writeSequenceGlb(splitSequence(fitted.sequence), run);
  const size = { bytes: found.bytes, bytesBefore: morphs.bytes.length, estimated: false };
  return fitPage({ ...found, model: found.merged, fitted }, { title, size, settings }, run);
}
