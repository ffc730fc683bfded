import { PliantError } from '../error.ts';
import { type Bytes, totalLength } from '../model/bytes.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { type SkinnedModel, validateModel } from '../model/skinned-model.ts';
import { GltfEditor } from './gltf/edit/editor.ts';
import { ownMesh } from './gltf/edit/vertices.ts';
import { describeLight } from './gltf/light-extension.ts';

const OPERATION = 'editLight';

/** The file that models were read from, with the light of those that have some; in parts, to be written one by one. */
export async function gltfWithLight(
  source: GltfSource,
  models: readonly SkinnedModel[],
  compress = false,
): Promise<{ parts: Bytes[]; report: Report }> {
  const editor = new GltfEditor(source);
  const report = emptyReport(OPERATION);
  for (const model of models) {
    if (!model.light) continue;
    validateModel(model, OPERATION);
    if (model.origin?.source !== source) {
      throw new PliantError('bad-input', OPERATION, `${model.name} was not read from this file`);
    }
    describeLight(editor, model, ownMesh(editor, model.origin.node));
  }
  const parts = await editor.finish(OPERATION, compress);
  report.figures.bytes = totalLength(parts);
  return { parts, report };
}
