import { bakeLight } from '../light/light.ts';
import { LIGHT_OPTIONS } from '../light/light-options.ts';
import type { LightContender, MeasureLightOptions } from '../light/measure-light.ts';
import { MEASURE_LIGHT_OPTIONS, measureLight } from '../light/measure-light.ts';
import { PAPER_OPTIONS } from '../light/paper/paper-options.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import { note } from '../model/note.ts';
import { choiceOption, type OptionsOf, type RunOptions } from '../model/options.ts';
import { addSeconds } from '../model/report.ts';
import { equationsWith, type LightRun, lightRigs, lightsOf, requireClips, traceWith } from './light-parts.ts';
import { assetOf, clipReport, modelPart, type VerbInput, type VerbReport, verbReport } from './verb.ts';

const VERB = 'light';

/** What `light measure` can be asked for. */
export const LIGHT_MEASURE_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the rig to measure [default all rigs of the file]' },
  ...MEASURE_LIGHT_OPTIONS,
  method: choiceOption(
    'stored',
    ['stored', ...PAPER_OPTIONS.method.choices],
    'stored: the light of the file; others: light that is baked this way first, from the clips that are measured',
  ),
  poses: { ...LIGHT_OPTIONS.poses, description: 'poses that are traced if light is baked first' },
} as const;

/** Errors in the poses of a clip, in % of traced light as it is seen. */
export interface LightClipFigures {
  name: string;
  /** Whether poses of it were traced when the light was baked. */
  baked: boolean;
  /** Of the light that the file has; of the spheres alone where it has none. */
  shadingErrorPercent: number;
  /** Of spheres alone, with nothing traced. */
  basePercent: number;
  /** Of the nearest traced poses, uncompressed; absent without a bake, or where they take too much memory. */
  poseSpacePercent?: number;
  /** Without any shadows. */
  unshadowedPercent: number;
  /** As `shadingErrorPercent`, of coefficients instead of what is seen. */
  transferErrorPercent: number;
  /** Seconds into the clip, and the errors there by what gives the light. */
  times: number[];
  curves: Partial<Record<LightContender, number[]>>;
}

/** What was measured. */
export interface LightMeasureDetail {
  task: 'measure';
  /** Whether the file has light. */
  hasLight: boolean;
  environments: string[];
  clips: LightClipFigures[];
}

/** Options of `lightMeasure`. */
export interface LightMeasureOptions extends Partial<MeasureLightOptions>, LightRun, RunOptions {
  /** The light that is measured: that of the file, or baked this way first. */
  method?: OptionsOf<typeof LIGHT_MEASURE_OPTIONS>['method'];
  /** Poses that are traced for it [default 48]. */
  poses?: number;
  /** Light to measure by [default a sky and a room]. */
  environments?: readonly { name: string; map: EnvironmentMap }[];
}

/** Compares light on the rigs of an asset, baked or of spheres alone, with traced light, in poses of all clips. */
export async function lightMeasure(
  input: VerbInput,
  options: LightMeasureOptions = {},
): Promise<{ report: VerbReport<LightMeasureDetail> }> {
  const asset = assetOf(input);
  const {
    tiles,
    object,
    clips,
    environments = [],
    method = 'stored',
    poses,
    onProgress,
    signal,
    ...settings
  } = options;
  const detail: LightMeasureDetail = { task: 'measure', hasLight: false, environments: [], clips: [] };
  const report = verbReport<LightMeasureDetail>(detail, asset);
  const moving = lightRigs(VERB, asset, { object, clips }, report.notes);
  requireClips(VERB, asset, moving);
  let models = lightRigs(VERB, asset, { object }, []);
  if (method !== 'stored') {
    const { bounces, albedo, spheres, seed } = settings;
    const baking = { method, poses, bounces, albedo, spheres, seed };
    const made = await bakeLight(moving, baking, traceWith(tiles), {
      equations: equationsWith(tiles),
      onProgress,
      signal,
    });
    addSeconds(report.seconds, made.report.seconds);
    models = models.map((model, m) => ({ ...model, light: made.models[m].light }));
  }
  detail.hasLight = models.every(({ light }) => light);
  if (!detail.hasLight) report.notes.push(note('light-not-baked', {}));
  const lights = lightsOf(environments);
  detail.environments = lights(1).map(({ name }) => name);

  const measured = await measureLight(models, lights, { ...settings, clips }, traceWith(tiles), { onProgress, signal });
  addSeconds(report.seconds, measured.report.seconds);
  detail.clips = measured.clips.map(({ name, baked, shading, transfer, times, curves }) => {
    const best = detail.hasLight ? 'baked' : 'base';
    return {
      name,
      baked,
      shadingErrorPercent: shading[best]!,
      basePercent: shading.base!,
      ...(shading.poseSpace !== undefined && { poseSpacePercent: shading.poseSpace }),
      unshadowedPercent: shading.unshadowed!,
      transferErrorPercent: transfer[best]!,
      times,
      curves,
    };
  });
  report.clips = detail.clips.map(({ times, curves: _, transferErrorPercent: __, ...errors }) => {
    const own = models.flatMap(({ clips: all }) => all).find(({ name }) => name === errors.name)!;
    return { ...clipReport(own), frames: times.length, ...errors };
  });
  report.parts = models.map((model) => modelPart(model));
  return { report };
}
