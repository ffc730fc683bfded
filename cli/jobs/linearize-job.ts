import type { ModelGlbOptions } from '../../src/io/glb/options.ts';
import { modelInGltfSpace } from '../../src/io/glb/space.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Notes } from '../../src/model/note.ts';
import { plural } from '../../src/report/format.ts';
import { linearizePage } from '../../src/report/linearize-page.ts';
import { type LinearizeOptions, type LinearizeResult, linearize } from '../../src/rig/linearize/linearize.ts';
import { LINEARIZE_OPTIONS } from '../../src/rig/linearize/linearize-options.ts';
import { pickOne } from '../input/open-input.ts';
import { requireRigs } from '../input/rigs.ts';
import { openMotions, playOn } from '../input/skeletons.ts';
import type { Output } from '../output/output.ts';
import type { Run } from '../terminal/session.ts';
import type { PageOrigin } from '../text/page-origin.ts';
import { settingRows } from '../text/settings.ts';

const OPERATION = 'linearize';

/** What `linearize` does with an open output: linearizes every rig of a file, writes the GLB and its page. */
export interface LinearizeJob {
  asset: Asset;
  file: string;
  object?: string;
  /** For the page. */
  origin: PageOrigin;
  /** As the user gave them. */
  options: Partial<LinearizeOptions>;
  glb: Partial<ModelGlbOptions>;
  /** A file with clips to train with. */
  trainingFile?: string;
  /** Joint of the file's clips → bone of the rig. */
  map: Readonly<Record<string, string>>;
}

export interface LinearizeOutcome {
  parts: LinearizeResult[];
  notes: Notes;
}

export async function runLinearize(job: LinearizeJob, output: Output<'glb'>, run: Run): Promise<LinearizeOutcome> {
  const { asset, options, glb, origin, trainingFile } = job;
  const notes = [...asset.notes];
  const parts = await linearizeParts(job, run, notes);
  const influences = options.influences ?? LINEARIZE_OPTIONS.influences.default;
  const models = parts.map(({ model }) => model);
  const { bytes, report } = await writeModelGlb(models, { ...glb, influences });
  notes.push(...report.notes);
  await output.sink.write(bytes);
  if (output.report) {
    const settings = settingRows(LINEARIZE_OPTIONS, { ...options, ...(trainingFile && { training: trainingFile }) });
    const operator = options.operator ?? LINEARIZE_OPTIONS.operator.default;
    const html = await linearizePage(parts, operator, { ...origin, settings, notes });
    await output.report.write(new TextEncoder().encode(html));
  }
  return { parts, notes };
}

/** Every rig of the file gets blend bones of its own. */
async function linearizeParts(
  { asset, file, object, options, trainingFile, map }: LinearizeJob,
  run: Run,
  notes: Notes,
): Promise<LinearizeResult[]> {
  const choice = { operation: OPERATION, file, what: 'object', name: object };
  const models = requireRigs(OPERATION, asset, file);
  const chosen = object === undefined ? models : [pickOne(models, choice)];
  // Clips of other files are y up: so must be the rig that they are to move.
  const rigs = trainingFile === undefined ? chosen : chosen.map(modelInGltfSpace);
  const motions = trainingFile === undefined ? [] : await openMotions(OPERATION, trainingFile);
  const parts: LinearizeResult[] = [];
  for (const rig of rigs) {
    const trainingClips = motions.flatMap((motion) => playOn(OPERATION, rig.skeleton, motion, map, notes));
    const given = trainingFile === undefined ? {} : { trainingClips };
    parts.push(await linearize(rig, { ...options, given, ...run }));
  }
  const left = asset.meshes.length + asset.sequences.length;
  if (left > 0) notes.push(`${plural(left, 'mesh', 'meshes')} of the file without bones are left out.`);
  return parts;
}
