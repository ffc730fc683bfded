import { fit } from '../../../src/fit/fit.ts';
import { type MergedSequences, mergeSequences } from '../../../src/fit/merge-sequences.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { browserPool } from '../../../src/platform/browser/pool.ts';
import { asSequence, type SequenceData } from '../core/content/content.ts';
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
