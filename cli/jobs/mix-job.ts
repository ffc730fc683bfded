import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import type { Asset } from '../../src/model/asset.ts';
import { distinctNotes, type Notes } from '../../src/model/note.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { mixPage } from '../../src/report/mix-page.ts';
import type { Setting } from '../../src/report/sections.ts';
import { FLEXION_OPTIONS } from '../../src/rig/mix/flexion.ts';
import { MIX_OPTIONS, type MixOptions, type MixResult, mix } from '../../src/rig/mix/mix.ts';
import { type MotionChoice, motionsOf } from '../input/mix-motions.ts';
import { findNamed } from '../input/open-input.ts';
import { requireRigs } from '../input/rigs.ts';
import type { Output } from '../output/output.ts';
import type { Run } from '../terminal/session.ts';
import type { PageOrigin } from '../text/page-origin.ts';
import { settingRows } from '../text/settings.ts';

const MOST_INFLUENCES = MODEL_GLB_OPTIONS.influences.max;

/** What `mix` does with an open output: mixes the rigs of a file, writes the GLB and its page. */
export interface MixJob {
  asset: Asset;
  file: string;
  object?: string;
  /** For the page. */
  origin: PageOrigin;
  /** What the mix is judged by. */
  motions: MotionChoice;
  /** As the user gave them. */
  options: Partial<MixOptions>;
  glb: Partial<ModelGlbOptions>;
}

export interface MixOutcome {
  results: MixResult[];
  notes: Notes;
}

export async function runMix(job: MixJob, output: Output<'glb'>, run: Run): Promise<MixOutcome> {
  const { asset, file, object, options, glb, origin } = job;
  const parts = chosenParts(asset, file, object);
  const motions = motionsOf({ models: parts, clipNames: asset.clipNames }, file, job.motions);
  const results: MixResult[] = [];
  for (const part of parts)
    results.push(await mix(part, { ...options, given: { motions: motions.get(part) }, ...run }));
  // Where there is nothing to mix a part stays as it is.
  const mixed = new Map(parts.map((part, q) => [part, results[q].faces.length > 0 ? results[q].model : part]));
  const models = asset.models.map((part) => mixed.get(part) ?? part);
  const influences = Math.min(MOST_INFLUENCES, Math.max(...models.map(({ weights }) => weights.influences)));
  const { bytes, report } = await writeModelGlb(models, { ...glb, influences });
  await output.sink.write(bytes);
  const notes = distinctNotes([...asset.notes, ...results.flatMap((r) => r.report.notes), ...report.notes]);
  if (output.report) {
    const page = await mixPage(results, { ...origin, settings: mixSettings(job), notes }, run);
    await output.report.write(new TextEncoder().encode(page));
  }
  return { results, notes };
}

/** The parts to mix: the one that was named, or all. */
function chosenParts(asset: Asset, file: string, object: string | undefined): SkinnedModel[] {
  const models = requireRigs('mix', asset, file);
  const named = findNamed(models, { operation: 'mix', file, what: 'object', name: object });
  return named ? [named] : [...models];
}

function mixSettings({ options, motions: { joints, flexion } }: MixJob): Setting[] {
  const settings = settingRows(MIX_OPTIONS, options);
  if (joints.length === 0) return settings;
  const bending = { name: 'joints that bend', value: joints.join(', '), given: true };
  return [...settings, bending, ...settingRows(FLEXION_OPTIONS, flexion)];
}
