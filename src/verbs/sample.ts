import type { ModelGlbOptions } from '../io/glb/options.ts';
import { writeMeshGlb } from '../io/write-glb.ts';
import type { Mesh } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { SAMPLE_NAMES, SAMPLES, type Sample, type SampleName, type SampleOptions } from '../sample-list.ts';
import { makeSample } from '../samples.ts';
import { clipReport, glbOf, meshPart, modelPart, sequenceClip, type VerbReport, verbReport } from './verb.ts';

/** What only `sample` reports. */
export interface SampleDetail {
  iterations?: number;
  /** The samples that there are, where none was named. */
  samples?: (Sample & { name: SampleName })[];
}

/** Options of `sample`. */
export interface SampleVerbOptions extends Partial<SampleOptions>, RunOptions {
  /** How to write a rig as GLB [default not at all]. */
  glb?: Partial<ModelGlbOptions>;
}

/** What `sample` returns. */
export interface SampleOutcome {
  sequences: MeshSequence[];
  models: SkinnedModel[];
  meshes: Mesh[];
  /** The GLB of the models or meshes. */
  file?: Uint8Array;
  report: VerbReport<SampleDetail>;
}

/** Makes simulated cloth, a small rig or a garment by its name; without a name lists what there is. */
export async function sample(
  name: string | undefined,
  { glb, ...options }: SampleVerbOptions = {},
): Promise<SampleOutcome> {
  if (name === undefined) {
    const samples = SAMPLE_NAMES.map((each) => ({ name: each, ...SAMPLES[each] }));
    return { sequences: [], models: [], meshes: [], report: verbReport({ samples }) };
  }
  const { sequence, model, mesh, report: made } = await makeSample(name, options);
  const sequences = sequence ? [sequence] : [];
  const models = model ? [model] : [];
  const meshes = mesh ? [mesh] : [];
  const report = verbReport(
    { iterations: made.iterations },
    {
      ...made,
      clips: [
        ...sequences.map((each) => sequenceClip(each)),
        ...models.flatMap(({ clips }) => clips.map((clip) => clipReport(clip))),
      ],
      parts: [
        ...sequences.map((each) => meshPart(each.name, each.rest)),
        ...models.map(modelPart),
        ...meshes.map((each) => meshPart(name, each)),
      ],
    },
  );
  const written = models.length > 0 ? await glbOf(models, glb, report) : {};
  const file = mesh && glb ? (await writeMeshGlb(mesh, glb)).bytes : undefined;
  return { sequences, models, meshes, ...written, ...(file && { file }), report };
}
