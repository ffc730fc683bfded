import { PliantError } from '../error.ts';
import { type Bytes, joined, totalLength } from '../model/bytes.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { type SkinnedModel, validateModel } from '../model/skinned-model.ts';
import type { GlbResult } from './glb/document.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from './glb/options.ts';
import { anchored } from './gltf/edit/anchor.ts';
import { AnimationEdits } from './gltf/edit/animations.ts';
import { changesOf } from './gltf/edit/changes.ts';
import { GltfEditor } from './gltf/edit/editor.ts';
import { describeBlendBones, nodesOf } from './gltf/edit/nodes.ts';
import { SkinEdits } from './gltf/edit/skins.ts';
import { editVertices } from './gltf/edit/vertices.ts';

const OPERATION = 'editGltf';

/** How `editGltf` stores what is new. */
export type EditOptions = Partial<
  Pick<ModelGlbOptions, 'influences' | 'joints' | 'weights' | 'rotations' | 'compress'>
>;

/** The file that models were read from; undefined where they are not all from one, or no longer have its vertices. */
export function sourceOf(models: readonly SkinnedModel[]): GltfSource | undefined {
  const source = models[0]?.origin?.source;
  const isEditable = ({ origin, mesh }: SkinnedModel) => origin?.source === source && origin?.read.mesh === mesh;
  return source && models.every(isEditable) ? source : undefined;
}

/**
 * The glTF file that models were read from, as a GLB, changed where they differ from what was read: weights of vertices, bones
 * and clips that were added, mix weights and operator. Everything else is and stays where it was, byte for byte.
 */
export async function editGltf(models: readonly SkinnedModel[], options: EditOptions = {}): Promise<GlbResult> {
  const { parts, report } = await editedParts(models, options);
  return { bytes: await joined(parts), report, orders: [] };
}

/** The same in parts to be written one after the other: what is not changed is not copied. */
export async function editedParts(
  models: readonly SkinnedModel[],
  options: EditOptions = {},
): Promise<{ parts: Bytes[]; report: Report }> {
  const source = sourceOf(models);
  if (!source) throw new PliantError('bad-input', OPERATION, 'needs models that were read from one glTF file');
  // What is new is stored plainly: views are compressed when all is there.
  const { compress, ...settings } = resolveOptions(MODEL_GLB_OPTIONS, options, OPERATION);
  const plain = { ...settings, compress: 'none' } as const;
  const isStorageGiven = options.weights !== undefined || options.joints !== undefined;
  const report = emptyReport(OPERATION);
  const editor = new GltfEditor(source);
  const skins = new SkinEdits(editor);
  const animations = new AnimationEdits(editor, plain, report);
  for (const given of models) {
    validateModel(given, OPERATION);
    const origin = given.origin!;
    const model = anchored(given, OPERATION);
    const changes = changesOf(model, origin, editor.json.nodes![origin.node].skin !== undefined, isStorageGiven);
    const nodes = nodesOf(editor, model.skeleton, origin);
    const jointOf = skins.addJoints(model, origin, nodes, changes.joints);
    editVertices(editor, model, origin, changes, jointOf, plain, report);
    if (changes.blendBones) describeBlendBones(editor, model, nodes, jointOf);
    animations.addClips(model, origin, nodes);
  }
  skins.finish();
  const parts = await editor.finish(OPERATION, compress === 'meshopt');
  report.figures.bytes = totalLength(parts);
  return { parts, report };
}

/** A glTF file as a GLB, with nothing changed but by `edit`, in such parts. */
export async function packedParts(
  source: GltfSource,
  compress = false,
  edit?: (editor: GltfEditor) => Promise<void>,
): Promise<Bytes[]> {
  const editor = new GltfEditor(source);
  await edit?.(editor);
  return editor.finish('convert', compress);
}
