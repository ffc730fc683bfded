import { framesToFit } from '../../../src/fit/clips.ts';
import { defaultsOf, FIT_OPTIONS, type FitOptions, type FittedFrames, type MeshSequence } from '../../../src/index.ts';
import { mergeSequences } from '../../../src/mesh/merge-sequences.ts';
import { asSequence, type SequenceData } from '../core/content/content.ts';

/** The frames that were fitted: of all parts as one mesh, and of each part. */
export async function fittedParts(
  parts: readonly SequenceData[],
  options: Partial<FitOptions>,
): Promise<{ fitted: FittedFrames; parts: MeshSequence[] }> {
  const { sequence, splitSequence } = mergeSequences(parts.map(asSequence));
  const fitted = await framesToFit([sequence], { ...defaultsOf(FIT_OPTIONS), ...options });
  return { fitted, parts: splitSequence(fitted.sequence) };
}
