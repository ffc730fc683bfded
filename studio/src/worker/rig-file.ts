import { boneCount, type ModelGlbOptions, type Note, readAsset, type SkinnedModel } from '../../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../../src/io/glb/options.ts';
import { anchored } from '../../../src/io/gltf/edit/anchor.ts';
import { changesOf } from '../../../src/io/gltf/edit/changes.ts';
import { blobFiles } from '../../../src/platform/browser/files.ts';
import { glbOf, isEdited, KEPT_BY_EDITING, type VerbReport } from '../../../src/verbs/verb.ts';
import type { Content } from '../core/content/content.ts';

/** What was opened. */
export type Opened = Pick<Content, 'files' | 'notes' | 'lost' | 'clipsTogether'>;

/** What of a part of the opened file is not as it was. */
export interface PartChanges {
  name: string;
  weights: boolean;
  mixWeights: boolean;
  /** Joints that were added, and the node above them. */
  joints: number;
  root?: string;
}

/** A written rig: the file that was opened with changes, or a new one. */
export interface RigFile {
  file: Blob;
  /** Absent for a new file. */
  changes?: PartChanges[];
  /** What was lost, and what the writer did. */
  notes: Note[];
}

/** Rigs as a GLB: the file that they were opened from is read again and edited, as the command line does. */
export async function rigFile(
  models: readonly SkinnedModel[],
  options: Partial<ModelGlbOptions>,
  { files, notes, clipsTogether }: Opened,
): Promise<RigFile> {
  const own = models.map((model) => ({ ...model, clips: model.clips.filter(({ name }) => name !== clipsTogether) }));
  const read = files ? (await readAsset(blobFiles(files), [files[0][0]])).models : [];
  const rigs = own.map((model, m) => withOrigin(model, read[m]));
  const edited = isEdited(rigs, options);
  const report: Pick<VerbReport, 'figures' | 'notes'> = { figures: {}, notes: edited ? [] : unread(notes) };
  const most = Math.max(...rigs.map(({ weights }) => weights.influences));
  const influences = Math.min(MODEL_GLB_OPTIONS.influences.max, most);
  const parts: Uint8Array[] = [];
  const sink = { write: async (part: Uint8Array) => void parts.push(part) };
  await glbOf(rigs, { influences, ...options }, report, { sink });
  const changes = edited ? { changes: rigs.map(changesOfPart) } : {};
  return { file: glbBlob(parts), ...changes, notes: report.notes };
}

/** Notes on what was not read, which a new file does not have either. */
export const unread = (notes: readonly Note[]): Note[] => notes.filter(({ code }) => KEPT_BY_EDITING.has(code));

/** The browser gets the parts without a copy of the whole. */
export const glbBlob = (parts: readonly Uint8Array[]): Blob =>
  new Blob(parts as Uint8Array<ArrayBuffer>[], { type: 'model/gltf-binary' });

/** A model as made of the one that was read, if it has the same surface. */
function withOrigin(model: SkinnedModel, read: SkinnedModel | undefined): SkinnedModel {
  const { mesh, blendBones } = model;
  if (!read || !isEqual(mesh.positions, read.mesh.positions)) return model;
  const isSame = JSON.stringify(blendBones) === JSON.stringify(read.blendBones);
  return { ...model, mesh: read.mesh, origin: read.origin, ...(isSame && { blendBones: read.blendBones }) };
}

const isEqual = (a: Float32Array, b: Float32Array): boolean => a.length === b.length && a.every((x, c) => x === b[c]);

function changesOfPart(model: SkinnedModel): PartChanges {
  const { name, skeleton, origin } = model;
  const { source, node, bones } = origin!;
  const nodes = source.json.nodes as { skin?: number }[];
  const { weights, mixWeights } = changesOf(model, origin!, nodes[node].skin !== undefined, false);
  const joints = boneCount(anchored(model, 'export').skeleton) - bones.length;
  const root = joints > 0 ? skeleton.names[skeleton.parents[bones.length]] : undefined;
  return { name, weights, mixWeights, joints, ...(root !== undefined && { root }) };
}
