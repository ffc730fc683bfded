import { gltfWithLight } from '../io/edit-light.ts';
import { MIXED_POSE } from '../light/bake-poses.ts';
import { bakeLight } from '../light/light.ts';
import { lightBytes } from '../light/light-bytes.ts';
import { LIGHT_OPTIONS, type LightOptions } from '../light/light-options.ts';
import { sampleClusters } from '../model/light-samples.ts';
import { vertexCount } from '../model/mesh.ts';
import { addNotes, note } from '../model/note.ts';
import type { RunOptions } from '../model/options.ts';
import { addSeconds, lapTimer } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { clipNames } from '../skin/choose-poses.ts';
import { requireRigs } from './choose.ts';
import { editable, equationsWith, type LightRun, lightRigs, traceWith } from './light-parts.ts';
import {
  assetOf,
  fileOf,
  type GlbTarget,
  KEPT_BY_EDITING,
  modelPart,
  type VerbInput,
  type VerbReport,
  verbReport,
} from './verb.ts';

const VERB = 'light';

/** What `light bake` can be asked for. */
export const LIGHT_BAKE_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the rig to light [default all rigs of the file]' },
  ...LIGHT_OPTIONS,
} as const;

/** What was baked. */
export interface LightBakeDetail {
  task: 'bake';
  method: LightOptions['method'];
  /** Clips that poses were taken from. */
  baked: string[];
  /** Poses that were traced, and how many of them are mixed of several moments. */
  poses: number;
  mixedPoses: number;
  rays: number;
  modes: number;
  spheres: number;
  /** PCA clusters of diffuse light, by the method "paper". */
  clusters?: number;
  /** What the light takes, per vertex of the mesh. */
  bytesPerVertex: number;
}

/** Options of `lightBake`. */
export interface LightBakeOptions extends Partial<LightOptions>, LightRun, RunOptions, GlbTarget {
  /** How to write the file; without it none is written. */
  glb?: { compress?: 'none' | 'meshopt' };
}

/** What `lightBake` made. */
export interface LightBakeOutcome {
  /** The rigs with their light. */
  models: SkinnedModel[];
  file?: Uint8Array;
  report: VerbReport<LightBakeDetail>;
}

/** Bakes light on the rigs of an asset: the given file, with the light added. */
export async function lightBake(input: VerbInput, options: LightBakeOptions = {}): Promise<LightBakeOutcome> {
  const asset = assetOf(input);
  const { tiles, object, clips, glb, sink, onProgress, signal, ...settings } = options;
  const detail: LightBakeDetail = {
    task: 'bake',
    method: settings.method ?? LIGHT_OPTIONS.method.default,
    baked: [],
    poses: 0,
    mixedPoses: 0,
    rays: settings.rays ?? LIGHT_OPTIONS.rays.default,
    modes: settings.modes ?? LIGHT_OPTIONS.modes.default,
    spheres: 0,
    bytesPerVertex: 0,
  };
  const report = verbReport<LightBakeDetail>(detail, asset);
  requireRigs(VERB, asset, object);
  const file = await editable(asset, report.notes);
  const models = lightRigs(VERB, file, { object, clips }, report.notes);
  detail.baked = clipNames(models);
  if (detail.baked.length === 0) report.notes.push(note('light-without-clips', {}));

  const made = await bakeLight(models, settings, traceWith(tiles), {
    equations: equationsWith(tiles),
    onProgress,
    signal,
  });
  addSeconds(report.seconds, made.report.seconds);
  addNotes(report.notes, ...made.report.notes);
  const lights = made.models.map(({ light }) => light!);
  const vertices = made.models.reduce((sum, { mesh }) => sum + vertexCount(mesh), 0);
  detail.poses = made.poses.length;
  detail.mixedPoses = made.poses.filter(({ name }) => name === MIXED_POSE).length;
  detail.spheres = lights.reduce((sum, { spheres }) => sum + spheres.count, 0);
  if (detail.method === 'paper') {
    detail.clusters = lights.reduce((sum, { samples }) => sum + sampleClusters(samples!.diffuse), 0);
  }
  detail.bytesPerVertex = lights.reduce((sum, light) => sum + lightBytes(light), 0) / vertices;
  report.parts = made.models.map((model) => modelPart(model));
  report.figures.spheres = detail.spheres;
  if (!glb) return { models: made.models, report };

  const lap = lapTimer(report.seconds);
  const written = await gltfWithLight(file.source, made.models, glb.compress === 'meshopt');
  report.notes = report.notes.filter(({ code }) => code === 'not-read' || !KEPT_BY_EDITING.has(code));
  report.figures.bytes = written.report.figures.bytes;
  const joined = await fileOf(written.parts, { sink });
  lap('write');
  return { models: made.models, ...joined, report };
}
