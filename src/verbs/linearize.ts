import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { modelInGltfSpace } from '../io/glb/space.ts';
import type { Asset } from '../model/asset.ts';
import type { Figures } from '../model/figures.ts';
import { followedBones } from '../model/influences.ts';
import { vertexCount } from '../model/mesh.ts';
import { addNotes, note } from '../model/note.ts';
import type { OptionSpecs, OptionsOf, RunOptions } from '../model/options.ts';
import { addSeconds } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { type LinearizeResult, type LinearizeSoFar, linearize as linearizeModel } from '../rig/linearize/linearize.ts';
import { LINEARIZE_OPTIONS, type LinearizeOptions } from '../rig/linearize/linearize-options.ts';
import { requireRigs } from './choose.ts';
import { motionsOf, type NameMap, playOn } from './other-motions.ts';
import {
  assetOf,
  clipReport,
  type GlbTarget,
  glbOf,
  modelPart,
  type VerbInput,
  type VerbReport,
  verbReport,
} from './verb.ts';

const VERB = 'linearize';

/** Options of `linearize` in addition to `LINEARIZE_OPTIONS`. */
export const LINEARIZE_INPUT_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'part of the rig [default all, separately]' },
} as const satisfies OptionSpecs;

/** Options of `linearize`. */
export interface LinearizeVerbOptions
  extends Partial<Omit<LinearizeOptions, 'training'>>,
    Partial<OptionsOf<typeof LINEARIZE_INPUT_OPTIONS>>,
    RunOptions,
    GlbTarget {
  /** What to train with; an asset stands for its clips. */
  training?: LinearizeOptions['training'] | Asset;
  /** For the clips of an asset. */
  map?: NameMap;
  /** False leaves the errors of the clips unmeasured, and their keys as they are. */
  measure?: boolean;
  /** Called while blend bones are added, to look at the rigs that are finished and the one in work. */
  onSoFar?: (look: () => LinearizeSoFar[]) => void;
  /** Writes a GLB, with as many influences as are solved for. */
  glb?: Partial<ModelGlbOptions>;
}

/** Details of a part, in addition to its figures. */
export interface LinearizePartDetail
  extends Pick<LinearizeResult, 'curve' | 'stopped' | 'heldOut' | 'crossfades' | 'joints'> {
  name: string;
  training: { source: LinearizeResult['training']['source']; frames: number };
  blendBones: { name: string; masters: string[]; weights: number[] }[];
  converged?: boolean;
  iterations?: number;
  seconds: Record<string, number>;
}

/** What only `linearize` reports. */
export interface LinearizeDetail {
  parts: LinearizePartDetail[];
}

/** What `linearize` returns. */
export interface LinearizeOutcome {
  models: SkinnedModel[];
  /** Of each model, for pages and pictures. */
  parts: LinearizeResult[];
  file?: Uint8Array;
  report: VerbReport<LinearizeDetail>;
}

/** Adds blend bones to every rig of an asset. */
export async function linearize(input: VerbInput, options: LinearizeVerbOptions = {}): Promise<LinearizeOutcome> {
  const asset = assetOf(input);
  const { object, training, map, glb, sink, onSoFar, ...given } = options;
  if (map && typeof training !== 'object') {
    throw new PliantError('bad-option', VERB, 'needs a file in {option:training}', { option: 'map' });
  }
  if (given.framesPerSecond !== undefined && given.keys !== 'steady') {
    throw new PliantError('bad-option', VERB, 'applies to {option:keys} steady only', { option: 'framesPerSecond' });
  }
  const report = verbReport<LinearizeDetail>({ parts: [] }, asset);
  const rigs = requireRigs(VERB, asset, object);
  const parts: LinearizeResult[] = [];
  const watched = onSoFar && {
    onSoFar: (look: () => LinearizeSoFar) => onSoFar(() => [...parts.map(asSoFar), look()]),
  };
  const rest = { ...given, ...watched };
  for (const rig of rigs) {
    if (typeof training !== 'object') parts.push(await linearizeModel(rig, { ...rest, training }));
    else {
      // Clips of other assets are y up: so must be the rig that they move.
      const original = modelInGltfSpace(rig);
      const follow = followedBones(original.weights);
      const moved = { skeleton: original.skeleton, deforms: (bone: number) => follow.has(bone) };
      const clips = motionsOf(VERB, training).flatMap((motion) => playOn(VERB, moved, motion, map ?? {}, report.notes));
      parts.push(await linearizeModel(original, { ...rest, given: { trainingClips: clips } }));
    }
  }
  const meshes = asset.meshes.length + asset.sequences.length;
  if (meshes > 0) report.notes.push(note('left-out-unskinned', { meshes }));
  for (const part of parts) describePart(part, report, parts.length > 1);
  report.figures = totalsOf(parts);
  const models = parts.map(({ model }) => model);
  const { influences = LINEARIZE_OPTIONS.influences.default } = options;
  return { models, parts, ...(await glbOf(models, glb && { ...glb, influences }, report, { sink })), report };
}

const asSoFar = ({ model, envelopingError }: LinearizeResult): LinearizeSoFar => {
  const { weights, skeleton, clips, blendBones } = model;
  return { model: { weights, skeleton, clips, blendBones }, envelopingErrorPercent: envelopingError };
};

/**
 * Of all parts together: errors as if they were one model, EE = √(Σ EE²·R / Σ R) with R what EE² is a share of, and influences
 * over all vertices. Those of held out clips and crossfades are the parts' own.
 */
function totalsOf(parts: readonly LinearizeResult[]): Figures {
  const sum = (of: (part: LinearizeResult) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const rigid = sum(({ rigidErrorSquared }) => rigidErrorSquared);
  const error = (of: (part: LinearizeResult) => number): number =>
    rigid > 0 ? Math.sqrt(sum((part) => of(part) ** 2 * part.rigidErrorSquared) / rigid) : 0;
  const vertices = sum(({ original }) => vertexCount(original.mesh));
  const influences = (of: (part: LinearizeResult) => number): number =>
    sum((part) => of(part) * vertexCount(part.original.mesh)) / (vertices || 1);
  return {
    ...(parts.length === 1 && parts[0].report.figures),
    blendBones: sum(({ model }) => model.blendBones?.bones.length ?? 0),
    envelopingErrorLbsPercent: error(({ envelopingErrorLbs }) => envelopingErrorLbs),
    envelopingErrorPercent: error(({ envelopingError }) => envelopingError),
    envelopingErrorExactPercent: error(({ envelopingErrorBySolver }) => envelopingErrorBySolver.exact),
    envelopingErrorNnlsPercent: error(({ envelopingErrorBySolver }) => envelopingErrorBySolver.nnls),
    averageInfluencesBefore: influences(({ averageInfluences }) => averageInfluences.before),
    averageInfluencesAfter: influences(({ averageInfluences }) => averageInfluences.after),
  };
}

const clipFigures = ({ frames, lbs, linearized, halfWay, keys }: LinearizeResult['clips'][number]) => ({
  frames,
  keys: keys.written,
  figures: {
    envelopingErrorLbsPercent: lbs,
    envelopingErrorPercent: linearized,
    envelopingErrorBetweenKeysPercent: halfWay,
    keysBefore: keys.given,
  },
});

function describePart(part: LinearizeResult, report: LinearizeOutcome['report'], several: boolean): void {
  const { original, model, clips, training, report: own } = part;
  const { name } = original;
  const { names } = model.skeleton;
  report.parts.push({ ...modelPart(model), figures: own.figures });
  report.clips.push(
    ...model.clips.map((clip, c) => ({
      ...clipReport(clip, several ? name : undefined),
      ...(clips[c] && clipFigures(clips[c])),
    })),
  );
  addNotes(report.notes, ...own.notes);
  addSeconds(report.seconds, own.seconds);
  report.detail.parts.push({
    name,
    curve: part.curve,
    stopped: part.stopped,
    heldOut: part.heldOut,
    ...(part.crossfades && { crossfades: part.crossfades }),
    joints: part.joints,
    training: { source: training.source, frames: training.clip.times.length },
    blendBones: (model.blendBones?.bones ?? []).map(({ bone, masters, weights }) => ({
      name: names[bone],
      masters: Array.from(masters, (j) => names[j]),
      weights: Array.from(weights),
    })),
    converged: own.converged,
    iterations: own.iterations,
    seconds: own.seconds,
  });
}
