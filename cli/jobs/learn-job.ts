import type { ModelGlbOptions } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { type LearnGiven, type LearnResult, learn } from '../../src/learn/learn.ts';
import type { LearnOptions } from '../../src/learn/learn-options.ts';
import { examplesClip, predictorModel } from '../../src/learn/predictor-model.ts';
import type { FitInput } from '../input/fit-input.ts';
import type { GlbOutput } from '../output/output.ts';
import type { Run } from '../terminal/session.ts';

/** What `learn` does with an open output: learns from the clips, writes the predictor and a clip of its examples. */
export interface LearnJob {
  input: FitInput;
  /** As the user gave them. */
  options: Partial<LearnOptions>;
  /** Parts of the solution that the user provides. */
  given: LearnGiven;
  glb: Partial<ModelGlbOptions>;
}

export async function runLearn(
  { input, options, given, glb }: LearnJob,
  output: GlbOutput,
  run: Run,
): Promise<LearnResult> {
  const learned = await learn(input.clips, { ...options, ...run, given });
  learned.report.notes.unshift(...input.notes);
  const { predictor, transforms } = learned;
  const model = predictorModel(predictor, [examplesClip(predictor, transforms)]);
  const { bytes, report } = await writeModelGlb(model, { ...glb, predictor });
  learned.report.notes.push(...report.notes);
  await output.sink.write(bytes);
  return learned;
}
