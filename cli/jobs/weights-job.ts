import { PliantError } from '../../src/error.ts';
import type { ModelGlbOptions } from '../../src/io/glb/options.ts';
import { meshInGltfSpace, modelInGltfSpace } from '../../src/io/glb/space.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import type { Asset } from '../../src/model/asset.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import type { Notes } from '../../src/model/note.ts';
import type { Report } from '../../src/model/report.ts';
import { boneCount, type Skeleton } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { digits } from '../../src/report/format.ts';
import { alignClip, alignment, alignSkeleton, overlapNote } from '../../src/rig/bind/align.ts';
import { BIND_OPTIONS, type BindOptions, bind } from '../../src/rig/bind/bind.ts';
import { findMirror, type MirrorOptions, mirrorDifference, symmetrizeWeights } from '../../src/rig/bind/mirror.ts';
import { smoothSkin } from '../../src/rig/bind/smooth.ts';
import { type TrimError, trimModel } from '../../src/rig/bind/trim.ts';
import { pickOne } from '../input/open-input.ts';
import { deformingBones, openMotions, openSkeleton, playOn, readNameMap } from '../input/skeletons.ts';
import type { Output } from '../output/output.ts';
import type { Run } from '../terminal/session.ts';

const OPERATION = 'weights';

/** What `weights` does: binds or keeps, mirrors and trims every part of a file; writes the GLB where there is an output. */
export interface WeightsJob {
  asset: Asset;
  file: string;
  object?: string;
  skeleton?: string;
  align: boolean;
  /** Names of bones that no vertex follows. */
  exclude: readonly string[];
  clips: readonly string[];
  map?: string;
  bind: Partial<BindOptions>;
  mirror: Partial<MirrorOptions>;
  symmetrize: boolean;
  influences: number;
  glb: Partial<ModelGlbOptions>;
}

/** A model on its way: the mesh and skeleton are there; `deforms` where its weights are still to be found. */
interface Part {
  model: SkinnedModel;
  deforms?: (bone: number) => boolean;
}

/** What became of one mesh. */
export interface WeightsResult {
  model: SkinnedModel;
  /** Absent where the weights of the file were kept. */
  method?: string;
  influencesBefore: number;
  influences: number;
  trimming: TrimError[];
  mirror: {
    axis: 'x' | 'y' | 'z';
    plane: number;
    /** Vertices with a mirrored partner. */
    matched: number;
    /** Those of them whose partner has more than 0.01 of its weight on other bones. */
    differing: number;
    mostDifferent: number;
    mostDifference: number;
    symmetrized: boolean;
  };
  reports: Report[];
}

export interface WeightsOutcome {
  results: WeightsResult[];
  notes: Notes;
}

export async function runWeights(
  job: WeightsJob,
  output: Output<'glb'> | undefined,
  run: Run,
): Promise<WeightsOutcome> {
  const { asset, influences, glb } = job;
  const notes = [...asset.notes];
  const parts = job.skeleton === undefined ? ownParts(job) : await boundParts(job, job.skeleton, notes);
  await addClips(parts, job, notes);
  const results: WeightsResult[] = [];
  for (const part of parts) results.push(await finishPart(part, job, run));
  if (output) {
    const models = results.map(({ model }) => model);
    const { bytes, report } = await writeModelGlb(models, { ...glb, influences });
    notes.push(...report.notes);
    await output.sink.write(bytes);
  }
  return { results, notes };
}

/** The rigs of the file: to be bound anew where a method was asked for, else as they are. */
function ownParts(job: WeightsJob): Part[] {
  const { models, meshes, sequences } = job.asset;
  if (models.length === 0) {
    const what =
      meshes.length + sequences.length > 0 ? 'holds no rig: name a skeleton with --skeleton' : 'holds no rig';
    throw new PliantError('not-found', OPERATION, what, { file: job.file });
  }
  if (job.align) throw new PliantError('bad-option', OPERATION, '--align needs --skeleton (got none)');
  const chosen = job.object === undefined ? models : [pickModel(models, job)];
  const { smoothing: _, ...asked } = job.bind;
  const rebind = Object.keys(asked).length > 0 || job.exclude.length > 0;
  // Clips are y up: so must be the rig that they are to move.
  const parts = job.clips.length > 0 ? inGltfSpace(chosen) : chosen;
  return parts.map((model) => {
    if (!rebind) return { model };
    const together = parts.filter(({ skeleton }) => skeleton === model.skeleton);
    return { model, deforms: without(model.skeleton, job.exclude, deformingBones(model.skeleton, together)) };
  });
}

const pickModel = (models: readonly SkinnedModel[], { file, object }: WeightsJob): SkinnedModel =>
  pickOne(models, { operation: OPERATION, file, what: 'object', name: object });

/** Models that share a skeleton still do. */
function inGltfSpace(models: readonly SkinnedModel[]): SkinnedModel[] {
  const first = new Map<Skeleton, SkinnedModel>();
  return models.map((model) => {
    const converted = modelInGltfSpace(model);
    const before = first.get(model.skeleton);
    if (!before) first.set(model.skeleton, converted);
    return before ? { ...converted, skeleton: before.skeleton, clips: before.clips } : converted;
  });
}

/** Every mesh of the file with the skeleton of another. */
async function boundParts(job: WeightsJob, file: string, notes: Notes): Promise<Part[]> {
  const { asset } = job;
  const all: Mesh[] = [
    ...asset.meshes,
    ...asset.models.map(({ name, mesh }) => ({ ...mesh, name })),
    ...asset.sequences.map(({ name, rest }) => ({ ...rest, name })),
  ];
  if (all.length === 0) throw new PliantError('not-found', OPERATION, 'holds no mesh', { file: job.file });
  const choice = { operation: OPERATION, file: job.file, what: 'object', name: job.object };
  const meshes = (job.object === undefined ? all : [pickOne(all, choice)]).map(meshInGltfSpace);
  const input = await openSkeleton(OPERATION, file, notes);

  let { skeleton } = input;
  let clips = input.captured ? [] : input.clips;
  if (job.align) {
    const fit = alignment(skeleton, joined(meshes), OPERATION);
    notes.push(`The skeleton was scaled by ${digits(fit.scale)} and moved by ${fit.offset.map(digits).join(', ')}.`);
    clips = clips.map((clip) => alignClip(clip, skeleton, fit));
    skeleton = alignSkeleton(skeleton, fit);
  }
  const far = overlapNote(joined(meshes), skeleton, OPERATION);
  if (far) notes.push(job.align ? far : `${far} --align moves the skeleton into the mesh.`);
  if (input.captured) clips = playOn(OPERATION, skeleton, input, {}, notes);
  const deforms = without(skeleton, job.exclude, input.deforms);
  return meshes.map((mesh, m) => ({
    model: {
      name: mesh.name || `mesh ${m}`,
      mesh,
      skeleton,
      clips,
      operator: 'lbs',
      // A place for the weights to come.
      weights: {
        influences: 1,
        joints: new Uint16Array(vertexCount(mesh)),
        weights: new Float32Array(vertexCount(mesh)).fill(1),
      },
    },
    deforms,
  }));
}

/** All meshes as one cloud of points. */
function joined(meshes: readonly Mesh[]): Mesh {
  const positions = new Float32Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  let at = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, at);
    at += mesh.positions.length;
  }
  return { positions, triangles: new Uint32Array() };
}

/** Leaves out bones by name; a name that no bone has is an error. */
function without(
  skeleton: Skeleton,
  names: readonly string[],
  deforms: (bone: number) => boolean = () => true,
): (bone: number) => boolean {
  const unknown = names.find((name) => !skeleton.names.includes(name));
  if (unknown !== undefined) {
    const cause = `--exclude names no bone (got ${unknown}, expected some of ${skeleton.names.join(', ')})`;
    throw new PliantError('not-found', OPERATION, cause);
  }
  return (bone) => deforms(bone) && !names.includes(skeleton.names[bone]);
}

/** Clips from other files, once per skeleton. */
async function addClips(parts: Part[], job: WeightsJob, notes: Notes): Promise<void> {
  if (job.map !== undefined && job.clips.length === 0) {
    throw new PliantError('bad-option', OPERATION, '--map needs --clips (got none)');
  }
  const map = job.map === undefined ? {} : await readNameMap(OPERATION, job.map);
  for (const file of job.clips) {
    for (const motion of await openMotions(OPERATION, file)) {
      const played = new Map<Skeleton, SkinnedModel['clips']>();
      for (const part of parts) {
        const { skeleton } = part.model;
        const clips = played.get(skeleton) ?? playOn(OPERATION, skeleton, motion, map, notes);
        played.set(skeleton, clips);
        part.model = { ...part.model, clips: [...part.model.clips, ...clips] };
      }
    }
  }
}

async function finishPart({ model: start, deforms }: Part, job: WeightsJob, run: Run): Promise<WeightsResult> {
  const reports: Report[] = [];
  let model = start;
  if (deforms) {
    const { weights, report } = await bind(model.mesh, model.skeleton, { ...job.bind, ...run, deforms });
    model = { ...model, weights };
    reports.push(report);
  } else if (job.bind.smoothing) {
    model = { ...model, weights: smoothSkin(model.mesh, model.weights, boneCount(model.skeleton), job.bind.smoothing) };
  }
  const mirror = findMirror(model.mesh, model.skeleton, job.mirror);
  if (job.symmetrize) model = { ...model, weights: symmetrizeWeights(model.weights, mirror) };
  const influencesBefore = model.weights.influences;
  const trimmed = await trimModel(model, { influences: job.influences, evenly: job.symmetrize, ...run });
  reports.push(trimmed.report);
  const { difference: _, ...asymmetry } = mirrorDifference(trimmed.model.weights, mirror);
  return {
    model: trimmed.model,
    method: deforms && (job.bind.method ?? BIND_OPTIONS.method.default),
    influencesBefore,
    influences: trimmed.model.weights.influences,
    trimming: trimmed.errors,
    mirror: {
      axis: (['x', 'y', 'z'] as const)[mirror.axis],
      plane: mirror.plane,
      matched: mirror.matched,
      ...asymmetry,
      symmetrized: job.symmetrize,
    },
    reports,
  };
}
