import { mergeSequences } from '../../../src/fit/merge-sequences.ts';
import { learn } from '../../../src/learn/learn.ts';
import { examplesClip, predictorModel } from '../../../src/learn/predictor-model.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import { asSequence } from '../core/content.ts';
import type { Jobs, LearnData } from './protocol.ts';

export async function learnJob(
  { parts, options }: Jobs['learn']['input'],
  run: Required<RunOptions>,
): Promise<LearnData> {
  const sequences = parts.map(asSequence);
  const sequence = sequences.length > 1 ? mergeSequences(sequences).sequence : sequences[0];
  const { predictor, transforms, report } = await learn([sequence], { ...options, ...run });
  return { predictor, model: predictorModel(predictor, [examplesClip(predictor, transforms)]), report };
}
