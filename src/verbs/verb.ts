import { editedParts, sourceOf } from '../io/edit-gltf.ts';
import type { ByteSink } from '../io/files.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { lostNotes } from '../io/gltf/edit/lost.ts';
import { type ModelExtras, writeModelGlb } from '../io/write-glb.ts';
import { type Asset, emptyAsset } from '../model/asset.ts';
import { type Bytes, chunksOf, joined } from '../model/bytes.ts';
import type { FigureName, Figures } from '../model/figures.ts';
import { type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import { addNotes, distinctNotes, type Note, type NoteCode } from '../model/note.ts';
import type { Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { boneCount, type Clip, clipFrameCount, frameKeys } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/**
 * What all verbs share. A verb turns an opened asset and options into models, sequences and a report:
 *
 *   verb(input, options) → { models | sequences | meshes, file?, report }
 *
 * It knows no files, no terminal and no sentences. The CLI, the studio's workers and scripts call the same verbs.
 */

/** What a verb works on: an opened asset, or one of its nouns. */
export type VerbInput = Asset | SkinnedModel | MeshSequence | Mesh;

/** A motion of a part or of all parts. */
export interface ClipReport {
  name: string;
  /** Frames, or keys if a clip has no frames. */
  frames: number;
  /** Where it has more keys than frames. */
  keys?: number;
  /** Seconds that it plays. */
  duration: number;
  /** The part that it belongs to, where parts have different clips. */
  part?: string;
  figures?: Figures;
  /** Of `light measure`: errors of light in its poses. */
  baked?: boolean;
  shadingErrorPercent?: number;
  basePercent?: number;
  poseSpacePercent?: number;
  unshadowedPercent?: number;
}

/** A mesh, sequence or rig that a verb read or made. */
export interface PartReport {
  name: string;
  vertices: number;
  triangles: number;
  bones?: number;
  /** Maximum influences per vertex. */
  influences?: number;
  figures?: Figures;
}

/** What every verb reports. `Detail` is what only this verb can tell: curves, rivals, joints. */
export interface VerbReport<Detail extends object = object> {
  figures: Figures;
  clips: ClipReport[];
  parts: PartReport[];
  notes: Report['notes'];
  /** Stage → seconds of work. */
  seconds: Record<string, number>;
  detail: Detail;
}

/** A new report; what is not known yet is empty. */
export const verbReport = <D extends object>(
  detail: D,
  { figures, clips = [], parts = [], notes = [], seconds }: Partial<VerbReport> = {},
): VerbReport<D> => ({
  figures: { ...figures },
  clips,
  parts,
  notes: distinctNotes(notes),
  seconds: { ...seconds },
  detail,
});

/** The figures of the worst part, the one with the largest `by`; `sums` are totals over all parts. */
export function worstFigures(parts: readonly PartReport[], by: FigureName, sums: readonly FigureName[] = []): Figures {
  const all = parts.map(({ figures = {} }) => figures);
  const worst = all.reduce((a, b) => ((b[by] ?? 0) > (a[by] ?? 0) ? b : a));
  const totals = sums.map((name) => [name, all.reduce((sum, figures) => sum + (figures[name] ?? 0), 0)]);
  return { ...worst, ...Object.fromEntries(totals) };
}

/** Notes on what is changed or left out of the nouns, but not of a file that is edited. */
export const KEPT_BY_EDITING: ReadonlySet<NoteCode> = new Set<NoteCode>([
  'not-read',
  'left-out-unskinned',
  'frames-added',
  'targets-as-frames',
  'normals-computed',
]);

/** Whether a note is on something that the edited file has as it was. */
function isKept({ code, about }: Note, models: readonly SkinnedModel[]): boolean {
  if (code !== 'weights-normalised' && code !== 'unweighted-vertices') return KEPT_BY_EDITING.has(code);
  return models.every(({ name, weights, origin }) => name !== about || weights === origin?.read.weights);
}

/** Whether models are written by editing the file they were read from: options may ask for other vertices, or fewer names. */
export function isEdited(models: readonly SkinnedModel[], options: Partial<ModelGlbOptions>): boolean {
  const { normals, uvs, materials, names, reorder = false, quantize = false } = options;
  const needsNewFile = [normals, uvs, materials, names].includes(false) || reorder || quantize;
  return sourceOf(models) !== undefined && !needsNewFile;
}

/** Where a verb writes its GLB. */
export interface GlbTarget {
  /** Gets the file part by part, which saves the memory of a copy; else it is returned as `file`. */
  sink?: Pick<ByteSink, 'write'>;
}

/** Writes the parts of a file, or joins them. */
export async function fileOf(parts: readonly Bytes[], { sink }: GlbTarget): Promise<{ file?: Uint8Array }> {
  if (!sink) return { file: await joined(parts) };
  for await (const chunk of chunksOf(parts)) await sink.write(chunk);
  return {};
}

/**
 * The GLB of models, where one is asked for: all verbs write theirs here. Models of a glTF file are written by editing it.
 * Its size and notes join the report.
 */
export async function glbOf(
  models: readonly SkinnedModel[],
  options: (Partial<ModelGlbOptions> & ModelExtras) | undefined,
  report: Pick<VerbReport, 'figures' | 'notes'>,
  target: GlbTarget = {},
): Promise<{ file?: Uint8Array }> {
  if (!options) return {};
  const source = options.predictor || options.cloth ? undefined : sourceOf(models);
  const isEdit = source !== undefined && isEdited(models, options);
  if (isEdit) report.notes = report.notes.filter((each) => !isKept(each, models));
  else addNotes(report.notes, ...lostNotes(source, new Set(models.flatMap(nodesOf))));
  const { parts, report: written } = await (isEdit ? editedParts : newFile)(models, options);
  addNotes(report.notes, ...written.notes);
  report.figures.bytes = written.figures.bytes;
  return fileOf(parts, target);
}

async function newFile(...given: Parameters<typeof writeModelGlb>): Promise<{ parts: Bytes[]; report: Report }> {
  const { bytes, report } = await writeModelGlb(...given);
  return { parts: [bytes], report };
}

/** The nodes of the file that a model stands for. */
const nodesOf = ({ origin }: SkinnedModel): number[] => (origin ? [origin.node, ...origin.bones] : []);

export const listOf = <T>(input: T | readonly T[]): readonly T[] => (Array.isArray(input) ? input : [input as T]);

export const meshPart = (name: string, mesh: Mesh): PartReport => ({
  name,
  vertices: vertexCount(mesh),
  triangles: triangleCount(mesh),
});

export const modelPart = ({ name, mesh, skeleton, weights }: SkinnedModel): PartReport => ({
  ...meshPart(name, mesh),
  bones: boneCount(skeleton),
  influences: weights.influences,
});

export const sequenceClip = ({ name, frameCount, times }: MeshSequence, part?: string): ClipReport => ({
  name,
  frames: frameCount,
  duration: times[frameCount - 1] - times[0],
  ...(part !== undefined && { part }),
});

export const sequenceFigures = (sequences: readonly MeshSequence[]): Figures => ({
  vertices: sequences.reduce((sum, { rest }) => sum + vertexCount(rest), 0),
  frames: Math.max(...sequences.map(({ frameCount }) => frameCount)),
});

export function clipReport(clip: Clip, part?: string): ClipReport {
  const { name, times } = clip;
  const keys = clipFrameCount(clip);
  const frames = frameKeys(clip).length;
  return {
    name,
    frames,
    ...(keys !== frames && { keys }),
    duration: times[keys - 1] - times[0],
    ...(part !== undefined && { part }),
  };
}

/** The asset that a noun stands for. */
export function assetOf(input: VerbInput): Asset {
  if ('format' in input) return input;
  const asset = emptyAsset('memory', 0);
  if ('readFrame' in input) asset.sequences.push(input);
  else if ('skeleton' in input) asset.models.push(input);
  else asset.meshes.push(input);
  return asset;
}
