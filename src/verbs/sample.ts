import type { RunOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { SAMPLE_NAMES, SAMPLES, type Sample, type SampleName, type SampleOptions } from '../sample-list.ts';
import { makeSample } from '../samples.ts';
import { clipReport, meshPart, modelPart, sequenceClip, type VerbReport } from './verb.ts';
import { emptyVerbReport } from './verb-report.ts';

/** What only `sample` reports. */
export interface SampleDetail {
  iterations?: number;
  /** The samples that there are, where none was named. */
  samples?: (Sample & { name: SampleName })[];
}

/** What `sample` returns. */
export interface SampleOutcome {
  sequences: MeshSequence[];
  models: SkinnedModel[];
  report: VerbReport<SampleDetail>;
}

/** Makes simulated cloth or a small rig by its name; without a name lists what there is. */
export async function sample(
  name: string | undefined,
  options: Partial<SampleOptions> & RunOptions = {},
): Promise<SampleOutcome> {
  if (name === undefined) {
    const samples = SAMPLE_NAMES.map((each) => ({ name: each, ...SAMPLES[each] }));
    return { sequences: [], models: [], report: emptyVerbReport<SampleDetail>('sample', [], { samples }) };
  }
  const { sequence, model, report } = await makeSample(name, options);
  return {
    sequences: sequence ? [sequence] : [],
    models: model ? [model] : [],
    report: {
      verb: 'sample',
      figures: report.figures,
      clips: [...(sequence ? [sequenceClip(sequence)] : []), ...(model?.clips.map((clip) => clipReport(clip)) ?? [])],
      parts: [...(sequence ? [meshPart(sequence.name, sequence.rest)] : []), ...(model ? [modelPart(model)] : [])],
      notes: report.notes,
      seconds: report.seconds,
      detail: { iterations: report.iterations },
    },
  };
}
